#include "aplomb/sim/mujoco/spring_contacts.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

namespace aplomb {

/// As in the engine: ground at z = 0 for each foot without a support, and the floor for everything else.
void SpringContacts::add_floor(const World& world) {
  SpringSurface floor{.friction = world.floor.friction, .spring = *world.floor.spring};
  for (int side : {kLeft, kRight}) {
    if (world.support_of(side) != nullptr) continue;
    SpringSurface ground = floor;
    ground.meets_foot = {side == kLeft, side == kRight};
    ground.meets_hands = false;
    ground.ground_of = side;
    surfaces_.push_back(ground);
  }
  const bool is_pit = !world.supports.empty();
  floor.position.z() = is_pit ? -kPitDepth : 0.0;
  floor.meets_foot = {is_pit, is_pit};
  floor.is_floor = true;
  surfaces_.push_back(floor);
}

SpringContacts::SpringContacts(const RobotModel& robot, const World& world, const MujocoModel& built) {
  if (world.floor.spring) add_floor(world);
  for (const Wall& wall : world.walls) {
    if (!wall.surface.spring) continue;
    surfaces_.push_back({.position = wall.position,
                         .normal = wall.normal,
                         .friction = wall.surface.friction,
                         .spring = *wall.surface.spring});
  }
  for (const Box& box : world.boxes) {
    if (!box.surface.spring) continue;
    surfaces_.push_back({.position = box.position,
                         .box_size = box.size,
                         .friction = box.surface.friction,
                         .spring = *box.surface.spring});
  }
  const RobotDescription& description = robot.description();
  for (int side : {kLeft, kRight}) {
    for (std::size_t i = 0; description.soles[side] && i < 4; ++i) {
      const Eigen::Vector3d corner = description.soles[side]->corners()[i];
      add_point(robot, built, description.roles.foot[side],
                {.in_body = corner, .share = 0.25, .is_foot = true, .side = side, .corner = i});
    }
    const std::string& hand = description.roles.hand[side];
    if (!hand.empty()) add_point(robot, built, hand, {.side = side});
  }
  touches_.resize(points_.size() * surfaces_.size());
}

/// `point.in_body` is given in the link's frame.
void SpringContacts::add_point(const RobotModel& robot, const MujocoModel& built, const std::string& link,
                               Point point) {
  const Eigen::Isometry3d& T_body_link = robot.tree().links[static_cast<std::size_t>(robot.frame(link))].T_body_link;
  point.body = built.body_of_link(robot, link);
  point.in_body = T_body_link * point.in_body;
  point.up_in_body = T_body_link.linear().col(2);
  points_.push_back(point);
}

void SpringContacts::release() { std::ranges::fill(touches_, Touch{}); }

void SpringContacts::set_ground_friction(int side, double friction) {
  for (SpringSurface& surface : surfaces_) {
    if (surface.ground_of == side) surface.friction = friction;
  }
}

void SpringContacts::set_floor_friction(double friction) {
  for (SpringSurface& surface : surfaces_) {
    if (surface.is_floor) surface.friction = friction;
  }
}

void SpringContacts::set_ground_lost(int side, bool is_lost) {
  for (SpringSurface& surface : surfaces_) {
    if (surface.ground_of == side) surface.is_lost = is_lost;
  }
}

bool SpringContacts::meets(const Point& point, const SpringSurface& surface) const {
  return !surface.is_lost &&
         (point.is_foot ? surface.meets_foot[point.side] : surface.meets_hands && !is_hand_lost_[point.side]);
}

double SpringContacts::SpringSurface::depth(const Eigen::Vector3d& point, Eigen::Vector3d& outward) const {
  if (box_size.isZero()) {
    outward = normal;
    return -normal.dot(point - position);
  }
  // The nearest face of the box decides.
  const Eigen::Vector3d from_centre = point - position;
  const Eigen::Vector3d inside = 0.5 * box_size - from_centre.cwiseAbs();
  int axis = 0;
  const double nearest = inside.minCoeff(&axis);
  outward = Eigen::Vector3d::Unit(axis) * (from_centre[axis] < 0.0 ? -1.0 : 1.0);
  return nearest;
}

Eigen::Vector3d SpringContacts::force(const SpringSurface& surface, double share, const Eigen::Vector3d& point,
                                      const Eigen::Vector3d& velocity, Touch& touch) const {
  Eigen::Vector3d outward;
  const double depth = surface.depth(point, outward);
  if (depth <= 0.0) {
    touch.is_touching = false;
    return Eigen::Vector3d::Zero();
  }
  if (!touch.is_touching) touch = {.is_touching = true, .anchor = point};
  const double stiffness = share * surface.spring.stiffness;
  const double damping = share * surface.spring.damping;
  const double normal_speed = outward.dot(velocity);
  const double normal_force = std::max(0.0, stiffness * depth - damping * normal_speed);
  const Eigen::Vector3d stretch = point - touch.anchor;
  const Eigen::Vector3d stretch_along = stretch - outward.dot(stretch) * outward;
  const Eigen::Vector3d velocity_along = velocity - normal_speed * outward;
  Eigen::Vector3d tangential = -stiffness * stretch_along - damping * velocity_along;
  const double limit = surface.friction * normal_force;
  if (tangential.norm() > limit) {
    tangential *= limit / tangential.norm();
    // Slides: the anchor follows, so that the spring alone holds what friction allows.
    touch.anchor = point + (stiffness > 0.0 ? tangential / stiffness : Eigen::Vector3d::Zero().eval());
  }
  return normal_force * outward + tangential;
}

void SpringContacts::apply(Engine& engine) {
  on_feet_ = {};
  on_hands_ = {};
  corner_force_ = {};
  const mjData& data = *engine.data;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    const Eigen::Vector3d position =
        vector3(data.xpos + 3 * point.body) + rotation(data.xmat + 9 * point.body) * point.in_body;
    mjtNum twist[6];  // angular, then linear, at the body's origin, world axes
    mj_objectVelocity(&engine.model(), &data, mjOBJ_XBODY, point.body, twist, 0);
    const Eigen::Vector3d velocity =
        vector3(twist + 3) + vector3(twist).cross(position - vector3(data.xpos + 3 * point.body));
    for (std::size_t j = 0; j < surfaces_.size(); ++j) {
      Touch& touch = touches_[i * surfaces_.size() + j];
      if (!meets(point, surfaces_[j])) {
        touch.is_touching = false;
        continue;
      }
      const Eigen::Vector3d pressed = force(surfaces_[j], point.share, position, velocity, touch);
      if (pressed.isZero()) continue;
      engine.add_force(point.body, position, pressed);
      Wrench& sum = point.is_foot ? on_feet_[point.side] : on_hands_[point.side];
      sum.force += pressed;
      sum.moment += position.cross(pressed);
      const Eigen::Vector3d up = rotation(data.xmat + 9 * point.body) * point.up_in_body;
      if (point.is_foot) corner_force_[point.side][point.corner] += up.dot(pressed);
    }
  }
}

