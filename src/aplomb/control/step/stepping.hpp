#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/step/step_planner.hpp"
#include "aplomb/control/step/step_reach.hpp"
#include "aplomb/control/step/swing_foot.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// Steps of a balancing robot: when one is needed, which foot, where it goes and when it lands, and the CoP until then.
/// - Standing: the capture point against the support region. What the CoP cannot hold, rotating trunk and arms can as
///   far as they go; beyond that a step begins.
/// - Swing: StepPlanner again in every tick, SwingFoot after its target, until the foot's own sensor measures contact
///   or, where it does not answer, the planned time has come.
/// - Landing: both feet carry; when the new foot may bear its full load, it stands, or the other foot steps.
class Stepping {
 public:
  enum class Phase { standing, swing, landing };
  /// What is measured in this tick, by side.
  struct Measured {
    double time_s = 0.0;
    std::array<FrameId, 2> frames{};                    ///< of the feet, in `terms`
    std::span<const Contact> contacts;                  ///< left foot, right foot, then others
    std::array<std::optional<double>, 2> normal_force;  ///< [N]; absent when the sensor does not answer
    const SupportRegion* support = nullptr;             ///< of the soles that carry
  };
  /// A step that was taken, or is being taken.
  struct Step {
    Side side = kLeft;
    double begin_s = 0.0;
    std::optional<double> land_s;
    Eigen::Vector2d from = Eigen::Vector2d::Zero(), to = Eigen::Vector2d::Zero();  ///< sole centre, in the world [m]
    double beyond = 0.0;      ///< distance of the capture point outside the support when it began [m]
    bool is_closing = false;  ///< it puts the feet side by side
    double lunge = 0.0;       ///< how much of that trunk and arms could make up for [m]
  };
  /// Motion that a swing foot should have: of its frame's origin, in the world.
  struct Swing {
    Side side = kLeft;
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), acceleration = Eigen::Vector3d::Zero();
  };

  Stepping(const RobotModel& model, const RobotState& start);  ///< allocates; `model` must outlive this object

  void update(const RobotTerms& terms, const Measured& measured);  ///< once per tick; never allocates

  Phase phase() const { return phase_; }
  bool has_stepped() const { return num_steps_ > 0; }
  const std::optional<Swing>& swing() const { return swing_motion_; }  ///< the foot in the air
  /// CoP that the step wants, in the world; absent while standing, where the balance itself chooses.
  const std::optional<Eigen::Vector2d>& cop() const { return cop_; }
  double omega() const { return omega_; }
  double ground() const { return ground_; }  ///< height of the ground under the stance foot [m]
  /// Height of the CoM above the ground at which both legs reach their feet [m].
  double com_height() const { return com_height_; }
  const Eigen::Vector2d& capture_point() const { return capture_point_; }  ///< in the world [m]
  const Eigen::Vector3d& target() const { return target_; }  ///< where the sole centre of the swing foot goes [m]
  double left_s() const { return left_s_; }                  ///< until it lands
  double capture_margin() const { return capture_margin_; }  ///< of the capture point inside the support [m]
  double lunge() const { return lunge_; }  ///< by how much the rotation of trunk and arms can make up for it [m]
  std::span<const Step> steps() const { return {steps_.data(), std::min(num_steps_, kMostSteps)}; }
  std::size_t num_steps() const { return num_steps_; }

  static constexpr std::size_t kMostSteps = 16;  // that are recorded

 private:
  void see(const RobotTerms& terms, const Measured& measured);
  bool needs_step() const;
  /// Whether the feet are so far apart that the robot should put them side by side again.
  bool is_apart(const Measured& measured) const;
  void begin(const RobotTerms& terms, const Measured& measured, std::optional<Side> side);
  StepPlanner::Request request(const Measured& measured, Side swing) const;
  void follow_swing(const Measured& measured);
  void land(const Measured& measured);
  void set_landing_cop(const Measured& measured);

  const RobotModel* model_;
  StepReach reach_;
  double start_height_, weight_;
  std::array<Eigen::Matrix3d, 2> R_stance_swing_;  ///< by swing side: orientation of that foot in the other's frame
  std::array<StepPlanner, 2> planners_;            ///< by swing side
  SwingFoot foot_;
  Phase phase_ = Phase::standing;
  Side side_ = kLeft;  ///< of the present or last step
  double phase_begin_s_ = 0.0, left_s_ = 0.0;
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R_target_ = Eigen::Matrix3d::Identity();
  double omega_ = 3.5, ground_ = 0.0, com_height_ = 1.0;
  Eigen::Vector2d capture_point_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d com_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d com_velocity_ = Eigen::Vector2d::Zero();
  double capture_margin_ = 0.0, lunge_ = 0.0;
  int beyond_ticks_ = 0;
  bool is_closing_ = false;  ///< the step puts the feet side by side; none is needed to keep the balance
  std::optional<Eigen::Vector2d> cop_;
  std::optional<Swing> swing_motion_;
  std::array<Step, kMostSteps> steps_;
  std::size_t num_steps_ = 0;
};

}  // namespace aplomb
