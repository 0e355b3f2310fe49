#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "aplomb/identify/model/static_problem.hpp"

namespace aplomb {
namespace {

/// The slope of the residual W φ − y over each joint angle: a wrong angle moves bodies and contacts.
Eigen::MatrixXd residual_slope(StaticRows& rows, const RobotModel& cad, bool has_orientation, const Posture& posture,
                               const Eigen::VectorXd& phi) {
  rows.compute(posture);
  const Eigen::MatrixXd N = rows.directions();
  const Eigen::VectorXd here = rows.matrix() * phi - rows.y();
  Eigen::MatrixXd slope(here.size(), cad.num_joints());
  constexpr double kStep = 1e-6;  // [rad]; rounding and curvature both stay below 1e-5 of the slope
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    Posture moved = posture;
    moved.state.q[7 + joint] += kStep;
    place_base(cad, has_orientation, moved.state);
    rows.compute(moved, &N);
    slope.col(joint) = (rows.matrix() * phi - rows.y() - here) / kStep;
  }
  rows.compute(posture, &N);
  return slope;
}

}  // namespace

StaticProblem spatial_problem(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise) {
  const RegressorColumns columns{.bodies = massive_bodies(cad), .per_body = kStaticParameters};
  StaticProblem problem;
  problem.cad = parameters_of(cad, columns);
  problem.mass = mass_row(columns);
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const RigidBody& body = cad.tree().bodies[static_cast<std::size_t>(columns.bodies[slot])];
    for (const char* part : {"m", "hx", "hy", "hz"}) problem.names.push_back(fmt::format("{}.{}", body.link, part));
    problem.prior.add_static(columns.first(slot), body.inertia);
  }
  // The weight is known to a percent or so from the forces: the slope is asked for a robot of that weight.
  double force = 0.0;
  StaticRows rows(cad, set.sensors, columns);
  for (const Posture& posture : set.postures) {
    rows.compute(posture);
    problem.cops.push_back({.moments = com_rows(rows.motions(), columns).topRows<2>(), .cop = rows.cop()});
    force += rows.vertical_force() / static_cast<double>(set.postures.size());
  }
  const Eigen::VectorXd guess = problem.cad * (force / (kGravity * problem.mass.dot(problem.cad)));
  for (const Posture& posture : set.postures) {
    rows.compute(posture);
    Eigen::MatrixXd S = rows.covariance(noise);
    if (noise.joint_rad > 0.0) {
      const Eigen::MatrixXd slope = residual_slope(rows, cad, set.sensors.has_orientation, posture, guess);
      S += noise.joint_rad * noise.joint_rad * slope * slope.transpose();
    }
    S /= posture.num_samples;
    const Eigen::LLT<Eigen::MatrixXd> factor(S);
    problem.rows.push_back({.W = factor.matrixL().solve(rows.matrix()), .y = factor.matrixL().solve(rows.y())});
  }
  return problem;
}

}  // namespace aplomb
