#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

std::vector<int> all_bodies(const RobotModel& model);
std::vector<int> massive_bodies(const RobotModel& model);  ///< bodies that have a mass in the model's file

/// The parameters of the model's file, in these columns.
Eigen::VectorXd parameters_of(const RobotModel& model, const RegressorColumns& columns);

/// Regressor K with K φ = Sᵀτ + Σ Jᵀλ (Mistry et al. 2010): inverse dynamics, linear in the parameters. Rows as
/// in RobotState::v: base force and moment in base axes about the base's origin, then the joints. No rotor inertia.
/// `matrix` is nv × columns.size().
void write_regressor(const BodyMotions& motions, const RegressorColumns& columns, Eigen::Ref<Eigen::MatrixXd> matrix);

/// Adds the generalised force of a wrench on a body (world axes, about the world point `point`) to `generalised`.
void add_wrench(const BodyMotions& motions, int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                const Eigen::Vector3d& moment, Eigen::Ref<Eigen::VectorXd> generalised);

/// Orthonormal basis N of the orthogonal complement of A's columns: Nᵀ A = 0. With the directions of unmeasured forces
/// in A it is the projection of Mistry, Schaal, Yamane 2009.
Eigen::MatrixXd directions_beside(const Eigen::MatrixXd& A);

/// First moments of mass: m c = Y φ in world axes, with a block [p_i R_i] of Y per body (3 × columns.size()).
Eigen::Matrix<double, 3, Eigen::Dynamic> com_rows(const BodyMotions& motions, const RegressorColumns& columns);
Eigen::RowVectorXd mass_row(const RegressorColumns& columns);  ///< total mass = row · φ

}  // namespace aplomb
