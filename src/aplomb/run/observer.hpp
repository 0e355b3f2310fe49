#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "aplomb/core/math/filter.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/support_region.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {

inline constexpr double kCopCutoff = 20.0;  ///< [Hz] of the low-pass of each foot's CoP

/// What the simulator's truth says at one tick; what a run logs and judges. NaN where a quantity does not exist.
struct Observation {
  double time_s = 0.0;
  Eigen::Vector3d com, com_velocity, com_reference;    ///< [m], [m/s], [m]
  double com_error = 0.0;                              ///< over the coordinates that the reference prescribes [m]
  std::array<Wrench, 2> foot_wrench;                   ///< in the foot's frame, about its origin
  std::array<bool, 2> is_loaded{};                     ///< the foot carries over 5 % of the weight
  std::array<Eigen::Vector2d, 2> cop;                  ///< of each foot, in its frame, 20 Hz low-pass [m]
  std::array<double, 2> cop_margin{};                  ///< to the sole's edge [m]
  std::array<Eigen::Vector3d, 2> sole_in_ground;       ///< the sole's centre, in the frame of the ground under it [m]
  std::array<Eigen::Isometry3d, 2> T_world_foot;       ///< of the feet that have a sole
  std::array<Eigen::Vector3d, 2> hand, hand_velocity;  ///< each hand's frame [m], [m/s], world
  std::array<Eigen::Vector3d, 2> hand_force;           ///< what the world does to each hand [N], world
  Eigen::Vector2d zmp;                                 ///< of the whole body, on the floor [m]
  Eigen::Vector2d raw_zmp;                             ///< the same without a filter, of the feet alone [m]
  double zmp_margin = 0.0;                             ///< to the support polygon [m]
  double trunk_tilt = 0.0;                             ///< angle from the planned orientation [rad]
  bool has_fallen = false;
  Eigen::Vector3d pelvis;                                    ///< its origin [m]
  Eigen::Vector3d planned_pelvis = Eigen::Vector3d::Zero();  ///< where a plan wants it [m]
  Eigen::Vector3d com_person = Eigen::Vector3d::Zero();      ///< as of PlanSample [m]
  Eigen::Vector2d planned_zmp = Eigen::Vector2d::Zero();     ///< [m]
  double seat_force = 0.0;                                   ///< upwards [N]
  /// Planned force of the seat and of each foot (upwards) and of each hand (as hand_force); NaN when the plan has no
  /// such wrench [N].
  double planned_seat_force = NAN;
  std::array<double, 2> planned_foot_force = {NAN, NAN};
  std::array<Eigen::Vector3d, 2> planned_hand_force = {Eigen::Vector3d::Constant(NAN), Eigen::Vector3d::Constant(NAN)};

  Eigen::Vector3d push;                          ///< [N], world
  Eigen::VectorXd commanded_torque;              ///< by the drives' law at this tick, within limits [N m]
  std::array<Eigen::Vector2d, 2> commanded_cop;  ///< of each foot, in its frame; not a number: none [m]
};

/// Computes an Observation a tick, from the simulation's true state and the plan: the start posture, held, or a motion.
/// Allocates nothing after its constructor.
class Observer {
 public:
  /// `simulation` has been started; its present state is the plan. `robot` is the simulated one; both outlive this.
  Observer(const RobotModel& robot, const Simulation& simulation, const ComReference& com_reference,
           std::vector<Payload> payloads = {}, std::optional<PlanPlayer> plan = {});

  const Observation& observe(const Command& command);
  const Observation& last() const { return now_; }

 private:
  void plan_now();
  void observe_com();
  void observe_feet();
  void observe_hands();
  void observe_com_error();
  void observe_zmp();
  bool has_fallen() const;

  const RobotModel* robot_;
  const Simulation* simulation_;
  FrameId pelvis_, trunk_;
  std::optional<FrameId> head_;
  std::array<std::optional<FrameId>, 2> feet_, hands_;
  RobotTerms terms_;
  ComReference com_reference_;
  double planned_pelvis_height_ = 0.0, planned_head_height_ = 0.0;
  Eigen::Matrix3d planned_trunk_ = Eigen::Matrix3d::Identity();
  std::vector<Payload> payloads_;
  std::optional<PlanPlayer> plan_;
  RobotState planned_;
  std::optional<RobotTerms> planned_terms_;
  std::array<LowPass<6>, 2> wrench_filter_;
  SupportRegion support_;  ///< of the loaded feet
  Observation now_;
};

}  // namespace aplomb
