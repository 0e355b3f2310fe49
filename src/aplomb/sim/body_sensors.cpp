#include "aplomb/sim/body_sensors.hpp"

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/carrying_wrench.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {

BodySensors::BodySensors(const RobotModel& robot)
    : kinematics_(robot), pelvis_(make_site(robot, robot.description().roles.pelvis)) {
  for (int side : {kLeft, kRight}) {
    if (!robot.description().soles[side]) continue;
    Foot& foot = feet_[side].emplace();
    foot.site = make_site(robot, robot.description().roles.foot[side]);
    const RigidBody& body = robot.tree().bodies[static_cast<std::size_t>(foot.site.body)];
    foot.inertia = transformed(foot.site.T_body_site.inverse(), body.inertia);
  }
}

BodySensors::Site BodySensors::make_site(const RobotModel& robot, const std::string& link) {
  Site site;
  if (link.empty()) return site;  // the base
  const FrameId frame = robot.frame(link);
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(frame)];
  site.body = placement.body;
  site.T_body_site = placement.T_body_link;
  site.joints = robot.joint_chain(frame);
  return site;
}

Eigen::Vector3d BodySensors::velocity_of(const Site& site, const RobotState& state) const {
  const Eigen::Vector3d point = kinematics_.point(site.body, site.T_body_site.translation());
  const Eigen::Matrix3d& R_world_base = kinematics_.rotation(0);
  const Eigen::Vector3d turn = R_world_base * state.v.segment<3>(3);
  Eigen::Vector3d velocity = R_world_base * state.v.head<3>() + turn.cross(point - kinematics_.origin(0));
  for (int joint : site.joints) {
    const Eigen::Vector3d& axis = kinematics_.axis(joint);
    const double rate = state.v[kBaseV + joint];
    velocity += kinematics_.is_prismatic(joint)
                    ? Eigen::Vector3d(rate * axis)
                    : Eigen::Vector3d(rate * axis.cross(point - kinematics_.origin(joint + 1)));
  }
  return velocity;
}

void BodySensors::move(Site& site, const RobotState& state) const {
  constexpr double dt = Simulation::kControlPeriod;
  const Eigen::Matrix3d R = kinematics_.rotation(site.body) * site.T_body_site.linear();
  const Eigen::Vector3d velocity = velocity_of(site, state);
  const Eigen::Vector3d turn =
      has_started_ ? rotation_vector(site.R_world_site.transpose() * R) : Eigen::Vector3d(Eigen::Vector3d::Zero());
  const Eigen::Vector3d acceleration =
      has_started_ ? Eigen::Vector3d((velocity - site.velocity) / dt) : Eigen::Vector3d(Eigen::Vector3d::Zero());
  const Eigen::Vector3d angular_velocity = turn / dt;
  site.angular_acceleration = (angular_velocity - site.angular_velocity) / dt;
  site.angular_velocity = angular_velocity;
  const Eigen::Matrix3d R_halfway = R * rotation_by(-0.5 * turn);
  site.specific_force = R_halfway.transpose() * (acceleration + Eigen::Vector3d(0.0, 0.0, kGravity));
  site.R_world_site = R;
  site.velocity = velocity;
}

void BodySensors::measure(const RobotState& state, SensorReadings& readings) {
  kinematics_.update(state.q);
  move(pelvis_, state);
  readings.imu_acceleration = pelvis_.specific_force;
  readings.imu_angular_velocity = pelvis_.angular_velocity;
  for (int side : {kLeft, kRight}) {
    if (!feet_[side]) continue;
    Site& site = feet_[side]->site;
    move(site, state);
    readings.foot_acceleration[side] = site.specific_force;
    readings.foot_angular_velocity[side] = site.angular_velocity;
    const Wrench carrying =
        carrying_wrench(feet_[side]->inertia, site.specific_force, site.angular_velocity, site.angular_acceleration);
    readings.ankle_wrench[side].force = readings.foot_wrench[side].force - carrying.force;
    readings.ankle_wrench[side].moment = readings.foot_wrench[side].moment - carrying.moment;
  }
  has_started_ = true;
}

}  // namespace aplomb
