#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "aplomb/control/failsafe/believed_state.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// Whether the robot is falling: how far its base leans, and whether its capture point (c + ċ/ω, in the horizontal
/// plane, ċ relative to the loaded soles) is so far outside its loaded soles that no ankle torque brings it back. The
/// capture point is looked at once the base leans by kWatchedTilt, and only while the feet carry the robot: the weight
/// on a seat, a wall or a hand is support of another kind.
class FallWatch {
 public:
  static constexpr double kWatchedTilt = 0.15;  ///< [rad]

  FallWatch(const RobotModel& model, const RobotState& start, const RobotState& standing);
  void update(const BelievedState& believed);  ///< one tick; never allocates

  bool is_tilted() const;
  bool is_capture_point_lost() const;
  bool is_carried_elsewhere() const { return is_carried_elsewhere_; }  ///< the feet carry less than most of the weight

 private:
  struct Foot {
    Side side{};
    int body = 0;
    std::array<Eigen::Vector3d, 4> corners;  ///< of the sole, in the body's frame [m]
  };
  double capture_margin(const BelievedState& believed);

  double height_, omega_;
  Eigen::Vector3d up_at_start_;  ///< in the base's frame
  TreeKinematics kinematics_;
  std::vector<Foot> feet_;
  SupportRegion support_;
  std::vector<Eigen::Vector2d> points_;
  Eigen::VectorXd moved_;
  bool is_carried_elsewhere_ = false;
  int tilted_ticks_ = 0, lost_ticks_ = 0;
};

}  // namespace aplomb