double SpringContacts::stable_step(const Engine& engine) const {
  // How easily all points move: A = J M⁻¹ Jᵀ, 3 rows a point, weighted with their shares. Its largest eigenvalue is
  // the rate of the fastest contact mode per unit of damping.
  const auto rows = static_cast<Eigen::Index>(3 * points_.size());
  const auto nv = static_cast<Eigen::Index>(engine.model().nv);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor J(rows, nv), M_inverse_J(rows, nv);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    const Eigen::Vector3d position =
        vector3(engine.data->xpos + 3 * point.body) + rotation(engine.data->xmat + 9 * point.body) * point.in_body;
    const auto row = static_cast<Eigen::Index>(3 * i);
    mj_jac(&engine.model(), engine.data.get(), J.data() + row * nv, nullptr, position.data(), point.body);
    J.middleRows<3>(row) *= std::sqrt(point.share);
  }
  mj_solveM(&engine.model(), engine.data.get(), M_inverse_J.data(), J.data(), static_cast<int>(rows));
  const Eigen::MatrixXd A = J * M_inverse_J.transpose();
  const double fastest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues().maxCoeff();
  double step = std::numeric_limits<double>::infinity();
  for (const SpringSurface& surface : surfaces_) {
    if (surface.spring.damping > 0.0) step = std::min(step, 0.5 / (surface.spring.damping * fastest));
    if (surface.spring.stiffness > 0.0) step = std::min(step, 0.3 / std::sqrt(surface.spring.stiffness * fastest));
  }
  return step;
}

}  // namespace aplomb
