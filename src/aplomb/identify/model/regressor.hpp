#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// The columns of a regressor: a block of numbers for each of these bodies, in this order.
struct RegressorColumns {
  std::vector<int> bodies;           ///< indices in BodyTree::bodies, ascending
  int per_body = kStaticParameters;  ///< 4 (m, h) at rest, 10 when it moves
  int size() const { return per_body * static_cast<int>(bodies.size()); }
  int first(std::size_t slot) const { return per_body * static_cast<int>(slot); }
};

std::vector<int> all_bodies(const RobotModel& model);
std::vector<int> massive_bodies(const RobotModel& model);  ///< those to which the file gives a mass

/// The parameters that the model's file has, in these columns.
Eigen::VectorXd parameters_of(const RobotModel& model, const RegressorColumns& columns);

/// K with K φ = Sᵀτ + Σ Jᵀλ (Mistry et al. 2010): what inverse dynamics would be, linear in the parameters. Rows as
/// in RobotState::v: base force and moment in base axes about the base's origin, then the joints. No rotor inertia.
/// `matrix` is nv × columns.size().
void write_regressor(const BodyMotions& motions, const RegressorColumns& columns, Eigen::Ref<Eigen::MatrixXd> matrix);

/// Jᵀ of a force F and a moment N (world axes, about the world point r) that act on a body: adds to `generalised`.
void add_wrench(const BodyMotions& motions, int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                const Eigen::Vector3d& moment, Eigen::Ref<Eigen::VectorXd> generalised);

/// An orthonormal basis N of what no column of A reaches: Nᵀ A = 0. With the directions of unmeasured forces in A this
/// is the projection of Mistry, Schaal, Yamane 2009.
Eigen::MatrixXd directions_beside(const Eigen::MatrixXd& A);

/// First moments: m c = Y φ in world axes, Y = [p_i R_i] a body (3 × columns.size()).
Eigen::Matrix<double, 3, Eigen::Dynamic> com_rows(const BodyMotions& motions, const RegressorColumns& columns);
Eigen::RowVectorXd mass_row(const RegressorColumns& columns);  ///< total mass = row · φ

}  // namespace aplomb
