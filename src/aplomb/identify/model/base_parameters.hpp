#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/model/sagittal_model.hpp"

namespace aplomb {

/// The combinations of parameters that a regressor shows: φ_b = φ_1 + β φ_2, one a pivot of its QR decomposition.
struct BaseParameters {
  int rank = 0;
  Eigen::MatrixXd combination;     ///< rank × parameters: φ_b = combination φ
  std::vector<int> pivots;         ///< the parameter that each combination starts with
  std::vector<std::string> names;  ///< "thigh.hz − 0.382 shank.m − 0.382 foot.m"
};

/// Columns are scaled to length one; a pivot below `tolerance` of the first is zero.
BaseParameters base_parameters(const Eigen::MatrixXd& W, const std::vector<std::string>& names,
                               double tolerance = 1e-8);

/// Which rows of K φ = Sᵀτ + Σ Jᵀλ are known, and in what motion: what a robot's structure lets one see, whatever its
/// data. n revolute joints and a free base: 10 + 7 n moving, 4 + 2 n at rest, one less when the base is always upright.
struct RankQuestion {
  bool is_moving = false;                 ///< rates and accelerations; ten parameters a body
  bool has_base_rows = true;              ///< all contacts' wrenches are known, but for those of `unknown_contacts`
  bool has_torque_rows = false;           ///< joint torques are known
  bool is_upright = false;                ///< the base never tilts
  std::vector<FrameId> unknown_contacts;  ///< links that touch something and whose wrench nobody knows: projected out
};
int structural_rank(const RobotModel& model, const RankQuestion& question);  ///< on random states, all bodies

/// Of the sagittal model: 3 + 2 n = 11 of 15, 10 when the foot stays level, and one less without the force.
int structural_rank(const RobotModel& cad, const SagittalModel& model, bool feet_are_level, bool has_force);

}  // namespace aplomb
