#include "aplomb/identify/model/static_problem.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "aplomb/identify/estimate/entropic_prior.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/model/static_rows.hpp"

namespace aplomb {
namespace {

/// Equations (3) to (7) of Mistry et al. 2010 in the plane, W φ = y, of one posture:
///   g Y_x φ = p_x F_z,   g 1ᵀφ = F_z,   g Y_x,j φ = Σ τ_j   (j: ankles, knees, hips, waist, as far as measured)
/// The torque rows are written for the part of the body above the joint, which no foot's force acts on: the base's row
/// of (3) minus the joint's. Hands that bear are on the right-hand side.
class PlanarRows {
 public:
  PlanarRows(const RobotModel& cad, const SagittalModel& model, const Sensors& sensors)
      : cad_(&cad),
        model_(&model),
        sensors_(&sensors),
        contacts_(cad, sensors, {.bodies = {0}, .per_body = kStaticParameters}) {}

  /// Always takes the joints with a row from the first posture: the kinds of equations are the same in all postures.
  void compute(const Posture& posture) {
    contacts_.compute(posture);
    const BodyMotions& motions = contacts_.motions();
    if (!joints_) find_joints(motions);
    const bool is_level = !sensors_->has_orientation;
    W_.resize(2 + static_cast<Eigen::Index>(joints_->size()), model_->mass_row().size());
    y_.resize(W_.rows());
    W_.row(0) = kGravity * model_->moment_row(motions, is_level);
    W_.row(1) = kGravity * model_->mass_row();
    y_.head<2>() << contacts_.cop().x() * contacts_.vertical_force(), contacts_.vertical_force();
    Eigen::Index row = 2;
    for (const TorqueJoint& one : *joints_) {
      W_.row(row) = kGravity * model_->torque_row(motions, one.link, is_level);
      y_[row] = 0.0;
      for (std::size_t i = 0; i < one.joints.size(); ++i) {
        // A torque acts on the link beyond the joint: on the torso itself, on the legs' parts below.
        const double sign = SagittalModel::is_above(one.link, one.link) ? -1.0 : 1.0;
        y_[row] += sign * motions.body(one.joints[i] + 1).axis.y() * posture.torque[one.readings[i]];
      }
      const Eigen::Vector2d at = model_->joint_position(motions, one.link);
      for (std::size_t k = 0; k < posture.contacts.size(); ++k) {
        if (is_above(k, one)) y_[row] -= pitch_moment(posture.contacts[k], motions.link_pose(link_of(k)), at);
      }
      ++row;
    }
  }

  /// Covariance of y due to the errors of all forces and torques.
  Eigen::MatrixXd covariance(const Posture& posture, const MeasurementNoise& noise) const {
    const BodyMotions& motions = contacts_.motions();
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(y_.size(), y_.size());
    const auto add = [&](double deviation, const Eigen::VectorXd& along) {
      S += deviation * deviation * along * along.transpose();
    };
    for (std::size_t k = 0; k < posture.contacts.size(); ++k) {
      const ContactSensor& sensor = sensors_->contacts[k];
      const Eigen::Isometry3d T = sensor.is_plate ? Eigen::Isometry3d::Identity() : motions.link_pose(sensor.link);
      const bool is_cop = sensor.kind == ContactSensor::Kind::cop;
      const Vector6d& reading = posture.contacts[k];
      const double x = is_cop ? (T * Eigen::Vector3d(reading[0], reading[1], sensor.sole_z)).x() : T.translation().x();
      const double z = is_cop ? 0.0 : T.translation().z();
      Eigen::VectorXd up(y_.size()), forward(y_.size()), pitch(y_.size());
      up.head<2>() << x, 1.0;
      forward.head<2>() << -z, 0.0;
      pitch.head<2>() << -1.0, 0.0;
      for (std::size_t j = 0; j < joints_->size(); ++j) {
        const auto row = static_cast<Eigen::Index>(2 + j);
        const Eigen::Vector2d at = model_->joint_position(motions, (*joints_)[j].link);
        const double above = is_above(k, (*joints_)[j]) ? 1.0 : 0.0;
        up[row] = above * (x - at[0]);
        forward[row] = -above * (z - at[1]);
        pitch[row] = -above;
      }
      add(is_cop ? noise.vertical_force_n : noise.force_n, up);
      if (!is_cop) add(noise.force_n, forward);
      add(is_cop ? reading[2] * noise.cop_m : noise.moment_nm, pitch);
    }
    for (std::size_t j = 0; j < joints_->size(); ++j) {
      const auto row = static_cast<Eigen::Index>(2 + j);
      S(row, row) += static_cast<double>((*joints_)[j].joints.size()) * noise.torque_nm * noise.torque_nm;
    }
    return S;
  }

