#pragma once

#include <Eigen/Core>

#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// The same estimate as a recursive filter: one body's parameters follow the readings while the robot moves. The state
/// is the body's log-Cholesky θ, so that it is possible by construction; readings are the net contact wrench,
/// y = K(q, v, v̇) φ(θ) + e, in an extended Kalman filter with H = K ∂φ/∂θ. Between readings θ walks (mass and CoM,
/// hardly its shape) and leaks back to the model's. Wrench errors of neighbouring ticks are alike, since control and
/// contact ring: a tick counts as its share of 10 ms. A horizontal force that the motion does not explain is a push,
/// not a payload: while there is one, nothing is learnt.
class PayloadFilter {
 public:
  struct Settings {
    double force_n = 5.0;           ///< deviation of the net force
    double moment_nm = 3.0;         ///< deviation of the net moment
    double mass_walk_kg = 0.6;      ///< of the mass, per √s: how fast a payload may come
    double moment_walk_kgm = 0.06;  ///< of h = m c, per √s
    double prior_time_s = 60.0;     ///< after so long without information θ has gone back to the model's
  };
  /// `model` must outlive this object. `link`: the body that a payload is handed to. Throws UnknownName.
  PayloadFilter(const RobotModel& model, FrameId link, const Settings& settings);

  /// One tick: the measured state, its acceleration, the feet's and hands' wrenches as sensed.
  void update(const RobotState& state, const Eigen::VectorXd& acceleration, const SensorReadings& readings, double dt);

  ModelCorrection correction() const { return {.body = body_, .inertia = inertia()}; }
  LinkParameters parameters() const { return from_log_cholesky(theta_); }  ///< of the body with what it carries
  double added_mass() const { return parameters()[0] - nominal_[0]; }      ///< [kg]
  Inertia inertia() const { return to_inertia(parameters()); }
  /// How far the whole robot's CoM is from the model's, in world axes, at the last update. [m]
  Eigen::Vector3d com_correction() const { return com_correction_; }

 private:
  void predict(double dt);
  void read_wrenches(const SensorReadings& readings);
  void correct(const Vector6d& error, double dt);
  void update_com_correction();

  const RobotModel* model_;
  Settings settings_;
  struct Contact {
    FrameId link{};
    bool is_hand = false;
    std::size_t side = 0;
  };
  int body_;
  std::vector<Contact> contacts_;  ///< feet and hands that the robot has
  BodyMotions motions_;
  RegressorColumns all_, one_;
  Eigen::MatrixXd K_all_, K_one_;
  Eigen::VectorXd phi_all_, known_;
  LinkParameters nominal_, theta_nominal_, theta_;
  Eigen::Matrix<double, 10, 10> covariance_;
  Eigen::Vector3d com_correction_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb
