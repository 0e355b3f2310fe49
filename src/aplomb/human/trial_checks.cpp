#include "aplomb/human/trial_checks.hpp"

#include <utility>

namespace aplomb {
namespace {

using Rule = Check::Rule;

void add_plate_checks(const PlateJudgement& judgement, std::vector<Check>& checks) {
  checks.push_back({"plates_carry_body", Rule::equals, true,
                    "Plates that never carry the whole body for 0.5 s confirm nothing: something else carries, or they "
                    "are of another trial."});
  checks.push_back({"plate_coverage_ratio", Rule::above, kCoverageLimit,
                    "Forces of the same trial cover its frames, but for the ends."});
  if (judgement.mass_disagreement) {
    checks.push_back({"mass_disagreement_ratio", Rule::below, kMassLimit,
                      "Shoes, clothes and a weight told from memory explain some 5 %; more is another person, another "
                      "trial, or another contact that carries all the time."});
  }
  if (!judgement.adjustment) return;
  for (const char* metric : {"cop_x_holdout_rms_m", "cop_y_holdout_rms_m"}) {
    checks.push_back({metric, Rule::below, kCopLimit,
                      "Mistry et al. (2010) scale their model until the CoP is within 2 cm; sideways as forwards."});
  }
  checks.push_back(
      {"cop_offset_before_m", Rule::below, kOffsetLimit,
       "The CoP of a mean body was 0.1 to 0.9 cm off on the mean (three trials of two people); plates that "
       "are 3 cm off their place are beyond 2 cm."});
  if (judgement.adjustment->plate_shift) {
    checks.push_back({"plate_shift_deviations", Rule::below, kShiftLimit,
                      "One plate (or all) off its place by d: the estimate of d over its standard deviation; 3 are "
                      "exceeded by 1 % of good trials, a plate."});
  }
  if (!judgement.adjustment->judged_after.force_z_unexplained) return;
  checks.push_back(
      {"force_z_unexplained_ratio", Rule::below, kUnexplainedLimit,
       "Forces of the same trial leave 4 to 28 % of their variation unexplained, those of another trial 75 to "
       "200 %."});
}

}  // namespace

std::vector<Check> trial_checks(const TrialAnalysis& analysis) {
  const bool has_plates = analysis.judgement.has_plates;
  std::vector<Check> checks;
  if (has_plates) add_plate_checks(analysis.judgement, checks);
  const bool fits = analysis.errors.rms_m < kMarkerLimit;
  if (has_plates || !fits) {
    checks.push_back({"marker_rms_m", Rule::below, kMarkerLimit,
                      "Markers of the body that is fitted leave 0.4 to 1 cm; more than 3.5 cm are another body, labels "
                      "with left and right exchanged, or a mirrored laboratory."});
  }
  if (analysis.distances && (has_plates || !analysis.distances->is_same_person())) {
    checks.push_back({"marker_distance_change_m", Rule::below, DistanceChange::kLimit,
                      "Soft tissue and noise changed the distances of one person's markers by 2 to 9 mm, another "
                      "person's static trial by 17 to 40 mm."});
  }
  if (has_plates || !analysis.cuts_s.empty()) {
    checks.push_back({"marker_cuts", Rule::equals, std::int64_t{0},
                      "Most markers cannot jump together: the recording is cut, or joined from two."});
  }
  return checks;
}

}  // namespace aplomb