  const Eigen::MatrixXd& matrix() const { return W_; }
  const Eigen::VectorXd& y() const { return y_; }
  Eigen::Vector2d cop() const { return contacts_.cop(); }
  double vertical_force() const { return contacts_.vertical_force(); }

 private:
  struct TorqueJoint {
    std::size_t link;                    ///< of the sagittal model
    std::vector<int> joints;             ///< one a side
    std::vector<Eigen::Index> readings;  ///< where their torques are in Posture::torque
  };

  void find_joints(const BodyMotions& motions) {
    joints_.emplace();
    for (std::size_t link = 0; link < model_->links().size(); ++link) {
      TorqueJoint one{.link = link, .joints = model_->torque_joints(motions, link, sensors_->torque_joints)};
      for (int joint : one.joints) {
        one.readings.push_back(std::ranges::find(sensors_->torque_joints, joint) - sensors_->torque_joints.begin());
      }
      if (!one.joints.empty()) joints_->push_back(std::move(one));
    }
  }

  FrameId link_of(std::size_t contact) const { return sensors_->contacts[contact].link; }

  /// Whether a hand's contact is on the upper side of a joint; feet and plate never are.
  bool is_above(std::size_t contact, const TorqueJoint& joint) const {
    const ContactSensor& sensor = sensors_->contacts[contact];
    if (sensor.is_plate) return false;
    const int body = cad_->tree().links[static_cast<std::size_t>(sensor.link)].body;
    return SagittalModel::is_above(model_->link_of(body), joint.link);
  }

  /// Moment of a wrench about the lateral axis through the point (x, z).
  static double pitch_moment(const Vector6d& reading, const Eigen::Isometry3d& T, const Eigen::Vector2d& at) {
    const Eigen::Vector3d force = T.linear() * reading.head<3>(), moment = T.linear() * reading.tail<3>();
    return moment.y() + (T.translation().z() - at[1]) * force.x() - (T.translation().x() - at[0]) * force.z();
  }

  const RobotModel* cad_;
  const SagittalModel* model_;
  const Sensors* sensors_;
  StaticRows contacts_;  ///< for the net force and CoP
  std::optional<std::vector<TorqueJoint>> joints_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd y_;
};

constexpr double kStep = 1e-6;  // [rad]; rounding and curvature both stay below 1e-5 of a slope

/// Derivative of the residual W φ − y of the plane by each joint angle: a wrong angle moves links and contacts.
Eigen::MatrixXd residual_slope(PlanarRows& rows, const RobotModel& cad, bool has_orientation, const Posture& posture,
                               const Eigen::VectorXd& phi) {
  rows.compute(posture);
  const Eigen::VectorXd here = rows.matrix() * phi - rows.y();
  Eigen::MatrixXd slope(here.size(), cad.num_joints());
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    Posture moved = posture;
    moved.state.q[7 + joint] += kStep;
    place_base(cad, has_orientation, moved.state);
    rows.compute(moved);
    slope.col(joint) = (rows.matrix() * phi - rows.y() - here) / kStep;
  }
  rows.compute(posture);
  return slope;
}

/// Derivative of the residual W φ − y by each joint angle, with a fixed projection N.
Eigen::MatrixXd residual_slope(StaticRows& rows, const RobotModel& cad, bool has_orientation, const Posture& posture,
                               const Eigen::VectorXd& phi) {
  rows.compute(posture);
  const Eigen::MatrixXd N = rows.directions();
  const Eigen::VectorXd here = rows.matrix() * phi - rows.y();
  Eigen::MatrixXd slope(here.size(), cad.num_joints());
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
  PlanarRows rows(cad, model, set.sensors);
  for (const Posture& posture : set.postures) {
    rows.compute(posture);
    const Eigen::VectorXd guess = problem.cad * (rows.vertical_force() / (kGravity * problem.mass.dot(problem.cad)));
    Eigen::MatrixXd S = rows.covariance(posture, noise);
    if (noise.joint_rad > 0.0) {
      const Eigen::MatrixXd slope = residual_slope(rows, cad, set.sensors.has_orientation, posture, guess);
      S += noise.joint_rad * noise.joint_rad * slope * slope.transpose();
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(S / posture.num_samples);
    problem.rows.push_back({.W = factor.matrixL().solve(rows.matrix()), .y = factor.matrixL().solve(rows.y())});
    problem.cops.push_back({.moments = rows.matrix().row(0) / kGravity, .cop = rows.cop()});
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
