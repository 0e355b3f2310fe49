#pragma once

#include <map>
#include <string>
#include <vector>

#include "aplomb/identify/estimate.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// What a joint loses, from torque residuals: τ_f = coulomb tanh(v/v_s) + viscous v + offset.
struct JointFriction {
  int joint = 0;
  double coulomb = 0.0;  ///< [N m], ≥ 0
  double viscous = 0.0;  ///< [N m s/rad], ≥ 0
  double offset = 0.0;   ///< [N m]
  bool is_seen = false;  ///< the joint moved both ways, at more than one speed
};

/// The full dynamic model (ten parameters a body, friction apart) from moving data.
struct MovingFit {
  RegressorColumns columns;
  std::vector<std::string> names;  ///< of the parameters: "torso.m", "torso.hx", ..., "torso.Izz"
  Eigen::VectorXd cad;             ///< φ of the CAD
  LeastSquares plain;              ///< of all instants: what the motion shows
  Estimate estimate;
  WeightChoice choice;
  double wrench_rms = 0.0, cad_wrench_rms = 0.0;  ///< of the net force's and moment's error on blocks left out [N, N m]
  std::vector<JointFriction> friction;            ///< of joints whose torque is known
  double torque_rms = 0.0;                        ///< of what friction leaves over [N m]
  std::map<int, Inertia> body_inertias;
  int num_infeasible = 0;  ///< links that no mass distribution has
};

/// Two steps. First inertias from the base's six rows, which know neither torque nor friction (Ayusawa, Venture,
/// Nakamura 2014), with the entropic prior; of a contact whose CoP and vertical force are known the directions of the
/// other forces are projected out. Then friction from what the torques have left over, when every contact's wrench is
/// known. Normal equations are summed up, instant by instant; the stacked regressor is never stored. Hold-out by
/// contiguous blocks of time: neighbouring instants are no test of each other. Throws InvalidValue when there
/// are too few instants.
MovingFit fit_moving(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise);

}  // namespace aplomb
