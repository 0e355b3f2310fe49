#include "aplomb/identify/model/sagittal_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/postures.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kPelvis = 3, kTorso = 4;  // of the links; the others are foot, shank, thigh
constexpr double kLateral = 0.996;              // cos(5 degrees)
constexpr double kAlongY = 0.9;  // smallest cosine of a pitch axis with y: hips of some robots are canted

bool is_inside(const BodyMotions& motions, int body, int root) {
  return body >= root && body < motions.subtree_end(root);
}

/// Bodies between the base and `body` (included) whose joints turn about the lateral axis when all joints are at zero.
std::vector<int> pitch_bodies(const BodyMotions& zero, int body) {
  std::vector<int> found;
  for (; body > 0; body = zero.parent(body)) {
    if (!zero.is_prismatic(body) && std::abs(zero.body(body).axis.y()) > kAlongY) found.insert(found.begin(), body);
  }
  return found;
}

Eigen::Matrix3d turned(double pitch) { return Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()).toRotationMatrix(); }

}  // namespace

SagittalModel::SagittalModel(const RobotModel& cad, const RobotState& reference) : cad_(&cad), reference_(cad) {
  BodyMotions zero(cad);
  RobotState state = cad.neutral_state();
  joint_positions(state.q).setZero();
  zero.place(state.q);
  for (const BodyMotion& body : zero.bodies()) R_zero_.push_back(body.T_world_body.linear());
  RobotState placed = reference;
  place_base(cad, false, placed);
  reference_.place(placed.q);
  find_links();
  find_cad_parameters();
}

void SagittalModel::find_links() {
  BodyMotions zero(*cad_);
  RobotState state = cad_->neutral_state();
  joint_positions(state.q).setZero();
  zero.place(state.q);
  const auto& roles = cad_->description().roles;
  const auto body_of = [&](const std::string& link) {
    return cad_->tree().links[static_cast<std::size_t>(cad_->frame(link))].body;
  };
  links_ = {{.name = "foot"}, {.name = "shank"}, {.name = "thigh"}, {.name = "pelvis"}};
  std::vector<std::vector<int>> legs;
  for (const std::string& foot : roles.foot) {
    if (foot.empty())
      throw InvalidValue(fmt::format("the sagittal model needs both feet; {} has no roles for them", cad_->name()));
    legs.push_back(pitch_bodies(zero, body_of(foot)));
    if (legs.back().size() < 3) {
      throw InvalidValue(
          fmt::format("the sagittal model needs a hip, a knee and an ankle about the lateral axis; the leg "
                      "to '{}' has {} such joints; use the spatial model",
                      foot, legs.back().size()));
    }
    links_[2].frame_bodies.push_back(legs.back().front());
    links_[1].frame_bodies.push_back(legs.back()[1]);
    links_[0].frame_bodies.push_back(legs.back().back());
  }
  links_[3].frame_bodies = {0};
  const std::vector<int> waist = roles.trunk.empty() ? std::vector<int>() : pitch_bodies(zero, body_of(roles.trunk));
  if (!waist.empty()) links_.push_back({.name = "torso", .frame_bodies = {waist.front()}});
  for (int body : massive_bodies(*cad_)) links_[link_of(body)].bodies.push_back(body);
}

