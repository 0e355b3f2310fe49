#include "aplomb/core/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace aplomb {
namespace {

using namespace std::chrono_literals;
constexpr auto kPeriod = 100ms;
constexpr int kBarWidth = 30;
constexpr double kEnough = 0.02;  // least part from which the rest is estimated: work begins with its preparations
constexpr std::string_view kEraseLine = "\r\x1b[K";

/// "1:05", "2:03:04"; "?" when the time is unknown.
std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 359999.0) return "?";
  const long whole = std::lround(std::max(0.0, seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// Writes to the terminal; errors are ignored, a bar that cannot be drawn does not stop the work.
void print(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool is_terminal(int descriptor) {
  if (::isatty(descriptor) == 0) return false;
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) != "dumb" && *kind != '\0';
}

Progress::Progress(std::string label, double total, int descriptor)
    : label_(std::move(label)),
      total_(total),
      descriptor_(descriptor),
      is_shown_(is_terminal(descriptor)),
      next_draw_(start_ + kPeriod) {}  // work of less than a tenth of a second needs no bar

void Progress::update(double done) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + kPeriod;
  const double ratio = total_ > 0.0 ? done / total_ : 0.0;
  draw(now, std::isinf(ratio) ? 0.0 : std::clamp(ratio, 0.0, 1.0));
}

void Progress::draw(Clock::time_point now, double ratio) {
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::size_t width = terminal_width(descriptor_) - 1;
  if (std::isnan(ratio)) {
    const std::string line = fmt::format("{}  {} elapsed", label_, clock_text(elapsed));
    print(descriptor_, std::string(kEraseLine) + (line.size() > width ? clock_text(elapsed) : line));
    is_drawn_ = true;
    return;
  }
  const double left = ratio > kEnough ? elapsed * (1.0 - ratio) / ratio : INFINITY;
  const int filled = static_cast<int>(std::floor(ratio * kBarWidth));
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
  const int percent = static_cast<int>(std::floor(100.0 * ratio));
  std::string line =
      fmt::format("{}  [{}] {:3} %  {} elapsed, {} left", label_, bar, percent, clock_text(elapsed), clock_text(left));
  // On a narrow terminal the bar is omitted first: a line that wraps would not be erased.
  if (line.size() > width) line = fmt::format("{} {:3} %  {} left", label_, percent, clock_text(left));
  if (line.size() > width) line = fmt::format("{:3} %", percent);
  print(descriptor_, std::string(kEraseLine) + line);
  is_drawn_ = true;
}

void Progress::finish() {
  if (is_drawn_) print(descriptor_, kEraseLine);
  is_drawn_ = false;
}

}  // namespace aplomb
