#include "doctor/recording_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json decision_json(const std::optional<Decision>& decision) {
  if (!decision) return nullptr;
  return {{"value", decision->value},
          {"sure", decision->is_sure},
          {"given", decision->is_given},
          {"evidence", decision->evidence}};
}

Json range_json(const Points& points, const FrameRange& range) {
  return {points.first_frame + range.first, points.first_frame + range.last};
}

Json frame_json(const Points& points, std::size_t frame) {
  return points.first_frame + static_cast<std::int64_t>(frame);
}

Json marker_json(const Points& points, const MarkerReport& marker) {
  Json gaps = Json::array(), jumps = Json::array();
  for (const FrameRange& gap : marker.gaps) gaps.push_back(range_json(points, gap));
  for (const std::size_t frame : marker.jumps) jumps.push_back(frame_json(points, frame));
  return {{"label", points.labels[marker.point]},
          {"missing_frames", marker.num_missing},
          {"interpolated_frames", points.seen_by.empty() ? Json(nullptr) : Json(marker.num_interpolated)},
          {"gaps", marker.num_gaps},
          {"longest_gap_frames", marker.longest_gap},
          {"gap_ranges", gaps},
          {"jumps", marker.num_jumps},
          {"jump_frames", jumps}};
}

void add_points(Json& document, const Recording& motion, const Examination& examination) {
  const Points& points = *motion.points();
  document["frames"] = points.num_frames;
  document["rate_hz"] = points.rate_hz;
  document["start_s"] = points.start_s;
  document["first_frame"] = points.first_frame;
  document["labels"] = points.labels;
  document["markers"] = Json::array();
  for (const MarkerReport& marker : examination.markers.markers)
    document["markers"].push_back(marker_json(points, marker));
  document["outlying_samples"] = examination.outliers.num_samples();
  document["outlying_frames"] = examination.outliers.num_frames();
  document["cuts"] = Json::array();
  for (const std::size_t frame : examination.outliers.cuts) document["cuts"].push_back(frame_json(points, frame));
  document["suspected_swaps"] = Json::array();
  for (const SuspectedSwap& swap : examination.markers.swaps) {
    document["suspected_swaps"].push_back(
        {{"markers", {points.labels[swap.a], points.labels[swap.b]}}, {"frame", frame_json(points, swap.frame)}});
  }
  document["suspected_labels"] = Json::array();
  for (const SuspectedLabel& fault : examination.markers.labels) {
    document["suspected_labels"].push_back({{"markers", {points.labels[fault.a], points.labels[fault.b]}},
                                            {"frames", range_json(points, fault.frames)},
                                            {"usual_m", fault.usual_m},
                                            {"found_m", fault.found_m}});
  }
}

Json plate_json(const ForcePlate& plate, const PlateReport& report) {
  const PlateInfo& info = plate.info();
  Json document = {{"name", info.name},
                   {"type", info.type > 0 ? Json(info.type) : Json(nullptr)},
                   {"rate_hz", info.rate_hz},
                   {"samples", plate.num_samples()}};
  document["corners_m"] = nullptr;
  if (info.corners) {
    document["corners_m"] = Json::array();
    for (const Eigen::Vector3d& corner : *info.corners) document["corners_m"].push_back(vector_json(corner));
  }
  document["origin_m"] = info.origin ? vector_json(*info.origin) : Json(nullptr);
  document["baseline_n"] = info.baseline_force ? vector_json(*info.baseline_force) : Json(nullptr);
  document["loaded_ratio"] = report.loaded_ratio;
  document["peak_n"] = report.peak_n;
  document["mean_loaded_n"] = or_null(report.mean_loaded_n);
  document["cop_inside_ratio"] = or_null(report.cop_inside_ratio);
  document["notes"] = info.notes;
  return document;
}

void add_forces(Json& document, const Recording& forces, const Examination& examination) {
  document["plates"] = Json::array();
  for (std::size_t i = 0; i < forces.forces.plates.size(); ++i) {
    document["plates"].push_back(plate_json(*forces.forces.plates[i], examination.plates[i]));
  }
  document["refused_plates"] = forces.forces.refused;
  std::optional<double> weight;
  if (examination.lag) weight = examination.lag->weight_n;
  if (examination.weight) weight = examination.weight->weight_n;
  document["body_weight_n"] = or_null(weight);
  document["body_mass_kg"] = weight ? Json(*weight / kStandardGravity) : Json(nullptr);
  document["body_weight_from"] = examination.weight ? Json("standing") : weight ? Json("motion") : Json(nullptr);
  document["stated_mass_kg"] = or_null(examination.stated_mass_kg);
  document["force_lag_s"] = examination.lag ? Json(examination.lag->lag_s) : Json(nullptr);
}

}  // namespace

std::string recording_json(const Recording& motion, const Recording& forces, const Examination& examination) {
  Json document = {{"file", motion.file.string()}, {"format", format_name(motion.format)}};
  if (motion.c3d) {
    const char* names[] = {"intel", "dec", "sgi"};
    document["processor"] = names[static_cast<int>(motion.c3d->processor) - static_cast<int>(Processor::intel)];
    document["storage"] = motion.c3d->is_real ? "real" : "integer";
    document["analog"] = {{"labels", motion.c3d->analog.labels},
                          {"rate_hz", motion.c3d->analog.rate_hz},
                          {"samples", motion.c3d->analog.num_samples()}};
  }
  if (const Table* table = motion.columns()) {
    document["columns"] = table->columns;
    document["rows"] = table->num_rows();
    if (motion.mot) {
      document["rate_hz"] = rate_of(*table, 0);
      document["in_degrees"] = motion.mot->in_degrees;
    }
  }
  document["unit"] = decision_json(motion.unit);
  document["up"] = decision_json(motion.up);
  if (motion.points() != nullptr) add_points(document, motion, examination);
  document["events"] = Json::array();
  for (const MotionEvent& event : motion.events()) {
    document["events"].push_back({{"label", event.label}, {"context", event.context}, {"time_s", event.time_s}});
  }
  add_forces(document, forces, examination);
  document["warnings"] = examination.warnings;
  return document.dump(2) + "\n";
}

}  // namespace aplomb
