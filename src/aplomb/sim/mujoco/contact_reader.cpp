#include "aplomb/sim/mujoco/contact_reader.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/sim/mujoco/mujoco_parts.hpp"

namespace aplomb {

ContactReader::ContactReader(const RobotModel& robot, const World& world, const MujocoModel& built) {
  const RobotDescription& description = robot.description();
  const auto limb_of = [&](const std::string& link) {
    return Limb{.body = built.body_of_link(robot, link),
                .T_body_link = robot.tree().links[static_cast<std::size_t>(robot.frame(link))].T_body_link};
  };
  for (int side : {kLeft, kRight}) {
    if (description.soles[side]) {
      feet_[side] = limb_of(description.roles.foot[side]);
      corner_of_cell_[side] = description.soles[side]->corner_order(description.load_cells[side]).value();
      for (int i = 0; i < 4; ++i) {
        const int geom = mj_name2id(built.model.get(), mjOBJ_GEOM, corner_name(side, i).c_str());
        corners_.push_back({.geom = geom, .side = side, .index = static_cast<std::size_t>(i)});
      }
    }
    if (!description.roles.hand[side].empty()) hands_[side] = limb_of(description.roles.hand[side]);
  }
  first_body_ = built.body_of_tree.front();
  if (!world.chair) return;
  seat_origin_ = {world.chair->hip_x + kChairOverhang, 0.0, world.chair->height};
  for (const char* name : {"world/seat", "world/back"}) {
    const int geom = mj_name2id(built.model.get(), mjOBJ_GEOM, name);
    if (geom >= 0) chair_geoms_.push_back(geom);
  }
}

Wrench ContactReader::in_limb(const Engine& engine, const Limb& limb, const Wrench& in_world) {
  if (limb.body < 0) return {};
  const Eigen::Matrix3d R_world_body = rotation(engine.data->xmat + 9 * limb.body);
  const Eigen::Vector3d origin =
      vector3(engine.data->xpos + 3 * limb.body) + R_world_body * limb.T_body_link.translation();
  const Eigen::Matrix3d R_world_link = R_world_body * limb.T_body_link.linear();
  return {.force = R_world_link.transpose() * in_world.force,
          .moment = R_world_link.transpose() * (in_world.moment - origin.cross(in_world.force))};
}

ContactWrenches ContactReader::read(const Engine& engine, const SpringContacts& springs) const {
  const mjModel& model = engine.model();
  const mjData& data = *engine.data;
  ContactWrenches wrenches;
  std::array<std::array<double, 4>, 2> corner_force = springs.corner_force();
  std::array<Wrench, 2> feet = springs.on_feet(), hands = springs.on_hands();  // world axes, about the world's origin
  for (const Wrench& hand : hands) wrenches.only_soles &= hand.force.isZero();
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    if (contact.efc_address < 0) continue;
    const bool is_own =
        model.geom_bodyid[contact.geom[0]] >= first_body_ && model.geom_bodyid[contact.geom[1]] >= first_body_;
    if (is_own) continue;  // the robot touches itself
    mjtNum in_contact[6];
    mj_contactForce(&model, &data, i, in_contact);
    // The engine's force is what the first geom does to the second.
    const Eigen::Vector3d on_second = rotation(contact.frame).transpose() * vector3(in_contact);
    bool is_sole = false;
    for (int which : {0, 1}) {
      const int body = model.geom_bodyid[contact.geom[which]];
      const Eigen::Vector3d force = which == 1 ? on_second : Eigen::Vector3d(-on_second);
      const Eigen::Vector3d moment = vector3(contact.pos).cross(force);
      for (int side : {kLeft, kRight}) {
        if (body == feet_[side].body) {
          is_sole = true;
          const auto corner = std::ranges::find(corners_, contact.geom[which], &Corner::geom);
          if (corner != corners_.end()) {
            const Eigen::Vector3d up = rotation(data.xmat + 9 * body) * feet_[side].T_body_link.linear().col(2);
            corner_force[side][corner->index] += up.dot(force);
          }
          feet[side].force += force;
          feet[side].moment += moment;
        } else if (body == hands_[side].body) {
          hands[side].force += force;
          hands[side].moment += moment;
        }
      }
      if (std::ranges::find(chair_geoms_, contact.geom[1 - which]) != chair_geoms_.end()) {
        wrenches.seat.force += force;
        wrenches.seat.moment += (vector3(contact.pos) - seat_origin_).cross(force);
      }
    }
    if (!is_sole) wrenches.only_soles = false;
  }
  for (int side : {kLeft, kRight}) {
    wrenches.foot[side] = in_limb(engine, feet_[side], feet[side]);
    wrenches.hand[side] = in_limb(engine, hands_[side], hands[side]);
    for (std::size_t cell = 0; cell < 4; ++cell) {
      wrenches.load_cells[side][cell] = corner_force[side][corner_of_cell_[side][cell]];
    }
  }
  return wrenches;
}

SeatOverlap ContactReader::seat_overlap(const Engine& engine) const {
  SeatOverlap overlap;
  if (chair_geoms_.empty()) return overlap;
  for (int i = 0; i < engine.data->ncon; ++i) {
    const mjContact& contact = engine.data->contact[i];
    const bool is_seat = contact.geom[0] == chair_geoms_.front() || contact.geom[1] == chair_geoms_.front();
    if (!is_seat || std::abs(contact.frame[2]) < 0.7) continue;  // its front edge carries nobody
    ++overlap.count;
    overlap.depth = std::max(overlap.depth, -contact.dist);
    overlap.x += contact.pos[0];
  }
  if (overlap.count > 0) overlap.x /= overlap.count;
  return overlap;
}

}  // namespace aplomb
