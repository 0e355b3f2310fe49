#include "aplomb/identify/model/static_problem.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "aplomb/identify/estimate/entropic_prior.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/model/static_rows.hpp"

namespace aplomb {
namespace {

struct NetReading {
  Eigen::Vector2d cop;
  double force;
  Eigen::Matrix2d covariance;  ///< of (F_z · CoP_x, F_z) [N m, N]
};

/// Computes the net vertical force and CoP, and the covariance of their errors.
NetReading net_reading(const PostureSet& set, const Posture& posture, const StaticRows& rows,
                       const BodyMotions& motions, const MeasurementNoise& noise) {
  NetReading net{.cop = rows.cop(), .force = rows.vertical_force(), .covariance = Eigen::Matrix2d::Zero()};
  for (std::size_t k = 0; k < posture.contacts.size(); ++k) {
    const ContactSensor& sensor = set.sensors.contacts[k];
    const Eigen::Isometry3d T = sensor.is_plate ? Eigen::Isometry3d::Identity() : motions.link_pose(sensor.link);
    const bool is_cop = sensor.kind == ContactSensor::Kind::cop;
    const Vector6d& reading = posture.contacts[k];
    const double x = is_cop ? (T * Eigen::Vector3d(reading[0], reading[1], sensor.sole_z)).x() : T.translation().x();
    const double height = is_cop ? 0.0 : T.translation().z();
    const double force = is_cop ? noise.vertical_force_n : noise.force_n;
    const double moment = is_cop ? reading[2] * noise.cop_m : std::hypot(noise.moment_nm, height * noise.force_n);
    const Eigen::Vector2d along(x, 1.0);
    net.covariance += force * force * along * along.transpose();
    net.covariance(0, 0) += moment * moment;
  }
  return net;
}

/// Variance of the row m c_x − p_x F_z / g per unit variance of each joint angle: the sum of its squared derivatives.
double joint_variance(const RobotModel& cad, const SagittalModel& model, const PostureSet& set, const Posture& posture,
                      StaticRows& rows, const Eigen::VectorXd& phi) {
  constexpr double kStep = 1e-6;
  const bool is_level = !set.sensors.has_orientation;
  rows.compute(posture);
  const double here =
      model.moment_row(rows.motions(), is_level).dot(phi) - rows.cop().x() * rows.vertical_force() / kGravity;
  double sum = 0.0;
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    Posture moved = posture;
    moved.state.q[7 + joint] += kStep;
    place_base(cad, set.sensors.has_orientation, moved.state);
    rows.compute(moved);
    const double there =
        model.moment_row(rows.motions(), is_level).dot(phi) - rows.cop().x() * rows.vertical_force() / kGravity;
    sum += std::pow((there - here) / kStep, 2);
  }
  rows.compute(posture);
  return sum;
}

/// Derivative of the residual W φ − y by each joint angle: a wrong angle moves bodies and contacts.
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

StaticProblem sagittal_problem(const RobotModel& cad, const SagittalModel& model, const PostureSet& set,
                               const MeasurementNoise& noise) {
  StaticProblem problem;
  EntropicPrior prior;
  problem.cad = model.cad_parameters();
  problem.mass = model.mass_row();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const SagittalModel::Link& link = model.links()[i];
    for (const char* part : {"m", "hx", "hz"}) problem.names.push_back(fmt::format("{}.{}", link.name, part));
    prior.add_planar(3 * static_cast<int>(i), link.mass, link.com, link.second_moment);
  }
  problem.prior = std::make_shared<const EntropicPrior>(std::move(prior));
  StaticRows rows(cad, set.sensors, {.bodies = {0}, .per_body = kStaticParameters});  // only for its contacts
  for (const Posture& posture : set.postures) {
    rows.compute(posture);
    const NetReading net = net_reading(set, posture, rows, rows.motions(), noise);
    const Eigen::RowVectorXd moment = model.moment_row(rows.motions(), !set.sensors.has_orientation);
    const Eigen::VectorXd guess = problem.cad * (net.force / (kGravity * problem.mass.dot(problem.cad)));
    // g Y_x φ = p_x F_z and g 1ᵀφ = F_z.
    Eigen::MatrixXd W(2, problem.num_parameters());
    W << kGravity * moment, kGravity * problem.mass;
    Eigen::Matrix2d S = net.covariance;
    if (noise.joint_rad > 0.0)
      S(0, 0) += std::pow(kGravity * noise.joint_rad, 2) * joint_variance(cad, model, set, posture, rows, guess);
    const Eigen::LLT<Eigen::MatrixXd> factor(S / posture.num_samples);
    const Eigen::Vector2d y(net.cop.x() * net.force, net.force);
    problem.rows.push_back({.W = factor.matrixL().solve(W), .y = factor.matrixL().solve(y)});
    problem.cops.push_back({.moments = moment, .cop = net.cop});
  }
  return problem;
}

StaticProblem spatial_problem(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise) {
  const RegressorColumns columns{.bodies = massive_bodies(cad), .per_body = kStaticParameters};
  StaticProblem problem;
  EntropicPrior prior;
  problem.cad = parameters_of(cad, columns);
  problem.mass = mass_row(columns);
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const RigidBody& body = cad.tree().bodies[static_cast<std::size_t>(columns.bodies[slot])];
    for (const char* part : {"m", "hx", "hy", "hz"}) problem.names.push_back(fmt::format("{}.{}", body.link, part));
    prior.add_static(columns.first(slot), body.inertia);
  }
  problem.prior = std::make_shared<const EntropicPrior>(std::move(prior));
  // The forces give the weight to about a percent: the derivatives are computed for a CAD scaled to that weight.
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
