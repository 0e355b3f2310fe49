#pragma once

#include <optional>

#include "aplomb/human/analyse.hpp"
#include "aplomb/present/human_report.hpp"
#include "outcome.hpp"

namespace aplomb::python {

/// A person's analysed motion.
class AnalysedPerson final : public DescribedOutcome<HumanOutput> {
 public:
  explicit AnalysedPerson(TrialAnalysis analysis);
  ReportPage page() const override;
  const HumanTrial& trial() const { return trial_; }

 private:
  TrialAnalysis analysis_;
  HumanTrial trial_;
};

}  // namespace aplomb::python
