#pragma once

#include <string>
#include <vector>

#include "aplomb/present/human_report.hpp"

namespace aplomb {

/// One analysed trial, with the person whose it is (empty: one person only).
struct TrialOfPerson {
  std::string person;
  const TrialAnalysis* analysis = nullptr;
  const HumanOutput* output = nullptr;
};

/// A row for each trial: markers, CoP, masses, uncertainty, rises, verdict.
PageTable trials_table(const std::vector<TrialOfPerson>& trials);

/// A row for each trial with rises: mean and standard deviation over its rises. Without rows when there are none.
PageTable rises_by_trial(const std::vector<TrialOfPerson>& trials);

}  // namespace aplomb
