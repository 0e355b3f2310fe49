#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/sim/mujoco/mujoco_parts.hpp"

namespace aplomb {
namespace {

constexpr double kSupportMass = 1e4;  // [kg], [kg m²]: over 100 times a robot, so that its reaction does not move it
constexpr double kCushionMass = 1.0;  // [kg] of the plate on a cushion: light against a robot, heavy for its step
constexpr double kThickness = 0.1;    // [m] of plates and blocks
constexpr double kGroundSize = 2.0;   // [m] of a block or support: only its own foot touches it

mjsGeom& add_geom(mjsBody& body, const std::string& name, mjtGeom type, int bits, double friction) {
  mjsGeom* geom = mjs_addGeom(&body, nullptr);
  mjs_setName(geom->element, name.c_str());
  geom->type = type;
  geom->contype = bits;
  geom->conaffinity = 0;
  geom->priority = 1;  // this surface's friction counts, not the larger of the two
  set_contact(*geom, friction);
  return *geom;
}

mjsGeom& add_box(mjsBody& body, const std::string& name, const Eigen::Vector3d& centre, const Eigen::Vector3d& size,
                 int bits, double friction) {
  mjsGeom& box = add_geom(body, name, mjGEOM_BOX, bits, friction);
  copy(centre, box.pos);
  copy(Eigen::Vector3d(0.5 * size), box.size);
  return box;
}

/// A spring surface is computed by SpringContacts, not by the engine; other shapes still collide with it.
int bits_of(const Surface& surface) {
  return surface.spring ? kLinkBit : kLinkBit | kHandBit | kSoleBit[0] | kSoleBit[1];
}

mjsGeom& add_plane(mjsBody& body, const std::string& name, int bits, double friction) {
  mjsGeom& plane = add_geom(body, name, mjGEOM_PLANE, bits, friction);
  plane.size[2] = 1.0;
  return plane;
}

/// Separate ground for each foot, so that friction and support can be changed for one alone.
void add_floor(mjsBody& ground, const World& world) {
  const bool is_pit = !world.supports.empty();
  add_plane(ground, kFloorName, is_pit ? bits_of(world.floor) : bits_of(world.floor) & (kLinkBit | kHandBit),
            world.floor.friction)
      .pos[2] = is_pit ? -kPitDepth : 0.0;
  for (int side : {kLeft, kRight}) {
    if (world.support_of(side) != nullptr) continue;
    const int bits = world.floor.spring ? 0 : kSoleBit[side];
    if (is_pit) {
      add_box(ground, kGroundNames[side], {0.0, 0.0, -0.5 * kThickness}, {kGroundSize, kGroundSize, kThickness}, bits,
              world.floor.friction);
    } else {
      add_plane(ground, kGroundNames[side], bits, world.floor.friction);
    }
  }
}

void add_support(mjSpec& spec, const Support& support, const std::string& name) {
  mjsBody* body = mjs_addBody(mjs_findBody(&spec, "world"), nullptr);
  mjs_setName(body->element, name.c_str());
  Support at_rest = support;
  at_rest.motion.reset();
  const Eigen::Isometry3d T_world_body = at_rest.pose_at(0.0);
  copy(Eigen::Vector3d(T_world_body.translation()), body->pos);
  copy(Eigen::Quaterniond(T_world_body.linear()), body->quat);
  for (int side : {kLeft, kRight}) {
    if (!support.carries[side]) continue;
    add_box(*body, kGroundNames[side], {0.0, 0.0, -0.5 * kThickness}, {kGroundSize, kGroundSize, kThickness},
            kSoleBit[side], support.friction);
  }
  if (!support.motion) return;
  body->explicitinertial = 1;
  body->mass = kSupportMass;
  std::fill_n(body->inertia, 3, kSupportMass);
  body->gravcomp = 1.0;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, name.c_str());
  joint->type = support.motion->is_turning() ? mjJNT_HINGE : mjJNT_SLIDE;
  const int axis = static_cast<int>(support.motion->axis) % 3;  // roll turns about x, pitch about y
  copy(Eigen::Vector3d(T_world_body.linear().transpose() * Eigen::Vector3d::Unit(axis)), joint->axis);
}

/// What the seat is fixed to: the ground, or a light plate that moves up and down on a spring.
mjsBody& add_seat_body(mjsBody& ground, const Chair& chair) {
  if (!chair.spring) return ground;
  mjsBody* body = mjs_addBody(&ground, nullptr);
  mjs_setName(body->element, "world/cushion");
  body->explicitinertial = 1;
  body->mass = kCushionMass;
  std::fill_n(body->inertia, 3, kCushionMass);
  body->gravcomp = 1.0;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, "world/cushion");
  joint->type = mjJNT_SLIDE;
  copy(Eigen::Vector3d(Eigen::Vector3d::UnitZ()), joint->axis);
  joint->stiffness[0] = chair.spring->stiffness;
  joint->damping[0] = chair.spring->damping;
  joint->springref = chair.spring_load / chair.spring->stiffness;
  return *body;
}

void add_chair(mjsBody& ground, const Chair& chair) {
  const auto add = [&](const char* name, const Box& box, int bits) {
    add_box(ground, name, box.position, box.size, bits, chair.friction);
  };
  // Only shapes made for sitting touch the seat: a thigh's flat box would pivot on its edge.
  const Eigen::Isometry3d T_world_seat = chair.T_world_seat();
  mjsGeom& seat = add_box(add_seat_body(ground, chair), "world/seat", T_world_seat.translation(), chair.seat().size,
                          kSeatBit, chair.friction);
  copy(Eigen::Quaterniond(T_world_seat.linear()), seat.quat);
  if (chair.has_back) add("world/back", chair.back(), kLinkBit | kHandBit);
  if (!chair.has_arm_rests) return;
  add("world/left_rest", chair.arm_rest(kLeft), kLinkBit | kHandBit);
  add("world/right_rest", chair.arm_rest(kRight), kLinkBit | kHandBit);
}

}  // namespace

std::string support_name(std::size_t index) { return fmt::format("world/support_{}", index); }

void add_world(mjSpec& spec, const World& world) {
  mjsBody& ground = *mjs_findBody(&spec, "world");
  add_floor(ground, world);
  for (std::size_t i = 0; i < world.supports.size(); ++i) add_support(spec, world.supports[i], support_name(i));
  if (world.chair) add_chair(ground, *world.chair);
  for (std::size_t i = 0; i < world.walls.size(); ++i) {
    const Wall& wall = world.walls[i];
    mjsGeom& plane = add_plane(ground, fmt::format("world/wall_{}", i), bits_of(wall.surface), wall.surface.friction);
    copy(wall.position, plane.pos);
    copy(turn_between(Eigen::Vector3d::UnitZ(), wall.normal), plane.quat);
  }
  for (std::size_t i = 0; i < world.boxes.size(); ++i) {
    const Box& box = world.boxes[i];
    add_box(ground, fmt::format("world/box_{}", i), box.position, box.size, bits_of(box.surface), box.surface.friction);
  }
}

}  // namespace aplomb
