#pragma once

#include <Eigen/Core>
#include <memory>

#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Recursive estimate of a payload: the inertial parameters of one body follow the readings while the robot moves. The
/// state is the body's log-Cholesky θ, so that every estimate is physically consistent. The measurement is the net
/// contact wrench, y = K(q, v, v̇) φ(θ) + e, in an extended Kalman filter with H = K ∂φ/∂θ. Between readings θ is a
/// random walk (mass and CoM; the shape hardly moves) that decays to the model's value. Wrench errors of neighbouring
/// ticks are correlated, since control and contact oscillate: a tick counts as its fraction of 10 ms. A horizontal
/// force that the motion does not explain is a push, not a payload: while it lasts the estimate is not updated.
class PayloadFilter {
 public:
  struct Settings {
    double force_n = 5.0;           ///< standard deviation of the net force
    double moment_nm = 3.0;         ///< standard deviation of the net moment
    double mass_walk_kg = 0.6;      ///< random walk of the mass, per √s: how fast a payload may appear
    double moment_walk_kgm = 0.06;  ///< random walk of h = m c, per √s
    double prior_time_s = 60.0;     ///< time constant with which θ decays to the model's without information
  };
  /// `model` must outlive this object. `link`: the body that carries the payload. Throws UnknownName.
  PayloadFilter(const RobotModel& model, FrameId link, const Settings& settings);
  ~PayloadFilter();
  PayloadFilter(PayloadFilter&&) noexcept;
  PayloadFilter& operator=(PayloadFilter&&) noexcept;

  /// One tick with the measured state, its acceleration and the wrenches of feet and hands.
  void update(const RobotState& state, const Eigen::VectorXd& acceleration, const SensorReadings& readings, double dt);

  ModelCorrection correction() const;
  double added_mass() const;  ///< [kg]
  Inertia inertia() const;    ///< inertia of the body together with its payload
  /// Shift of the whole robot's CoM from the model's, in world axes, at the last update. [m]
  Eigen::Vector3d com_correction() const;

 private:
  class Filter;  // the Kalman filter and its memory
  std::unique_ptr<Filter> filter_;
};

}  // namespace aplomb
