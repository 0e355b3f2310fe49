#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "aplomb/core/progress.hpp"

namespace aplomb {

/// Progress of work in several steps, each with a bar of its own on a terminal, and nothing anywhere else:
///
///   sts: masses from 88 postures  [##########....................]  36 %  0:02 elapsed, 0:04 left
///   sts: plan of the motion  0:07 elapsed
///
/// A step that is taken up again goes on with its own time. A step that reports nothing while it works is redrawn all
/// the same, by a thread that lives on a terminal only: the time goes on. May be used from several threads.
class StepProgress {
 public:
  explicit StepProgress(std::string label, int descriptor = 2);
  ~StepProgress() { finish(); }
  StepProgress(const StepProgress&) = delete;
  StepProgress& operator=(const StepProgress&) = delete;

  /// `done`: fraction of the step, 0 to 1, or NaN where nothing measures it. Cheap; another name changes the step.
  void update(std::string_view step, double done);
  void finish();  ///< erases the bar

 private:
  void tick(const std::stop_token& stop);

  std::string label_;
  int descriptor_;
  bool is_shown_;
  std::mutex mutex_;
  std::condition_variable_any wakes_;
  std::map<std::string, std::unique_ptr<Progress>, std::less<>> bars_;  ///< by step
  Progress* bar_ = nullptr;                                             ///< of the current step
  double done_ = 0.0;
  std::jthread ticker_;  ///< last: it uses what is above
};

}  // namespace aplomb
