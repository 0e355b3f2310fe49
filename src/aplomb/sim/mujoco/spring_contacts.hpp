#pragma once

// Private to sim/.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/sim/mujoco/engine.hpp"

namespace aplomb {

/// Contacts that are physical springs and dampers, in N/m and N s/m: the corners of the soles and the hands against
/// those surfaces of the world that have a spring.
///   normal      f_n = max(0, k d − c ḋ),  d the depth
///   tangential  a spring and a damper to the point where it first touched; that point is dragged along where the
///               force would leave the friction cone |f_t| ≤ μ f_n
class SpringContacts {
 public:
  SpringContacts(const RobotModel& robot, const World& world, const MujocoModel& built);

  bool is_needed() const { return !points_.empty() && !surfaces_.empty(); }
  /// The largest physics step [s] at which the springs and dampers are integrated stably, with the robot where it is:
  /// explicit damping at a rate λ needs a step well below 2/λ.
  double stable_step(const Engine& engine) const;
  void release();              ///< forgets the anchors of all points
  void apply(Engine& engine);  ///< between mj_step1 and mj_step2; adds to xfrc_applied

  /// Spring wrench on each foot and hand at the last step: world axes, about the world's origin.
  const std::array<Wrench, 2>& on_feet() const { return on_feet_; }
  const std::array<Wrench, 2>& on_hands() const { return on_hands_; }
  const std::array<std::array<double, 4>, 2>& corner_force() const { return corner_force_; }  ///< along the foot's z
  void set_ground_friction(int side, double friction);  ///< of the floor under a foot
  void set_floor_friction(double friction);             ///< of the floor where hands touch it
  void set_ground_lost(int side, bool is_lost);         ///< the floor under a foot carries nothing
  void set_hand_lost(int side, bool is_lost) { is_hand_lost_[side] = is_lost; }  ///< what a hand touches

 private:
  struct Point {
    int body = 0;
    Eigen::Vector3d in_body = Eigen::Vector3d::Zero();
    double share = 1.0;  ///< fraction of its patch's stiffness
    bool is_foot = false;
    int side = kLeft;
    std::size_t corner = 0;                                 ///< of a foot
    Eigen::Vector3d up_in_body = Eigen::Vector3d::UnitZ();  ///< the foot's z
  };
  struct SpringSurface {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
    Eigen::Vector3d box_size = Eigen::Vector3d::Zero();  ///< zero: a plane
    double friction = 0.8;
    Spring spring;
    std::array<bool, 2> meets_foot{true, true};
    bool meets_hands = true;
    std::optional<int> ground_of;  ///< it is the floor under this foot
    bool is_floor = false;
    bool is_lost = false;  ///< carries nothing at present

    double depth(const Eigen::Vector3d& point, Eigen::Vector3d& outward) const;  ///< positive inside
  };
  struct Touch {
    bool is_touching = false;
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
  };
  void add_floor(const World& world);
  void add_point(const RobotModel& robot, const MujocoModel& built, const std::string& link, Point point);
  bool meets(const Point& point, const SpringSurface& surface) const;
  Eigen::Vector3d force(const SpringSurface& surface, double share, const Eigen::Vector3d& point,
                        const Eigen::Vector3d& velocity, Touch& touch) const;

  std::vector<Point> points_;
  std::vector<SpringSurface> surfaces_;
  std::vector<Touch> touches_;  ///< of each point with each surface
  std::array<bool, 2> is_hand_lost_{};
  std::array<Wrench, 2> on_feet_, on_hands_;
  std::array<std::array<double, 4>, 2> corner_force_{};
};

}  // namespace aplomb
