#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/identify/estimate/entropic_prior.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// What one posture says about the parameters: W φ = y, whitened (each row's error has deviation 1).
struct PostureRows {
  Eigen::MatrixXd W;
  Eigen::VectorXd y;
};

/// What a model predicts of a posture: (c_x, c_y) = moments φ / (mass φ), to be compared with the measured CoP.
struct CopPrediction {
  Eigen::MatrixXd moments;  ///< 1 (forward) or 2 (forward, lateral) rows
  Eigen::Vector2d cop;      ///< measured, same axes: level, x the feet's forward, origin amid the soles [m]
};

/// Identification at rest as plain linear algebra: whatever the model (sagittal or spatial), whatever the sensors.
struct StaticProblem {
  std::vector<std::string> names;   ///< of the parameters: "torso.m", "torso.hx", ...
  Eigen::VectorXd cad;              ///< φ as the CAD has it
  Eigen::RowVectorXd mass;          ///< total mass = mass φ
  EntropicPrior prior;              ///< to the CAD
  std::vector<PostureRows> rows;    ///< by posture
  std::vector<CopPrediction> cops;  ///< by posture

  int num_parameters() const { return static_cast<int>(cad.size()); }
  int num_coordinates() const { return static_cast<int>(cops.front().moments.rows()); }
};

/// y and W of the rows that remain when every direction of an unmeasured force is projected out (Mistry, Schaal,
/// Yamane 2009):  N ᵀK φ = Nᵀ (Sᵀτ + Σ Jᵀλ),  Nᵀ Ju ᵀ = 0. Only joints with a known torque have a row.
class StaticRows {
 public:
  StaticRows(const RobotModel& model, const Sensors& sensors, const RegressorColumns& columns);

  /// Computes for one posture; `directions` (N) is new, or the one given: the residual's slope needs it fixed.
  void compute(const Posture& posture, const Eigen::MatrixXd* directions = nullptr);

  const Eigen::MatrixXd& matrix() const { return W_; }
  const Eigen::VectorXd& y() const { return y_; }
  const Eigen::MatrixXd& directions() const { return N_; }
  Eigen::MatrixXd covariance(const MeasurementNoise& noise) const;  ///< of y, from the force sensors
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
  std::vector<Eigen::VectorXd> unmeasured_;  ///< directions, all nv rows
  struct NoiseDirection {
    Eigen::VectorXd direction;  ///< how one reading enters the generalised force, all nv rows
    enum class Kind { cop, vertical_force, force, moment } kind;
    double scale = 1.0;
  };
  std::vector<NoiseDirection> noisy_;
  Eigen::Vector3d net_force_, net_moment_;  ///< world axes, about the world's origin
};

/// The full spatial model at rest: m and h of every body that has a mass in the CAD.
StaticProblem spatial_problem(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise);

}  // namespace aplomb
