#pragma once

#include <chrono>
#include <string>
#include <utility>

namespace aplomb {

/// A progress bar on a terminal, and nothing anywhere else (a pipe, a file, TERM=dumb):
///
///   stand_sarcos  [##########..........]  50 %  0:02 elapsed, 0:02 left
///
/// It is redrawn at most ten times a second, whatever the rate of `update`, and erased at the end. Work whose length
/// is unknown (`done` not a number) shows its elapsed time instead: nothing is guessed.
class Progress {
 public:
  /// `total` in the unit of `update`'s argument (seconds, frames, runs); `descriptor` is the terminal, stderr by
  /// default.
  Progress(std::string label, double total, int descriptor = 2);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double done);                                         ///< cheap; may be called at any rate
  void set_label(std::string label) { label_ = std::move(label); }  ///< from the next drawing on
  void finish();                                                    ///< erases the bar

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now, double ratio);

  std::string label_;
  double total_;
  int descriptor_;
  bool is_shown_;  ///< whether the descriptor is a terminal
  bool is_drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_draw_;
};

bool is_terminal(int descriptor);  ///< a terminal with cursor movements and colours

}  // namespace aplomb
