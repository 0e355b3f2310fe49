#include "aplomb/robot/dynamics/motion_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/pinocchio_model.hpp"

namespace aplomb {
namespace {

Eigen::Matrix3d base_rotation(const Eigen::VectorXd& flat) {
  return (Eigen::AngleAxisd(flat[3], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(flat[4], Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(flat[5], Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

/// Angular velocity in base axes per unit of the rates of yaw, pitch, roll.
Eigen::Matrix3d angle_rates_to_base(double pitch, double roll) {
  Eigen::Matrix3d to_base;
  to_base.col(0) << -std::sin(pitch), std::cos(pitch) * std::sin(roll), std::cos(pitch) * std::cos(roll);
  to_base.col(1) << 0.0, std::cos(roll), -std::sin(roll);
  to_base.col(2) << 1.0, 0.0, 0.0;
  return to_base;
}

/// Its time derivative.
Eigen::Matrix3d angle_rates_to_base_rate(double pitch, double roll, double pitch_rate, double roll_rate) {
  Eigen::Matrix3d rate = Eigen::Matrix3d::Zero();
  const double sp = std::sin(pitch), cp = std::cos(pitch), sr = std::sin(roll), cr = std::cos(roll);
  rate.col(0) << -cp * pitch_rate, -sp * sr * pitch_rate + cp * cr * roll_rate,
      -sp * cr * pitch_rate - cp * sr * roll_rate;
  rate.col(1) << 0.0, -sr * roll_rate, -cr * roll_rate;
  return rate;
}

/// The robot with its free base replaced by three prismatic and three revolute joints.
pinocchio::Model flat_model(const pinocchio::Model& free) {
  pinocchio::Model flat;
  const pinocchio::SE3 none = pinocchio::SE3::Identity();
  pinocchio::JointIndex base = 0;
  base = flat.addJoint(base, pinocchio::JointModelPX(), none, "base_x");
  base = flat.addJoint(base, pinocchio::JointModelPY(), none, "base_y");
  base = flat.addJoint(base, pinocchio::JointModelPZ(), none, "base_z");
  base = flat.addJoint(base, pinocchio::JointModelRZ(), none, "base_yaw");
  base = flat.addJoint(base, pinocchio::JointModelRY(), none, "base_pitch");
  base = flat.addJoint(base, pinocchio::JointModelRX(), none, "base_roll");
  flat.appendBodyToJoint(base, free.inertias[1], none);
  for (pinocchio::JointIndex joint = 2; joint < static_cast<pinocchio::JointIndex>(free.njoints); ++joint) {
    const pinocchio::JointIndex id =
        flat.addJoint(free.parents[joint] + 5, free.joints[joint], free.jointPlacements[joint], free.names[joint]);
    flat.appendBodyToJoint(id, free.inertias[joint], none);
  }
  flat.armature.tail(free.nv - 6) = free.armature.tail(free.nv - 6);
  return flat;
}

}  // namespace

Eigen::VectorXd flat_coordinates(const Eigen::VectorXd& q) {
  const Eigen::Matrix3d R = base_orientation(q).normalized().toRotationMatrix();
  Eigen::VectorXd flat(q.size() - 1);
  flat.head<3>() = q.head<3>();
  flat[3] = std::atan2(R(1, 0), R(0, 0));
  flat[4] = -std::asin(std::clamp(R(2, 0), -1.0, 1.0));
  flat[5] = std::atan2(R(2, 1), R(2, 2));
  flat.tail(q.size() - kBaseQ) = joint_positions(q);
  return flat;
}

Eigen::VectorXd configuration_of(const Eigen::VectorXd& flat) {
  Eigen::VectorXd q(flat.size() + 1);
  q.head<3>() = flat.head<3>();
  Eigen::Quaterniond orientation(base_rotation(flat));
  if (orientation.w() < 0.0) orientation.coeffs() *= -1.0;
  q.segment<4>(3) = orientation.coeffs();
  q.tail(flat.size() - kBaseV) = flat.tail(flat.size() - kBaseV);
  return q;
}

Eigen::VectorXd velocity_of(const Eigen::VectorXd& flat, const Eigen::VectorXd& rates) {
  Eigen::VectorXd v = rates;
  v.head<3>() = base_rotation(flat).transpose() * rates.head<3>();
  v.segment<3>(3) = angle_rates_to_base(flat[4], flat[5]) * rates.segment<3>(3);
  return v;
}

Eigen::VectorXd acceleration_of(const Eigen::VectorXd& flat, const Eigen::VectorXd& rates,
                                const Eigen::VectorXd& accelerations) {
  Eigen::VectorXd a = accelerations;
  const Eigen::Matrix3d Rt = base_rotation(flat).transpose();
  const Eigen::Vector3d velocity = Rt * rates.head<3>();
  const Eigen::Vector3d turn = angle_rates_to_base(flat[4], flat[5]) * rates.segment<3>(3);
  a.head<3>() = Rt * accelerations.head<3>() - turn.cross(velocity);
  a.segment<3>(3) = angle_rates_to_base(flat[4], flat[5]) * accelerations.segment<3>(3) +
                    angle_rates_to_base_rate(flat[4], flat[5], rates[4], rates[5]) * rates.segment<3>(3);
  return a;
}

struct MotionDerivatives::Work {
  explicit Work(const pinocchio::Model& free) : model(flat_model(free)), data(model) {}
  pinocchio::Model model;
  pinocchio::Data data;
};

MotionDerivatives::MotionDerivatives(const RobotModel& model)
    : work_(std::make_unique<Work>(model.pinocchio().model)), size_(work_->model.nv) {
  const int num_bodies = size_ - 5;
  torque_.setZero(size_);
  by_position_.setZero(size_, size_);
  by_rate_ = mass_matrix_ = by_position_;
  columns_.setZero(6, size_);
  com_jacobian_.setZero(3, size_);
  poses_.resize(static_cast<std::size_t>(num_bodies), Eigen::Isometry3d::Identity());
  moves_.setZero(size_, num_bodies);
  for (int body = 0; body < num_bodies; ++body) {
    for (auto joint = static_cast<pinocchio::JointIndex>(body + 6); joint > 0; joint = work_->model.parents[joint]) {
      moves_(static_cast<Eigen::Index>(joint) - 1, body) = 1;
    }
  }
}
MotionDerivatives::MotionDerivatives(MotionDerivatives&&) noexcept = default;
MotionDerivatives::~MotionDerivatives() = default;

void MotionDerivatives::update(const Eigen::VectorXd& x, const Eigen::VectorXd& rates,
                               const Eigen::VectorXd& accelerations) {
  by_position_.setZero();
  by_rate_.setZero();
  mass_matrix_.setZero();
  pinocchio::computeRNEADerivatives(work_->model, work_->data, x, rates, accelerations, by_position_, by_rate_,
                                    mass_matrix_);
  mass_matrix_.triangularView<Eigen::StrictlyLower>() = mass_matrix_.transpose().triangularView<Eigen::StrictlyLower>();
  torque_ = work_->data.tau;
  const double mass = work_->data.oYcrb[1].mass();
  com_ = work_->data.oYcrb[1].lever();
  columns_ = work_->data.J;
  for (int i = 0; i < size_; ++i) {
    const pinocchio::Inertia& below = work_->data.oYcrb[static_cast<std::size_t>(i + 1)];
    com_jacobian_.col(i) =
        below.mass() / mass *
        (columns_.col(i).head<3>() + columns_.col(i).tail<3>().cross(Eigen::Vector3d(below.lever())));
  }
  read_kinematics();
}

void MotionDerivatives::update_values(const Eigen::VectorXd& x, const Eigen::VectorXd& rates,
                                      const Eigen::VectorXd& accelerations) {
  const Eigen::Ref<const Eigen::VectorXd> position(x), rate(rates), acceleration(accelerations);
  torque_ = pinocchio::rnea(work_->model, work_->data, position, rate, acceleration);
  com_jacobian_ = pinocchio::jacobianCenterOfMass(work_->model, work_->data, x, false);
  com_ = work_->data.com[0];
  pinocchio::computeJointJacobians(work_->model, work_->data, x);
  columns_ = work_->data.J;
  read_kinematics();
}

void MotionDerivatives::read_kinematics() {
  for (std::size_t body = 0; body < poses_.size(); ++body) {
    const pinocchio::SE3& pose = work_->data.oMi[body + 6];
    poses_[body].linear() = pose.rotation();
    poses_[body].translation() = pose.translation();
  }
}

}  // namespace aplomb
