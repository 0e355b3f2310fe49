#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb::python {

/// What every step leaves behind: metrics, checks, a log and a report.
class Outcome {
 public:
  virtual ~Outcome() = default;
  virtual const Result& result() const = 0;
  virtual const Log& log() const = 0;
  virtual std::vector<std::string> notes() const = 0;
  virtual ReportPage page() const = 0;  ///< with the replay, which reads the robot's meshes
};

/// Of a step that `present/` describes by an `Output`: HumanOutput, RetargetOutput, IdentifyOutput.
template <typename Output>
class DescribedOutcome : public Outcome {
 public:
  explicit DescribedOutcome(Output output) : output_(std::move(output)) {}
  const Result& result() const override { return output_.result; }
  const Log& log() const override { return output_.log; }
  std::vector<std::string> notes() const override { return output_.page.notes; }
  ReportPage page() const override { return output_.page; }

 protected:
  Output output_;
};

}  // namespace aplomb::python
