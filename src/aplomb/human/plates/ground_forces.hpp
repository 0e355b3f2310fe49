#pragma once

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/recording/force_plate.hpp"

namespace aplomb {

/// What stands on a plate. `both_feet`: one plate under two feet, whose parts nobody can tell. `other`: pressed far
/// from feet and seat.
enum class PlateLoad { none, left_foot, right_foot, both_feet, seat, other };
const char* plate_load_name(PlateLoad load);  ///< "left foot", "seat"

/// One plate on the frames of the motion, in the motion's frame.
struct PlateTrack {
  std::string name;
  double height = 0.0;                    ///< of its surface: mean height of its CoP, by load [m]
  Matrix3Xd force;                        ///< on the body, filtered [N]
  Matrix3Xd moment;                       ///< about the frame's origin, filtered alike [N m]
  Eigen::VectorXd quick_force;            ///< vertical, filtered at kQuickHz only: for events [N]
  std::vector<PlateLoad> load;            ///< by frame
  PlateLoad main_load = PlateLoad::none;  ///< what carried most on it

  Wrench wrench(Eigen::Index frame) const { return {force.col(frame), moment.col(frame)}; }
};

/// All plates of a recording beside the motion.
struct GroundForces {
  double cutoff_hz = 0.0;
  double lag_s = 0.0;
  double plane_height = 0.0;  ///< of the foot plates, by load: where CoPs are compared [m]
  std::vector<PlateTrack> plates;
  std::vector<char> is_seen;       ///< by frame: the plates were recorded then, with finite values
  std::vector<std::string> notes;  ///< what surprises

  static constexpr double kQuickHz = 20.0;

  bool has(PlateLoad load) const;
  Wrench sum(Eigen::Index frame) const;  ///< of all plates
  Wrench sum(Eigen::Index frame, PlateLoad load) const;
  Eigen::VectorXd vertical() const;  ///< of all plates together, filtered [N]
};

struct GroundForceOptions {
  double cutoff_hz = 4.0;
  double lag_s = 0.0;  ///< how much later the plates tell than the markers [s]
  Eigen::Isometry3d T_motion_lab = Eigen::Isometry3d::Identity();  ///< from the recording's frame to the motion's
};

/// Filters force and moment of every plate at the plate's own rate, turns them into the motion's frame and takes them
/// at the motion's times. Which foot, or whether a seat, stands on a plate is told by where its CoP is, for each time
/// that it is loaded anew.
GroundForces ground_forces(const std::vector<std::unique_ptr<ForcePlate>>& plates, const SegmentMotion& segments,
                           const GroundForceOptions& options);

}  // namespace aplomb
