#include "aplomb/retarget/whole_motion/motion_trajectory.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/retarget/whole_motion/motion_forces.hpp"
#include "aplomb/retarget/whole_motion/motion_frame.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"

namespace aplomb {
namespace {

/// Adds the forces of one contact of the motion in a frame to the wrench of its site about `point`.
void add_wrench(const MotionTask& task, const MotionForces& forces, Eigen::Index frame, const Eigen::VectorXd& f,
                std::size_t contact, const Eigen::Vector3d& point, Eigen::Ref<Vector6d> wrench) {
  const Eigen::Index first = forces.first_of_contact(contact);
  Eigen::Vector3d force, moment = Eigen::Vector3d::Zero(), place;
  if (contact < task.soles.size()) {
    const Eigen::Isometry3d& sole = task.soles[contact].T_world_sole(frame);
    force = sole.linear() * f.segment<3>(first);
    moment = sole.linear() * f.segment<3>(first + 3);
    place = sole.translation();
  } else {
    force = f.segment<3>(first);
    place = task.points[contact - task.soles.size()].place;
  }
  wrench.head<3>() += force;
  wrench.tail<3>() += moment + (place - point).cross(force);
}

/// The forces nearest to f that give the wrench, in units of the load of each contact: forces and, by the lever,
/// moments of a loaded contact change more than those of one that hardly bears, whose CoP would move most; a contact
/// without a load stays without.
Eigen::VectorXd corrected(const MotionTask& task, const MotionForces& forces, Eigen::Index frame,
                          const Eigen::VectorXd& f, const Vector6d& wrench) {
  const Eigen::Matrix<double, 6, Eigen::Dynamic>& map = forces.frame(frame).map;
  Eigen::VectorXd weight(f.size());
  for (std::size_t contact = 0; contact < forces.num_contacts(); ++contact) {
    const Eigen::Index first = forces.first_of_contact(contact);
    const double load = f[first + 2];
    weight.segment<3>(first).setConstant(load * load);
    if (forces.size_of_contact(contact) == 6) weight.segment<3>(first + 3).setConstant(std::pow(task.lever * load, 2));
  }
  const Eigen::Matrix<double, 6, Eigen::Dynamic> weighted = map * weight.asDiagonal();
  const Eigen::Matrix<double, 6, 6> normal = weighted * map.transpose();
  return f + weighted.transpose() * normal.ldlt().solve(wrench - map * f);
}

}  // namespace

Trajectory motion_trajectory(const RobotModel& robot, const MotionTask& task, const WholeMotion& motion,
                             const ContactPlan& contacts, double rate_hz) {
  const MotionSpline spline(motion.knots, task.step_s);
  const Eigen::Index last_knot = spline.num_knots() - 1;
  const auto samples = static_cast<Eigen::Index>(std::lround(spline.duration_s() * rate_hz)) + 1;
  MotionDerivatives derivatives(robot);
  const MotionForces forces(task, robot.mass() * kGravity);
  MotionFrame frame(task, forces, derivatives);

  Trajectory to;
  to.robot = robot.name();
  for (const Joint& joint : robot.joints()) to.joints.push_back(joint.name);
  to.rate_hz = rate_hz;
  to.q.resize(robot.nq(), samples);
  to.v.resize(robot.nv(), samples);
  to.a = to.v;
  to.com.resize(3, samples);
  to.com_velocity = to.com_acceleration = to.force = to.com;
  to.zmp.resize(2, samples);
  to.torque.resize(robot.num_joints(), samples);
  to.seat_share.setZero(samples);
  // One table for each site; a site may have several intervals, with the same link and point.
  std::vector<int> bodies;
  std::vector<Eigen::Vector3d> offsets;
  for (const ContactPlan::Contact& contact : contacts.contacts) {
    const auto same = [&](const Trajectory::ContactWrenches& other) { return other.site == contact.site; };
    if (std::ranges::any_of(to.wrenches, same)) continue;
    to.wrenches.push_back({contact.site, Eigen::Matrix<double, 6, Eigen::Dynamic>::Zero(6, samples)});
    const LinkPlacement& link = robot.tree().links[static_cast<std::size_t>(robot.frame(contact.link))];
    bodies.push_back(link.body);
    offsets.emplace_back(link.T_body_link * contact.point);
  }

  Eigen::VectorXd x, rates, accelerations;
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double time = static_cast<double>(i) / rate_hz;
    spline.at(time, x, rates, accelerations);
    const double place = std::min(time / task.step_s, static_cast<double>(last_knot));
    const Eigen::Index knot = std::min(static_cast<Eigen::Index>(place + 1e-9), last_knot - 1);
    const double u = place - static_cast<double>(knot);
    const Eigen::Index nearest = u < 0.5 ? knot : knot + 1;
    frame.evaluate(nearest, x, rates, accelerations);
    const Vector6d& wrench = frame.values().wrench;
    const Eigen::VectorXd f =
        corrected(task, forces, nearest, (1.0 - u) * motion.forces.col(knot) + u * motion.forces.col(knot + 1), wrench);
    to.q.col(i) = configuration_of(x);
    to.v.col(i) = velocity_of(x, rates);
    to.a.col(i) = acceleration_of(x, rates, accelerations);
    to.com.col(i) = derivatives.com();
    to.com_velocity.col(i) = derivatives.com_jacobian() * rates;
    to.com_acceleration.col(i) = wrench.head<3>() / robot.mass() - Eigen::Vector3d(0.0, 0.0, kGravity);
    to.force.col(i) = wrench.head<3>();
    to.zmp.col(i) << -wrench[4] / wrench[2], wrench[3] / wrench[2];
    to.torque.col(i) = frame.torques(f);
    for (std::size_t w = 0; w < to.wrenches.size(); ++w) {
      Trajectory::ContactWrenches& site = to.wrenches[w];
      const Eigen::Vector3d point = derivatives.pose(bodies[w]) * offsets[w];
      for (std::size_t contact = 0; contact < forces.num_contacts(); ++contact) {
        if (forces.name_of_contact(contact) != to_string(site.site)) continue;
        add_wrench(task, forces, nearest, f, contact, point, site.wrench.col(i));
      }
    }
  }
  to.seat_share = seat_share_of(to);
  if (contacts.has(ContactSite::left_hand) || contacts.has(ContactSite::right_hand)) to.hand_share = hand_share_of(to);
  return to;
}

}  // namespace aplomb
