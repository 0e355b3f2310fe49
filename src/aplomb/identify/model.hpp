#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

class EntropicPrior;
class SagittalModel;

inline constexpr int kDynamicParameters = 10;  ///< of a moving rigid body: m, h = m c, inertia about the origin
inline constexpr int kStaticParameters = 4;    ///< the parameters that act at rest: m, h

/// Columns of a regressor: one block of parameters for each of these bodies, in this order.
struct RegressorColumns {
  std::vector<int> bodies;           ///< indices in BodyTree::bodies, ascending
  int per_body = kStaticParameters;  ///< 4 (m, h) at rest, 10 in motion
  int size() const { return per_body * static_cast<int>(bodies.size()); }
  int first(std::size_t slot) const { return per_body * static_cast<int>(slot); }
};

/// Equations of one posture for the parameters: W φ = y, whitened (the error of each row has standard deviation 1).
struct PostureRows {
  Eigen::MatrixXd W;
  Eigen::VectorXd y;
};

/// Predicted CoM of a posture, (c_x, c_y) = moments φ / (mass φ), to be compared with the measured CoP.
struct CopPrediction {
  Eigen::MatrixXd moments;  ///< 1 (forward) or 2 (forward, lateral) rows
  Eigen::Vector2d cop;      ///< measured; level axes, x the feet's forward, origin midway between the soles [m]
};

/// Identification at rest as linear algebra, independent of the model (sagittal or spatial) and of the sensors.
struct StaticProblem {
  std::vector<std::string> names;              ///< parameter names: "torso.m", "torso.hx", ...
  Eigen::VectorXd cad;                         ///< φ of the CAD
  Eigen::RowVectorXd mass;                     ///< total mass = mass φ
  std::shared_ptr<const EntropicPrior> prior;  ///< divergence from the CAD
  std::vector<PostureRows> rows;               ///< by posture
  std::vector<CopPrediction> cops;             ///< by posture

  int num_parameters() const { return static_cast<int>(cad.size()); }
  int num_coordinates() const { return static_cast<int>(cops.front().moments.rows()); }
};

/// Joints that turn the links of the sagittal model (foot, shank, thigh, pelvis and, where there is a waist joint,
/// torso), by link: one joint per side, none for the pelvis, which is the base. `reference` as for the SagittalModel.
/// Throws InvalidValue when the robot has no legs with three pitch joints each.
std::vector<std::vector<int>> sagittal_joints(const RobotModel& robot, const RobotState& reference);

/// Identifiable combinations of parameters: φ_b = φ_1 + β φ_2, one for each pivot of a QR decomposition.
struct BaseParameters {
  int rank = 0;
  Eigen::MatrixXd combination;     ///< rank × parameters: φ_b = combination φ
  std::vector<int> pivots;         ///< first parameter of each combination
  std::vector<std::string> names;  ///< "thigh.hz − 0.382 shank.m − 0.382 foot.m"
};

/// Base parameters of a regressor W. Columns are scaled to unit length; a pivot below `tolerance` times the first one
/// counts as zero.
BaseParameters base_parameters(const Eigen::MatrixXd& W, const std::vector<std::string>& names,
                               double tolerance = 1e-8);

/// Measured rows of K φ = Sᵀτ + Σ Jᵀλ, and the kind of motion: they decide which parameter combinations of a robot are
/// identifiable, whatever its data. n revolute joints and a free base: 10 + 7 n in motion, 4 + 2 n at rest, one less
/// when the base is always upright.
struct RankQuestion {
  bool is_moving = false;                 ///< rates and accelerations; ten parameters per body
  bool has_base_rows = true;              ///< contact wrenches are measured, except those of `unknown_contacts`
  bool has_torque_rows = false;           ///< joint torques are measured
  bool is_upright = false;                ///< the base never tilts
  std::vector<FrameId> unknown_contacts;  ///< links in contact whose wrench is not measured: projected out
};
int structural_rank(const RobotModel& model, const RankQuestion& question);  ///< over random states, all bodies

/// Structural rank of the sagittal model: 3 + 2 n = 11 of 15, 10 when the foot stays level, one less without the force.
int structural_rank(const RobotModel& cad, const SagittalModel& model, bool feet_are_level, bool has_force);

}  // namespace aplomb