std::size_t SagittalModel::link_of(int body) const {
  // The innermost link whose subtree has this body: the foot's subtree is inside the shank's, that inside the thigh's.
  std::size_t owner = kPelvis;
  for (const std::size_t candidate : {kTorso, std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
    if (candidate >= links_.size()) continue;
    for (int root : links_[candidate].frame_bodies) {
      if (is_inside(reference_, body, root)) owner = candidate;
    }
  }
  return owner;
}

SagittalModel::Frame SagittalModel::frame_of(const BodyMotions& motions, const Link& link, std::size_t side) const {
  const int body = link.frame_bodies[side];
  const Eigen::Isometry3d& T = motions.body(body).T_world_body;
  const Eigen::Matrix3d R = T.linear() * R_zero_[static_cast<std::size_t>(body)].transpose();
  return {.origin = T.translation(), .pitch = std::atan2(R(0, 2), R(2, 2))};
}

void SagittalModel::find_cad_parameters() {
  for (Link& link : links_) {
    link.com.setZero();
    link.second_moment.setZero();
    std::vector<std::pair<double, Eigen::Vector2d>> parts;
    for (std::size_t side = 0; side < link.frame_bodies.size(); ++side) {
      const Frame frame = frame_of(reference_, link, side);
      const Eigen::Matrix3d R_frame_world = turned(frame.pitch).transpose();
      int heaviest = -1;
      for (int body : link.bodies) {
        if (link.frame_bodies.size() > 1 && !is_inside(reference_, body, link.frame_bodies[side])) continue;
        const Inertia& inertia = cad_->tree().bodies[static_cast<std::size_t>(body)].inertia;
        const Inertia there = transformed(reference_.body(body).T_world_body, inertia);
        const Eigen::Vector3d com = R_frame_world * (there.com - frame.origin);
        const Eigen::Matrix3d S3 = 0.5 * there.about_com.trace() * Eigen::Matrix3d::Identity() - there.about_com;
        const Eigen::Matrix3d S = R_frame_world * S3 * R_frame_world.transpose();
        link.mass += inertia.mass;
        link.com += inertia.mass * Eigen::Vector2d(com.x(), com.z());
        link.second_moment += (Eigen::Matrix2d() << S(0, 0), S(0, 2), S(2, 0), S(2, 2)).finished();
        parts.emplace_back(inertia.mass, Eigen::Vector2d(com.x(), com.z()));
        if (heaviest < 0 || inertia.mass > cad_->tree().bodies[static_cast<std::size_t>(heaviest)].inertia.mass)
          heaviest = body;
      }
      if (heaviest >= 0) link.bearers.push_back(heaviest);
    }
    if (link.bearers.size() != link.frame_bodies.size()) {
      throw InvalidValue(
          fmt::format("the sagittal model's {} has no mass in {}; use the spatial model", link.name, cad_->name()));
    }
    link.com /= link.mass;
    for (const auto& [mass, com] : parts) link.second_moment += mass * (com - link.com) * (com - link.com).transpose();
  }
}

Eigen::RowVectorXd SagittalModel::moment_row(const BodyMotions& motions, bool feet_are_level) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(3 * links_.size()));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(3 * i);
    const double share = 1.0 / static_cast<double>(links_[i].frame_bodies.size());
    for (std::size_t side = 0; side < links_[i].frame_bodies.size(); ++side) {
      Frame frame = frame_of(motions, links_[i], side);
      if (i == 0 && feet_are_level) frame.pitch = 0.0;
      row[first] += share * frame.origin.x();
      row[first + 1] += share * std::cos(frame.pitch);
      row[first + 2] += share * std::sin(frame.pitch);
    }
  }
  return row;
}

std::vector<int> SagittalModel::torque_joints(const BodyMotions& motions, std::size_t link,
                                              const std::vector<int>& measured) const {
  std::vector<int> joints;
  for (int body : links_[link].frame_bodies) {
    const bool is_measured = body > 0 && std::ranges::find(measured, body - 1) != measured.end();
    if (!is_measured || std::abs(motions.body(body).axis.y()) < kLateral) return {};
    joints.push_back(body - 1);
  }
  return joints;
}

bool SagittalModel::is_above(std::size_t link, std::size_t joint_link) {
  return joint_link == kTorso ? link == kTorso : link > joint_link;
}

Eigen::Vector2d SagittalModel::joint_position(const BodyMotions& motions, std::size_t link) const {
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  const std::vector<int>& sides = links_[link].frame_bodies;
  for (int body : sides) {
    const Eigen::Vector3d origin = motions.body(body).T_world_body.translation();
    middle += Eigen::Vector2d(origin.x(), origin.z()) / static_cast<double>(sides.size());
  }
  return middle;
}

