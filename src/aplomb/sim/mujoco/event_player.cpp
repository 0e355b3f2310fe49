#include "aplomb/sim/mujoco/event_player.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "aplomb/sim/mujoco/mujoco_parts.hpp"

namespace aplomb {
namespace {

/// Adds a point mass to a body of the engine's model.
void add_mass(mjModel& model, int body, double mass, const Eigen::Vector3d& at) {
  const Eigen::Vector3d old_com = vector3(model.body_ipos + 3 * body);
  const mjtNum* q = model.body_iquat + 4 * body;
  const Eigen::Matrix3d axes = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  const Eigen::Matrix3d old_inertia = axes * vector3(model.body_inertia + 3 * body).asDiagonal() * axes.transpose();
  const double old_mass = model.body_mass[body];
  const double new_mass = old_mass + mass;
  const Eigen::Vector3d com = (old_mass * old_com + mass * at) / new_mass;
  // The parallel axis theorem, for the old body and for the point.
  const auto about = [&com](double m, const Eigen::Vector3d& c) -> Eigen::Matrix3d {
    const Eigen::Vector3d d = c - com;
    return m * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  };
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(old_inertia + about(old_mass, old_com) +
                                                                 about(mass, at));
  Eigen::Matrix3d new_axes = principal.eigenvectors();
  if (new_axes.determinant() < 0.0) new_axes.col(0) *= -1.0;
  model.body_mass[body] = new_mass;
  copy(com, model.body_ipos + 3 * body);
  copy(Eigen::Quaterniond(new_axes), model.body_iquat + 4 * body);
  copy(Eigen::Vector3d(principal.eigenvalues()), model.body_inertia + 3 * body);
  const DataPtr scratch(mj_makeData(&model));
  mj_setConst(&model, scratch.get());
}

}  // namespace

EventPlayer::EventPlayer(const RobotModel& robot, const SimulationEvents& events, const MujocoModel& built)
    : events_(events),
      is_friction_changed_(events.friction_changes.size(), false),
      is_handed_over_(events.payloads.size(), false) {
  const auto target = [&](const std::string& link, const Eigen::Vector3d& in_link) {
    const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
    return Target{.body = built.body_of_link(robot, link), .in_body = placement.T_body_link * in_link};
  };
  for (const Push& push : events_.pushes) {
    const bool is_point = push.at == Push::At::point;
    push_targets_.push_back(
        target(push.link, is_point ? push.point_in_link : robot.urdf().link(push.link).inertia.com));
  }
  for (const Payload& payload : events_.payloads) {
    payload_targets_.push_back(target(payload.link, payload.point_in_link));
  }
  for (Push& push : events_.pushes) {
    // A link that is fixed to a body may have other axes; the player turns the force with the body.
    const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(push.link))];
    if (push.frame == Push::Frame::link) push.peak_force = placement.T_body_link.linear() * push.peak_force;
  }
}

void EventPlayer::apply(Engine& engine, SpringContacts& springs) {
  std::fill_n(engine.data->xfrc_applied, 6 * engine.model().nbody, 0.0);
  apply_pushes(engine);
  change_friction(engine, springs);
  lose_contacts(engine, springs);
  hand_over_payloads(engine);
}

Eigen::Vector3d EventPlayer::push_force(const Engine& engine) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < events_.pushes.size(); ++i) {
    const Push& push = events_.pushes[i];
    const Eigen::Vector3d force = push.force_at(engine.data->time);
    const Eigen::Matrix3d R_world_body = rotation(engine.data->xmat + 9 * push_targets_[i].body);
    sum += push.frame == Push::Frame::world ? force : Eigen::Vector3d(R_world_body * force);
  }
  return sum;
}

void EventPlayer::apply_pushes(Engine& engine) const {
  const mjData& data = *engine.data;
  for (std::size_t i = 0; i < events_.pushes.size(); ++i) {
    const Push& push = events_.pushes[i];
    const Target& target = push_targets_[i];
    const Eigen::Matrix3d R_world_body = rotation(data.xmat + 9 * target.body);
    // The middle of the step decides, so that a push of n steps has n steps of impulse whatever the rounding.
    Eigen::Vector3d force = push.force_at(data.time + 0.5 * engine.model().opt.timestep);
    if (push.frame == Push::Frame::link) force = R_world_body * force;
    const int root = engine.model().body_rootid[target.body];
    Eigen::Vector3d point = vector3(data.xpos + 3 * target.body) + R_world_body * target.in_body;
    if (push.at == Push::At::robot_com) point = vector3(data.subtree_com + 3 * root);
    engine.add_force(target.body, point, force);
  }
}

void EventPlayer::change_friction(Engine& engine, SpringContacts& springs) {
  for (std::size_t i = 0; i < events_.friction_changes.size(); ++i) {
    const FrictionChange& change = events_.friction_changes[i];
    if (is_friction_changed_[i] || engine.data->time < change.start_s) continue;
    is_friction_changed_[i] = true;
    for (int side : {kLeft, kRight}) {
      if (change.side && *change.side != side) continue;
      engine.model().geom_friction[3 * engine.built.ground_geom[side]] = change.friction;
      springs.set_ground_friction(side, change.friction);
    }
    if (change.side) continue;
    engine.model().geom_friction[3 * engine.built.floor_geom] = change.friction;
    springs.set_floor_friction(change.friction);
  }
}

void EventPlayer::lose_contacts(Engine& engine, SpringContacts& springs) const {
  if (events_.contact_losses.empty()) return;
  const double time_s = engine.data->time;
  for (int side : {kLeft, kRight}) {
    const bool is_lost = std::ranges::any_of(events_.contact_losses, [&](const ContactLoss& loss) {
      return !loss.is_hand && loss.side == side && time_s >= loss.start_s && time_s < loss.start_s + loss.duration_s;
    });
    engine.model().geom_contype[engine.built.ground_geom[side]] = is_lost ? 0 : engine.built.ground_bits[side];
    springs.set_ground_lost(side, is_lost);
    springs.set_hand_lost(side, std::ranges::any_of(events_.contact_losses, [&](const ContactLoss& loss) {
                            return loss.is_hand && loss.side == side && time_s >= loss.start_s &&
                                   time_s < loss.start_s + loss.duration_s;
                          }));
  }
}

void EventPlayer::hand_over_payloads(Engine& engine) {
  for (std::size_t i = 0; i < events_.payloads.size(); ++i) {
    if (is_handed_over_[i] || engine.data->time < events_.payloads[i].start_s) continue;
    is_handed_over_[i] = true;
    add_mass(engine.model(), payload_targets_[i].body, events_.payloads[i].mass, payload_targets_[i].in_body);
  }
}

}  // namespace aplomb
