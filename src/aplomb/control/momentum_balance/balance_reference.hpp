#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/control/fallbacks.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// References of a momentum balance for one tick.
struct BalanceReference {
  /// A contact whose force is a prescribed share of the total contact force: a seat, a hand on an arm rest.
  struct Load {
    FrameId frame{};
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< point of application, world frame [m]
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< force on the robot, world frame [N]
    double availability = 0.0;
  };
  explicit BalanceReference(const Eigen::VectorXd& posture)
      : angle(posture), rate(Eigen::VectorXd::Zero(posture.size())), acceleration(rate) {}

  ComTarget com;
  double height_gain = 1.0;                                         ///< factor of the CoM's vertical stiffness
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();       ///< k* about the CoM [N m s]
  Eigen::Vector3d angular_momentum_rate = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::VectorXd angle, rate, acceleration;                        ///< joint references [rad], [rad/s], [rad/s²]
  std::vector<Load> loads;                                          ///< their number and frames never change
  bool is_seated = false;                                           ///< a seat carries a part of the weight
};

/// Source of a momentum balance's references: a posture and a CoM path, or a plan.
class ReferenceSource {
 public:
  virtual ~ReferenceSource() = default;
  /// Weight of each joint's posture error, d in JointAccelerations. Allocates.
  virtual Eigen::VectorXd posture_weight() const = 0;
  /// Call once per tick. `terms` must hold the frames of the loads. Never allocates.
  virtual void update(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) = 0;
  /// Sets the forces of the loads, given the total contact force [N].
  virtual void distribute(const Eigen::Vector3d& total_force) = 0;
  virtual const BalanceReference& reference() const = 0;
};

}  // namespace aplomb