Eigen::RowVectorXd SagittalModel::torque_row(const BodyMotions& motions, std::size_t link, bool feet_are_level) const {
  Eigen::RowVectorXd row = moment_row(motions, feet_are_level) - joint_position(motions, link).x() * mass_row();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!is_above(i, link)) row.segment<3>(static_cast<Eigen::Index>(3 * i)).setZero();
  }
  return row;
}

Eigen::RowVectorXd SagittalModel::mass_row() const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(3 * links_.size()));
  for (std::size_t i = 0; i < links_.size(); ++i) row[static_cast<Eigen::Index>(3 * i)] = 1.0;
  return row;
}

Eigen::VectorXd SagittalModel::cad_parameters() const {
  Eigen::VectorXd phi(static_cast<Eigen::Index>(3 * links_.size()));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    phi.segment<3>(static_cast<Eigen::Index>(3 * i)) << links_[i].mass, links_[i].mass * links_[i].com;
  }
  return phi;
}

std::map<int, Inertia> SagittalModel::body_inertias(const Eigen::VectorXd& phi) const {
  std::map<int, Inertia> inertias;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const auto first = static_cast<Eigen::Index>(3 * i);
    const double mass = phi[first], sides = static_cast<double>(link.bearers.size());
    double borne = 0.0;
    for (int body : link.bearers) borne += cad_->tree().bodies[static_cast<std::size_t>(body)].inertia.mass;
    const bool is_borne = mass - link.mass > -0.9 * borne;
    for (std::size_t side = 0; side < link.bearers.size(); ++side) {
      const Frame frame = frame_of(reference_, link, side);
      const Eigen::Vector2d lack = (phi.segment<2>(first + 1) - link.mass * link.com) / sides;
      const Eigen::Vector3d lack_in_world = turned(frame.pitch) * Eigen::Vector3d(lack[0], 0.0, lack[1]);
      if (is_borne) {
        const int body = link.bearers[side];
        const Eigen::Isometry3d T_body_world = reference_.body(body).T_world_body.inverse();
        const Inertia& inertia = cad_->tree().bodies[static_cast<std::size_t>(body)].inertia;
        const double added = (mass - link.mass) / sides;
        // First moment about the body's origin: the CAD's, the missing h, and the added mass at the frame's origin.
        const Eigen::Vector3d h =
            inertia.mass * inertia.com + T_body_world.linear() * lack_in_world + added * (T_body_world * frame.origin);
        inertias[body] = with_moved_mass(inertia, inertia.mass + added, h / (inertia.mass + added));
        continue;
      }
      const Eigen::Vector2d shift = phi.segment<2>(first + 1) / mass - link.com;
      const Eigen::Vector3d shift_in_world = turned(frame.pitch) * Eigen::Vector3d(shift[0], 0.0, shift[1]);
      for (int body : link.bodies) {
        if (link.frame_bodies.size() > 1 && !is_inside(reference_, body, link.frame_bodies[side])) continue;
        const Inertia& inertia = cad_->tree().bodies[static_cast<std::size_t>(body)].inertia;
        const Eigen::Vector3d shift_in_body = reference_.body(body).T_world_body.linear().transpose() * shift_in_world;
        inertias[body] = with_moved_mass(inertia, inertia.mass * mass / link.mass, inertia.com + shift_in_body);
      }
    }
  }
  return inertias;
}

std::vector<std::vector<int>> sagittal_joints(const RobotModel& robot, const RobotState& reference) {
  const SagittalModel model(robot, reference);
  std::vector<std::vector<int>> joints;
  for (const SagittalModel::Link& link : model.links()) {
    joints.emplace_back();
    for (int body : link.frame_bodies) {
      if (body > 0) joints.back().push_back(body - 1);
    }
  }
  return joints;
}

}  // namespace aplomb
