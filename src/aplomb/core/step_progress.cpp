#include "aplomb/core/step_progress.hpp"

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
  if (!bar_ || step != step_) {
    bar_.reset();  // erases its line first
    step_ = step;
    bar_ = std::make_unique<Progress>(label_ + ": " + step_, 1.0, descriptor_);
  }
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
  bar_.reset();
}

void StepProgress::tick(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wakes_.wait_for(lock, stop, 500ms, [] { return false; });
    if (bar_ && !stop.stop_requested()) bar_->update(done_);
  }
}

}  // namespace aplomb
