#include "aplomb/core/step_progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace aplomb {

StepProgress::StepProgress(std::string label, int descriptor)
    : label_(std::move(label)), descriptor_(descriptor), is_shown_(is_terminal(descriptor)) {
  if (is_shown_) ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

void StepProgress::update(std::string_view step, double done) {
  if (!is_shown_) return;
  const std::lock_guard lock(mutex_);
  auto found = bars_.find(step);
  if (found == bars_.end()) {
    found =
        bars_.emplace(step, std::make_unique<Progress>(fmt::format("{}: {}", label_, step), 1.0, descriptor_)).first;
  }
  if (bar_ != nullptr && bar_ != found->second.get()) bar_->finish();  // erases its line
  bar_ = found->second.get();
  done_ = done;
  bar_->update(done_);
}

void StepProgress::finish() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  const std::lock_guard lock(mutex_);
  is_shown_ = false;
  bar_ = nullptr;
  bars_.clear();  // erases the line
}

void StepProgress::tick(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wakes_.wait_for(lock, stop, 500ms, [] { return false; });
    if (bar_ != nullptr && !stop.stop_requested()) bar_->update(done_);
  }
}

}  // namespace aplomb
