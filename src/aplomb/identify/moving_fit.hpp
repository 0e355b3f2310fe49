#pragma once

#include <map>
#include <string>
#include <vector>

#include "aplomb/identify/estimate.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// Joint friction from torque residuals: τ_f = coulomb tanh(v/v_s) + viscous v + offset.
struct JointFriction {
  int joint = 0;
  double coulomb = 0.0;  ///< [N m], ≥ 0
  double viscous = 0.0;  ///< [N m s/rad], ≥ 0
  double offset = 0.0;   ///< [N m]
  bool is_seen = false;  ///< the joint moved in both directions
};

/// The full dynamic model (ten parameters per body, and friction) from moving data.
struct MovingFit {
  RegressorColumns columns;
  std::vector<std::string> names;  ///< parameter names: "torso.m", "torso.hx", ..., "torso.Izz"
  Eigen::VectorXd cad;             ///< φ of the CAD
  LeastSquares plain;              ///< least squares without a prior, from all instants
  Estimate estimate;
  WeightChoice choice;
  double wrench_rms = 0.0, cad_wrench_rms = 0.0;  ///< RMS error of the net wrench on left-out blocks [N, N m]
  std::vector<JointFriction> friction;            ///< one per joint with a measured torque
  double torque_rms = 0.0;                        ///< RMS torque residual after friction [N m]
  std::map<int, Inertia> body_inertias;
  int num_infeasible = 0;  ///< number of links with physically inconsistent parameters
};

/// Fits in two steps. First the inertias from the six rows of the base, which contain neither torque nor friction
/// (Ayusawa, Venture, Nakamura 2014), with the entropic prior; for a contact with a measured CoP and vertical force the
/// directions of the other forces are projected out. Then friction from the torque residuals, when the wrench of every
/// contact is measured. Normal equations are summed instant by instant; the stacked regressor is never stored. Blocks
/// of time are held out, because neighbouring instants are not independent. Throws InvalidValue when there are too few
/// instants.
MovingFit fit_moving(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise);

}  // namespace aplomb
