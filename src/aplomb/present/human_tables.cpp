#include "aplomb/present/human_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aplomb {
namespace {

std::string millimetres(double metres) { return fmt::format("{:.1f}", 1e3 * metres); }

std::vector<std::string> cop_row(const std::string& name, const PlateAgreement& agreement) {
  const auto three = [](const ErrorFigures& one) {
    return fmt::format("{} / {} / {}", millimetres(one.rms), millimetres(one.p95), millimetres(one.max));
  };
  return {name,
          three(agreement.cop_x),
          three(agreement.cop_y),
          fmt::format("{:.1f}", agreement.force_x.rms),
          fmt::format("{:.1f}", agreement.force_z.rms),
          fmt::format("{}", agreement.num_frames)};
}

std::string time_text(const std::optional<double>& time) { return time ? fmt::format("{:.2f}", *time) : "-"; }

}  // namespace

PageTable plates_table(const MassAdjustment& adjustment) {
  PageTable table{
      .title = "Predicted against measured ground force",
      .about =
          "CoP: root mean square / 95th percentile / largest, in mm; forces: root mean square, in N. "
          "The masses were adjusted on the fitted windows and judged on the others.",
      .header = {"", "CoP forward [mm]", "CoP sideways [mm]", "force forward [N]", "force up [N]", "frames"}};
  table.rows.push_back(cop_row("mean body, all windows", adjustment.before));
  table.rows.push_back(cop_row("adjusted, all windows", adjustment.after));
  table.rows.push_back(cop_row("mean body, judged windows", adjustment.judged_before));
  table.rows.push_back(cop_row("adjusted, judged windows", adjustment.judged_after));
  return table;
}

PageTable rises_table(const PlateJudgement& judgement) {
  PageTable table{.title = "Rises from the seat",
                  .about = fmt::format("Told by the {}; beside it what the motion alone tells.",
                                       seat_evidence_name(judgement.rises.evidence)),
                  .header = {"rise", "seat-off [s]", "seat-on [s]", "seat-off, motion [s]", "seat-on, motion [s]",
                             "left hand off its rest [s]", "right hand off its rest [s]"}};
  const auto& rises = judgement.rises.rises;
  const auto& moved = judgement.motion_rises.rises;
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const bool has_motion = moved.size() == rises.size();
    table.rows.push_back({fmt::format("{}", i + 1), time_text(rises[i].seat_off_s), time_text(rises[i].seat_on_s),
                          has_motion ? time_text(moved[i].seat_off_s) : "-",
                          has_motion ? time_text(moved[i].seat_on_s) : "-", time_text(rises[i].hands.off_s[0]),
                          time_text(rises[i].hands.off_s[1])});
  }
  return table;
}

PageTable marker_table(const MarkerErrors& errors) {
  PageTable table{.title = "Error by marker",
                  .about = "Distance of the measured marker from the body's; the worst first.",
                  .header = {"marker", "segment", "RMS [mm]", "largest [mm]", "frames seen"}};
  std::vector<MarkerErrors::One> sorted = errors.markers;
  std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.rms_m > b.rms_m; });
  for (const MarkerErrors::One& one : sorted) {
    table.rows.push_back(
        {one.label, one.segment, millimetres(one.rms_m), millimetres(one.max_m), fmt::format("{}", one.frames)});
  }
  return table;
}

PageTable fault_table(const TrialAnalysis& analysis) {
  PageTable table{.title = "Label faults",
                  .about =
                      "Swapped labels, and markers more than 6 cm from where the body has them. Both hardly count in "
                      "the fit.",
                  .header = {"what", "label", "with", "frames", "time [s]", "largest [mm]"}};
  const HumanMotion& motion = analysis.fit.motion;
  for (const LabelFault& fault : analysis.faults) {
    table.rows.push_back({fault.other.empty() ? "off" : "swapped", fault.label, fault.other.empty() ? "-" : fault.other,
                          fmt::format("{} to {}", fault.first_frame + 1, fault.last_frame + 1),
                          fmt::format("{:.2f} to {:.2f}", motion.time_s(static_cast<Eigen::Index>(fault.first_frame)),
                                      motion.time_s(static_cast<Eigen::Index>(fault.last_frame))),
                          millimetres(fault.distance_m)});
  }
  return table;
}

PageTable size_table(const Skeleton& skeleton) {
  PageTable table{.title = "Size and mass of the segments",
                  .about =
                      "The distance of a segment's joint from its parent's, and its mass. Left and right are alike "
                      "in size.",
                  .header = {"segment", "joint from parent [mm]", "mass [kg]"}};
  for (const Segment& segment : skeleton.segments) {
    if (segment.name.starts_with("right_")) continue;
    table.rows.push_back(
        {segment.name, millimetres(segment.joint.norm()), fmt::format("{:.2f}", segment.inertia.mass)});
  }
  return table;
}

PageTable unknown_table(const std::vector<UnknownLabel>& unknown) {
  PageTable table{.title = "Labels that no marker set explains",
                  .about =
                      "Attached to the segment on which the label moves least, when that is rigid (3 cm) and "
                      "clearly better (0.8) than the next.",
                  .header = {"label", "rides on", "moves there [mm]", "next best", "moves there [mm]", "used"}};
  for (const UnknownLabel& one : unknown) {
    if (one.segment.empty()) {
      table.rows.push_back({one.label, "-", "-", "-", "-", "no: hardly seen"});
    } else {
      table.rows.push_back({one.label, one.segment, millimetres(one.deviation_m), one.second_segment,
                            millimetres(one.second_deviation_m), one.is_attached ? "yes" : "no"});
    }
  }
  return table;
}

}  // namespace aplomb
