#include "aplomb/present/demonstrator_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

std::string segments_text(const Skeleton& skeleton) {
  std::string text =
      "segment,parent,joint_x_m,joint_y_m,joint_z_m,scale_x,scale_y,scale_z,mass_kg,com_x_m,com_y_m,com_z_m\n";
  for (const Segment& segment : skeleton.segments) {
    const Inertia& inertia = segment.inertia;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", segment.name,
                        segment.parent < 0 ? "" : skeleton.segments[static_cast<std::size_t>(segment.parent)].name,
                        segment.joint.x(), segment.joint.y(), segment.joint.z(), segment.scale.x(), segment.scale.y(),
                        segment.scale.z(), inertia.mass, inertia.com.x(), inertia.com.y(), inertia.com.z());
  }
  return text;
}

std::string markers_text(const std::vector<AttachedMarker>& markers) {
  std::string text = "label,segment,x_m,y_m,z_m\n";
  for (const AttachedMarker& marker : markers) {
    text += fmt::format("{},{},{},{},{}\n", marker.label, marker.segment, marker.position.x(), marker.position.y(),
                        marker.position.z());
  }
  return text;
}

std::string events_text(const std::vector<MotionEvent>& events) {
  std::string text = "event,time_s\n";
  for (const MotionEvent& event : events) text += fmt::format("{},{}\n", event.label, event.time_s);
  return text;
}

std::string swaps_text(const std::vector<LabelSwap>& swaps) {
  std::string text = "first,second,from_frame,to_frame\n";
  for (const LabelSwap& swap : swaps) text += fmt::format("{},{},{},{}\n", swap.first, swap.second, swap.from, swap.to);
  return text;
}

std::vector<std::string> truth_columns(const RobotModel& robot) {
  std::vector<std::string> names{"time_s",         "com_x_m",        "com_y_m", "com_z_m", "com_vx_m_per_s",
                                 "com_vy_m_per_s", "com_vz_m_per_s", "zmp_x_m", "zmp_y_m"};
  for (const char* plate : {"feet", "seat"}) {
    for (const char* part : {"fx_n", "fy_n", "fz_n", "cop_x_m", "cop_y_m", "mz_nm"})
      names.push_back(fmt::format("{}_{}", plate, part));
  }
  names.insert(names.end(), {"seat_share", "hand_share", "hip_x_m", "hip_y_m", "hip_z_m", "pelvis_qx", "pelvis_qy",
                             "pelvis_qz", "pelvis_qw"});
  for (const Joint& joint : robot.joints()) names.push_back(joint.name + "_rad");
  return names;
}

void append_plate(std::vector<double>& row, const PlateTruth& plate, Eigen::Index sample) {
  for (int axis = 0; axis < 3; ++axis) row.push_back(plate.force(axis, sample));
  row.insert(row.end(), {plate.cop(0, sample), plate.cop(1, sample), plate.free_moment[sample]});
}

/// Largest change of the seat's load fraction from one sample to the next.
double largest_step(const Eigen::RowVectorXd& share) {
  double largest = 0.0;
  for (Eigen::Index i = 1; i < share.size(); ++i) largest = std::max(largest, std::abs(share[i] - share[i - 1]));
  return largest;
}

}  // namespace

Log truth_of(const Demonstration& all) {
  const RobotModel robot = human_robot(all.skeleton);
  Log log(truth_columns(robot));
  log.reserve(static_cast<std::size_t>(all.motion.num_frames()));
  std::vector<double> row;
  for (Eigen::Index frame = 0; frame < all.motion.num_frames(); ++frame) {
    const Eigen::Index sample = all.sample_of(frame);
    row = {all.motion.time_s(frame)};
    for (int axis = 0; axis < 3; ++axis) row.push_back(all.forces.com(axis, sample));
    for (int axis = 0; axis < 3; ++axis) row.push_back(all.forces.com_velocity(axis, sample));
    row.insert(row.end(), {all.zmp(0, sample), all.zmp(1, sample)});
    append_plate(row, all.feet, sample);
    append_plate(row, all.seat, sample);
    row.insert(row.end(), {all.seat_share[sample], all.hand_share[sample]});
    for (Eigen::Index i = 0; i < all.motion.q.rows(); ++i) row.push_back(all.motion.q(i, frame));
    log.append(row);
  }
  return log;
}

void write_truth(const Demonstration& all, const DemonstratedRecording& recording,
                 const std::filesystem::path& folder) {
  write_csv(truth_of(all), folder / "motion.csv");
  write_file(folder / "scales.csv", segments_text(all.skeleton));
  write_file(folder / "markers.csv", markers_text(all.markers));
  write_file(folder / "events.csv", events_text(recording.c3d.events));
  write_file(folder / "swaps.csv", swaps_text(recording.swaps));
  write_file(folder / "human.urdf", skeleton_urdf(all.skeleton, /*has_mimics=*/false));
}

Result describe(const Demonstration& all, const DemonstratedRecording& recording) {
  Result result{.verb = "demonstrate", .scenario = all.options.style};
  result.provenance = {
      .version = version(), .commit = commit(), .seed = static_cast<std::int64_t>(all.options.person.seed)};
  Metrics& metrics = result.metrics;
  const auto vertical = all.forces.force.row(2);
  const double weight = all.skeleton.mass * kGravity;
  const Eigen::RowVectorXd sideways = all.forces.force.topRows(2).colwise().norm();
  const auto com = all.forces.com;
  metrics.set("frames", static_cast<std::int64_t>(all.motion.num_frames()));
  metrics.set("duration_s", static_cast<double>(all.motion.num_frames()) / all.motion.rate_hz);
  metrics.set("zmp_margin_min_m", all.zmp_margin_m);
  metrics.set("vertical_force_min_per_weight", vertical.minCoeff() / weight);
  metrics.set("vertical_force_max_per_weight", vertical.maxCoeff() / weight);
  metrics.set("friction_needed", sideways.cwiseQuotient(vertical).maxCoeff());
  metrics.set("seat_share_start", all.seat_share[0]);
  metrics.set("seat_share_step_max", largest_step(all.seat_share));
  metrics.set("seat_off_times_s", all.seat_off_s);
  metrics.set("seat_on_times_s", all.seat_on_s);
  metrics.set("hand_share_max", all.hand_share.maxCoeff());
  metrics.set("hands_off_times_s", all.hands_off_s);
  if (all.chair_height_m > 0.0)
    metrics.set("chair_height_m", all.chair_height_m);
  else
    metrics.set("chair_height_m", {});
  metrics.set("com_dip_m", com(2, 0) - com.row(2).minCoeff());
  metrics.set("com_end_back_m", com.row(0).maxCoeff() - com(0, com.cols() - 1));
  metrics.set("zmp_repairs", static_cast<std::int64_t>(all.iterations));
  metrics.set("markers", static_cast<std::int64_t>(recording.c3d.points.num_points()));
  metrics.set("marker_samples_lost", static_cast<std::int64_t>(recording.num_gaps));
  metrics.set("label_swaps", static_cast<std::int64_t>(recording.swaps.size()));
  return result;
}

}  // namespace aplomb
