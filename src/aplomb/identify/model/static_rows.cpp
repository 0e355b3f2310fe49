#include "aplomb/identify/model/static_rows.hpp"

namespace aplomb {
namespace {

/// Pose of a force plate: level, at the origin, where `place_base` puts the mid-point of the soles.
Eigen::Isometry3d plate_pose() { return Eigen::Isometry3d::Identity(); }

Eigen::MatrixXd pick_rows(const Eigen::MatrixXd& all, const std::vector<int>& rows) {
  Eigen::MatrixXd picked(static_cast<Eigen::Index>(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) picked.row(static_cast<Eigen::Index>(i)) = all.row(rows[i]);
  return picked;
}

}  // namespace

StaticRows::StaticRows(const RobotModel& model, const Sensors& sensors, const RegressorColumns& columns)
    : model_(&model), sensors_(sensors), columns_(columns), motions_(model), K_(model.nv(), columns.size()) {
  for (int row = 0; row < 6; ++row) kept_.push_back(row);
  for (int joint : sensors.torque_joints) kept_.push_back(6 + joint);
}

void StaticRows::add_contact(std::size_t index, const Posture& posture) {
  const ContactSensor& sensor = sensors_.contacts[index];
  const Vector6d& reading = posture.contacts[index];
  const int body = sensor.is_plate ? 0 : model_->tree().links[static_cast<std::size_t>(sensor.link)].body;
  const Eigen::Isometry3d T = sensor.is_plate ? plate_pose() : motions_.link_pose(sensor.link);
  const bool is_cop = sensor.kind == ContactSensor::Kind::cop;
  const Eigen::Vector3d point = is_cop ? T * Eigen::Vector3d(reading[0], reading[1], sensor.sole_z) : T.translation();
  const auto unit = [&](int axis, bool is_moment) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(model_->nv());
    const Eigen::Vector3d along = T.linear().col(axis), none = Eigen::Vector3d::Zero();
    add_wrench(motions_, body, point, is_moment ? none : along, is_moment ? along : none, direction);
    return direction;
  };
  using Kind = NoiseDirection::Kind;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  if (is_cop) {
    force = reading[2] * T.linear().col(2);
    // A CoP sensor does not measure the friction forces and the moment about the normal.
    for (const auto& direction : {unit(0, false), unit(1, false), unit(2, true)}) unmeasured_.push_back(direction);
    noisy_.push_back({unit(2, false), Kind::vertical_force, 1.0});
    for (int axis : {0, 1}) noisy_.push_back({unit(axis, true), Kind::cop, reading[2]});  // fz times the CoP's error
  } else {
    force = T.linear() * reading.head<3>();
    moment = T.linear() * reading.tail<3>();
    for (int axis : {0, 1, 2}) {
      noisy_.push_back({unit(axis, false), Kind::force, 1.0});
      noisy_.push_back({unit(axis, true), Kind::moment, 1.0});
    }
  }
  add_wrench(motions_, body, point, force, moment, known_);
  net_force_ += force;
  net_moment_ += moment + point.cross(force);
}

void StaticRows::compute(const Posture& posture, const Eigen::MatrixXd* directions) {
  motions_.place(posture.state.q);
  write_regressor(motions_, columns_, K_);
  known_ = Eigen::VectorXd::Zero(model_->nv());
  unmeasured_.clear();
  noisy_.clear();
  net_force_.setZero();
  net_moment_.setZero();
  for (std::size_t i = 0; i < sensors_.contacts.size(); ++i) add_contact(i, posture);
  for (std::size_t i = 0; i < sensors_.torque_joints.size(); ++i) {
    known_[6 + sensors_.torque_joints[i]] += posture.torque[static_cast<Eigen::Index>(i)];
  }
  if (directions != nullptr) {
    N_ = *directions;
  } else {
    Eigen::MatrixXd A(model_->nv(), static_cast<Eigen::Index>(unmeasured_.size()));
    for (std::size_t i = 0; i < unmeasured_.size(); ++i) A.col(static_cast<Eigen::Index>(i)) = unmeasured_[i];
    N_ = directions_beside(pick_rows(A, kept_));
  }
  W_ = N_.transpose() * pick_rows(K_, kept_);
  y_ = N_.transpose() * pick_rows(known_, kept_);
}

Eigen::MatrixXd StaticRows::covariance(const MeasurementNoise& noise) const {
  using Kind = NoiseDirection::Kind;
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(y_.size(), y_.size());
  for (const NoiseDirection& noisy : noisy_) {
    const double one = noisy.kind == Kind::cop              ? noise.cop_m
                       : noisy.kind == Kind::vertical_force ? noise.vertical_force_n
                       : noisy.kind == Kind::force          ? noise.force_n
                                                            : noise.moment_nm;
    const Eigen::VectorXd along = one * noisy.scale * (N_.transpose() * pick_rows(noisy.direction, kept_));
    S += along * along.transpose();
  }
  for (std::size_t i = 6; i < kept_.size(); ++i) {
    const Eigen::VectorXd along = noise.torque_nm * N_.row(static_cast<Eigen::Index>(i)).transpose();
    S += along * along.transpose();
  }
  return S;
}

Eigen::Vector2d StaticRows::cop() const { return Eigen::Vector2d(-net_moment_.y(), net_moment_.x()) / net_force_.z(); }

}  // namespace aplomb
