#include "aplomb/identify/model/regressor.hpp"

#include <Eigen/QR>
#include <numeric>

#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

using Matrix3x10 = Eigen::Matrix<double, 3, 10>;

Eigen::Matrix3d cross(const Eigen::Vector3d& w) {
  return (Eigen::Matrix3d() << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0).finished();
}

/// L(w) with I w = L(w) (Ixx, Ixy, Iyy, Ixz, Iyz, Izz)ᵀ.
Eigen::Matrix<double, 3, 6> times_inertia(const Eigen::Vector3d& w) {
  Eigen::Matrix<double, 3, 6> L;
  L << w.x(), w.y(), 0, w.z(), 0, 0,  //
      0, w.x(), w.y(), 0, w.z(), 0,   //
      0, 0, 0, w.x(), w.y(), w.z();
  return L;
}

/// Inertial wrench of one body, one column per parameter: force and moment about its origin, in world axes.
struct BodyWrench {
  Matrix3x10 force, moment;
};

BodyWrench body_wrench(const BodyMotion& body, int per_body) {
  // In body axes, with d the origin's acceleration minus gravity:
  //   f = m d + ω̇ × h + ω × (ω × h),   n = h × d + I ω̇ + ω × I ω
  const Eigen::Matrix3d R = body.T_world_body.linear();
  const Eigen::Vector3d d = R.transpose() * (body.acceleration + Eigen::Vector3d(0, 0, kGravity));
  BodyWrench wrench;
  wrench.force.setZero();
  wrench.moment.setZero();
  wrench.force.col(0) = R * d;
  wrench.moment.middleCols<3>(1) = -R * cross(d);
  if (per_body == kStaticParameters) return wrench;
  const Eigen::Vector3d w = R.transpose() * body.angular_velocity, dw = R.transpose() * body.angular_acceleration;
  const Eigen::Matrix3d W = cross(w);
  wrench.force.middleCols<3>(1) = R * (cross(dw) + W * W);
  wrench.moment.rightCols<6>() = R * (times_inertia(dw) + W * times_inertia(w));
  return wrench;
}

}  // namespace

std::vector<int> all_bodies(const RobotModel& model) {
  std::vector<int> bodies(model.tree().bodies.size());
  std::iota(bodies.begin(), bodies.end(), 0);
  return bodies;
}

std::vector<int> massive_bodies(const RobotModel& model) {
  std::vector<int> bodies;
  for (int body : all_bodies(model)) {
    if (model.tree().bodies[static_cast<std::size_t>(body)].inertia.mass > 0.0) bodies.push_back(body);
  }
  return bodies;
}

Eigen::VectorXd parameters_of(const RobotModel& model, const RegressorColumns& columns) {
  Eigen::VectorXd all(columns.size());
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const RigidBody& body = model.tree().bodies[static_cast<std::size_t>(columns.bodies[slot])];
    all.segment(columns.first(slot), columns.per_body) = to_parameters(body.inertia).head(columns.per_body);
  }
  return all;
}

void write_regressor(const BodyMotions& motions, const RegressorColumns& columns, Eigen::Ref<Eigen::MatrixXd> matrix) {
  matrix.setZero();
  const int count = columns.per_body;
  const BodyMotion& base = motions.bodies().front();
  const Eigen::Matrix3d R_base_world = base.T_world_body.linear().transpose();
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const int index = columns.bodies[slot];
    const BodyWrench wrench = body_wrench(motions.body(index), count);
    const Eigen::Vector3d origin = motions.body(index).T_world_body.translation();
    const int first = columns.first(slot);
    for (int above = index; above > 0; above = motions.parent(above)) {
      const BodyMotion& joint = motions.body(above);
      if (motions.is_prismatic(above)) {
        matrix.row(5 + above).segment(first, count) = joint.axis.transpose() * wrench.force.leftCols(count);
        continue;
      }
      // a · (n + r × f) = a · n + (a × r) · f
      const Eigen::Vector3d arm = joint.axis.cross(origin - joint.T_world_body.translation());
      matrix.row(5 + above).segment(first, count) =
          joint.axis.transpose() * wrench.moment.leftCols(count) + arm.transpose() * wrench.force.leftCols(count);
    }
    const Eigen::Matrix3d arm = cross(origin - base.T_world_body.translation());
    matrix.block(0, first, 3, count) = R_base_world * wrench.force.leftCols(count);
    matrix.block(3, first, 3, count) =
        R_base_world * (wrench.moment.leftCols(count) + arm * wrench.force.leftCols(count));
  }
}

void add_wrench(const BodyMotions& motions, int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                const Eigen::Vector3d& moment, Eigen::Ref<Eigen::VectorXd> generalised) {
  for (int above = body; above > 0; above = motions.parent(above)) {
    const BodyMotion& joint = motions.body(above);
    const Eigen::Vector3d about = moment + (point - joint.T_world_body.translation()).cross(force);
    generalised[5 + above] += joint.axis.dot(motions.is_prismatic(above) ? force : about);
  }
  const BodyMotion& base = motions.bodies().front();
  const Eigen::Matrix3d R_base_world = base.T_world_body.linear().transpose();
  generalised.head<3>() += R_base_world * force;
  generalised.segment<3>(3) += R_base_world * (moment + (point - base.T_world_body.translation()).cross(force));
}

Eigen::MatrixXd directions_beside(const Eigen::MatrixXd& A) {
  if (A.cols() == 0) return Eigen::MatrixXd::Identity(A.rows(), A.rows());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  qr.setThreshold(1e-9);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), A.rows());
  return Q.rightCols(A.rows() - qr.rank());
}

Eigen::Matrix<double, 3, Eigen::Dynamic> com_rows(const BodyMotions& motions, const RegressorColumns& columns) {
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, columns.size());
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const Eigen::Isometry3d& T = motions.body(columns.bodies[slot]).T_world_body;
    rows.col(columns.first(slot)) = T.translation();
    rows.middleCols<3>(columns.first(slot) + 1) = T.linear();
  }
  return rows;
}

Eigen::RowVectorXd mass_row(const RegressorColumns& columns) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(columns.size());
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) row[columns.first(slot)] = 1.0;
  return row;
}

}  // namespace aplomb
