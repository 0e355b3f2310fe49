#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/demonstrator/motion/arms.hpp"
#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// Prescribed coordinates; the rest of the posture follows.
struct Pose {
  Eigen::Vector3d hip =
      Eigen::Vector3d::Zero();  ///< mid-point of the hip joints, from the floor between the ankles [m]
  double trunk = 0.0;           ///< forward pitch of the thorax [rad]
  double held = 0.0;            ///< blend of the arms: 1 on the arm rests, 0 hanging
  /// Wrist positions on the arm rests, left and right [m].
  std::array<Eigen::Vector3d, 2> wrists = zero_array<Eigen::Vector3d, 2>();
  double reach = 0.0;  ///< flexion of the shoulders for reaching forward, more than that of hanging arms [rad]
  /// Displacement of the left and the right foot from where they stand at first [m].
  std::array<Eigen::Vector3d, 2> feet = zero_array<Eigen::Vector3d, 2>();
};

/// Individual posture parameters without influence on the balance.
struct Habits {
  double stance = 1.1;                ///< distance of the ankles, as a fraction of the hips' distance
  double toe_out = 0.12;              ///< [rad]
  double bending = 0.0, twist = 0.0;  ///< of the trunk to the right and to the left, as fractions of its forward pitch
  double sway = 0.0;  ///< lateral hip motion in the middle of a rise, as a fraction of the rise's height
  std::array<double, 2> abduction{0.12, 0.12};  ///< of the arms, left and right [rad]
  std::array<double, 2> elbow{0.35, 0.35};      ///< flexion [rad]
  std::array<double, 2> pronation{0.6, 0.6};    ///< [rad]
};

Habits draw_habits(std::uint64_t seed);

/// Postures of the light skeleton with both feet level, on the floor (z = 0) unless displaced, the origin between the
/// ankles where they stand at first, x forward, y left. The pelvis takes 60 % of the trunk's pitch, the spine 40 %; the
/// head looks ahead, the arms hang or rest.
class PostureMaker {
 public:
  PostureMaker(const Skeleton& skeleton, const RobotModel& robot, const Habits& habits);

  /// q of the robot. The legs are solved in closed form; a hip out of reach gives straight legs.
  Eigen::VectorXd posture(const Pose& pose) const;
  /// Upright, arms hanging, feet flat: for the static trial.
  Eigen::VectorXd neutral() const;

  double thigh_length() const { return thigh_length_; }
  double shank_length() const { return shank_length_; }
  double ankle_height() const { return ankle_height_; }
  double half_stance() const { return half_stance_; }  ///< half of the distance of the ankles [m]
  /// Height of the hips above the ankles for this knee flexion and these horizontal offsets of the hips.
  double hip_height(double knee, double forward, double sideways) const;
  /// The corners of both soles on the floor, where they stand at first [m].
  const std::vector<Eigen::Vector2d>& sole_corners() const { return sole_corners_; }
  /// The corners of one sole.
  std::span<const Eigen::Vector2d> sole_corners(std::size_t side) const {
    return std::span(sole_corners_).subspan(side * sole_corners_.size() / 2, sole_corners_.size() / 2);
  }

 private:
  using Indices = std::vector<Eigen::Index>;  ///< into q

  void set_arms(Eigen::VectorXd& q, double trunk, double reach) const;
  void set_leg(Eigen::VectorXd& q, std::size_t side, const Eigen::Isometry3d& T_world_pelvis,
               const Eigen::Vector3d& displacement) const;

  Eigen::Index num_q_;
  Habits habits_;
  ReachingArms reaching_;
  Indices spine_;
  std::array<Indices, 2> arms_, legs_;  ///< left, right
  double half_hips_ = 0.0, half_stance_ = 0.0;
  double thigh_length_ = 0.0, shank_length_ = 0.0, ankle_height_ = 0.0;
  std::array<Eigen::Isometry3d, 2> T_world_foot_;
  std::vector<Eigen::Vector2d> sole_corners_;
};

}  // namespace aplomb
