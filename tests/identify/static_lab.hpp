#pragma once

#include <fmt/format.h>

#include <functional>
#include <random>

#include "aplomb/core/table/log.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb::test {

/// The CAD with every link's mass and CoM changed at random: what a real robot is to its CAD.
inline RobotModel perturbed(const RobotModel& cad, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Urdf urdf = cad.urdf();
  for (UrdfLink& link : urdf.links) {
    const double scale = 1.0 + 0.3 * unit(engine);
    link.inertia.mass *= scale;
    link.inertia.about_com *= scale;
    for (int i = 0; i < 3; ++i) link.inertia.com[i] += 0.02 * unit(engine);
  }
  RobotDescription description = cad.description();
  description.frames.clear();
  return RobotModel(urdf, description);
}

/// Joints anywhere within two thirds of their limits, any tilt of the base up to 0.6 rad.
inline RobotState tilted_state(const RobotModel& robot, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  RobotState state = robot.neutral_state();
  for (int i = 0; i < robot.num_joints(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    const double middle = 0.5 * (joint.lower + joint.upper), half = 0.33 * (joint.upper - joint.lower);
    state.q[7 + i] = middle + half * unit(engine);
  }
  const Eigen::Vector3d axis = Eigen::Vector3d(unit(engine), unit(engine), 0.0).normalized();
  state.q.segment<4>(3) = Eigen::Quaterniond(Eigen::AngleAxisd(0.6 * unit(engine), axis)).coeffs();
  return state;
}

/// A robot that is held at its left foot, whose wrench is measured: every posture is possible. Without noise.
inline Log held_at_the_foot(const RobotModel& truth, int count, unsigned seed,
                            const std::function<RobotState(std::mt19937_64&)>& draw = {}) {
  std::vector<std::string> columns = {"posture", "base_qx", "base_qy", "base_qz", "base_qw"};
  for (const Joint& joint : truth.joints()) columns.push_back(angle_column(joint));
  for (const char* part : {"fx_n", "fy_n", "fz_n", "mx_nm", "my_nm", "mz_nm"})
    columns.push_back(fmt::format("left_foot_{}", part));
  Log log(columns);
  std::mt19937_64 engine(seed);
  RobotTerms terms(truth, {});
  BodyMotions motions(truth);
  for (int k = 0; k < count; ++k) {
    const RobotState state = draw ? draw(engine) : tilted_state(truth, engine);
    terms.update(state);
    motions.place(state.q);
    const Eigen::Isometry3d T = motions.link_pose(truth.frame(truth.description().roles.foot[kLeft]));
    const Eigen::Vector3d weight(0, 0, truth.mass() * kGravity);
    const Eigen::Vector3d force = T.linear().transpose() * weight;
    const Eigen::Vector3d moment = T.linear().transpose() * (terms.com() - T.translation()).cross(weight);
    std::vector<double> row = {static_cast<double>(k)};
    row.insert(row.end(), state.q.data() + 3, state.q.data() + state.q.size());
    row.insert(row.end(), force.data(), force.data() + 3);
    row.insert(row.end(), moment.data(), moment.data() + 3);
    log.append(row);
  }
  return log;
}

}  // namespace aplomb::test
