#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// Equations W φ = y of a posture with the directions of all unmeasured forces projected out (Mistry, Schaal, Yamane
/// 2009):  NᵀK φ = Nᵀ (Sᵀτ + Σ Jᵀλ),  Nᵀ Juᵀ = 0. Only joints with a measured torque have a row.
class StaticRows {
 public:
  StaticRows(const RobotModel& model, const Sensors& sensors, const RegressorColumns& columns);

  /// Computes the equations of one posture, with its own N or with `directions` as N: derivatives of the residual need
  /// a fixed N.
  void compute(const Posture& posture, const Eigen::MatrixXd* directions = nullptr);

  const Eigen::MatrixXd& matrix() const { return W_; }
  const Eigen::VectorXd& y() const { return y_; }
  const Eigen::MatrixXd& directions() const { return N_; }
  Eigen::MatrixXd covariance(const MeasurementNoise& noise) const;  ///< covariance of y due to the force sensors
  Eigen::Vector2d cop() const;  ///< the measured net CoP on the plane z = 0 (world) [m]
  double vertical_force() const { return net_force_.z(); }
  const BodyMotions& motions() const { return motions_; }

 private:
  void add_contact(std::size_t index, const Posture& posture);

  const RobotModel* model_;
  Sensors sensors_;
  RegressorColumns columns_;
  std::vector<int> kept_;  ///< rows of the regressor that are used: the base's six, and joints with a torque
  BodyMotions motions_;
  Eigen::MatrixXd K_, W_, N_;
  Eigen::VectorXd known_, y_;
  std::vector<Eigen::VectorXd> unmeasured_;  ///< directions of unmeasured forces, all nv rows
  struct NoiseDirection {
    Eigen::VectorXd direction;  ///< generalised force of a unit reading, all nv rows
    enum class Kind { cop, vertical_force, force, moment } kind;
    double scale = 1.0;
  };
  std::vector<NoiseDirection> noisy_;
  Eigen::Vector3d net_force_, net_moment_;  ///< world axes, about the world's origin
};

}  // namespace aplomb
