#include "aplomb/retarget/whole_motion/motion_forces.hpp"

#include <Eigen/QR>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kLeastEffort = 1e-5;  // price of normal forces [1/s]: only so that they are determined
constexpr double kCopEffort = 0.05;    // price of a CoP away from the sole's centre beside that of friction
constexpr double kForceUnit = 0.1;     // unit of the force variables, as a fraction of the weight
constexpr int kConeSides = 8;          // of the pyramid in a friction cone: at most 8 % of the friction is given away

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

}  // namespace

MotionForces::MotionForces(const MotionTask& task, double weight)
    : task_(task),
      weight_(weight),
      unit_(kForceUnit * weight),
      num_soles_(task.soles.size()),
      num_points_(task.points.size()),
      frames_(static_cast<std::size_t>(task.num_frames())) {
  const auto size = static_cast<Eigen::Index>(6 * num_soles_ + 3 * num_points_);
  scale_.setOnes(size);
  for (std::size_t i = 0; i < num_soles_; ++i) scale_.segment<3>(first_of_contact(i) + 3).setConstant(task.lever);
  per_weight_ = (weight_ * scale_).cwiseInverse();
  effort_ = std::sqrt(kLeastEffort) * per_weight_;
  const double friction = std::sqrt(task.friction_weight), cop = std::sqrt(kCopEffort * task.friction_weight);
  for (std::size_t contact = 0; contact < num_contacts(); ++contact) {
    const Eigen::Index at = first_of_contact(contact);
    effort_.segment<2>(at) = friction * per_weight_.segment<2>(at);
    if (contact >= num_soles_) continue;
    effort_.segment<2>(at + 3) = cop * per_weight_.segment<2>(at + 3);
    effort_[at + 5] = friction * per_weight_[at + 5];
  }
  for (Eigen::Index j = 0; j < task.num_frames(); ++j) {
    Frame& frame = frames_[static_cast<std::size_t>(j)];
    map_wrenches(j, frame);
    spread_forces(j, frame);
    write_limits(j, frame);
  }
}

void MotionForces::map_wrenches(Eigen::Index j, Frame& frame) const {
  frame.map.setZero(6, size());
  for (std::size_t i = 0; i < num_soles_; ++i) {
    const Eigen::Isometry3d& place = task_.soles[i].T_world_sole(j);
    const Eigen::Index at = first_of_contact(i);
    frame.map.block<3, 3>(0, at) = place.linear();
    frame.map.block<3, 3>(3, at) = cross_matrix(place.translation()) * place.linear();
    frame.map.block<3, 3>(3, at + 3) = place.linear();
  }
  for (std::size_t i = 0; i < num_points_; ++i) {
    const Eigen::Index at = first_of_contact(num_soles_ + i);
    frame.map.block<3, 3>(0, at).setIdentity();
    frame.map.block<3, 3>(3, at) = cross_matrix(task_.points[i].place);
  }
}

int MotionForces::body_of_contact(std::size_t contact) const {
  return contact < num_soles_ ? task_.soles[contact].body : task_.points[contact - num_soles_].body;
}

const std::string& MotionForces::name_of_contact(std::size_t contact) const {
  return contact < num_soles_ ? task_.soles[contact].name : task_.points[contact - num_soles_].name;
}

Eigen::Index MotionForces::first_of_contact(std::size_t contact) const {
  return static_cast<Eigen::Index>(contact < num_soles_ ? 6 * contact : 6 * num_soles_ + 3 * (contact - num_soles_));
}

void MotionForces::spread_forces(Eigen::Index j, Frame& frame) const {
  std::vector<Eigen::Index> soles, points;
  for (std::size_t contact = 0; contact < num_contacts(); ++contact) {
    const bool is_sole = contact < num_soles_;
    const std::vector<char>& active =
        is_sole ? task_.soles[contact].is_active : task_.points[contact - num_soles_].is_active;
    if (active[static_cast<std::size_t>(j)] == 0) continue;
    for (int k = 0; k < size_of_contact(contact); ++k) {
      (is_sole ? soles : points).push_back(first_of_contact(contact) + k);
    }
  }
  const auto count = static_cast<Eigen::Index>(soles.size());
  assert(count >= 6);
  // Moments are scaled by the lever, so that the smallest forces are distributed sensibly.
  const Eigen::MatrixXd feet = frame.map(Eigen::all, soles) * scale_(soles).asDiagonal();
  const Eigen::MatrixXd inverse = feet.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::MatrixXd basis = Eigen::MatrixXd(feet.transpose().householderQr().householderQ()).rightCols(count - 6);
  frame.spread.setZero(size(), 6);
  frame.exchange.setZero(size(), count - 6);
  frame.spread(soles, Eigen::all) = scale_(soles).asDiagonal() * inverse;
  frame.exchange(soles, Eigen::all) = unit_ * (scale_(soles).asDiagonal() * basis);
  frame.points.setZero(size(), static_cast<Eigen::Index>(points.size()));
  for (Eigen::Index k = 0; k < frame.points.cols(); ++k) {
    const Eigen::Index row = points[static_cast<std::size_t>(k)];
    frame.points.col(k) = -unit_ * frame.spread * frame.map.col(row);
    frame.points(row, k) += unit_;
  }
}

void MotionForces::write_limits(Eigen::Index j, Frame& frame) const {
  const auto at = static_cast<std::size_t>(j);
  std::vector<std::pair<Eigen::RowVectorXd, double>> rows;
  const auto add = [&](int contact, const char* name, std::initializer_list<std::pair<Eigen::Index, double>> entries,
                       double limit, double scale) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size());
    for (const auto& [index, value] : entries) row[index] = value / scale;
    rows.emplace_back(row, limit / scale);
    frame.limit_contact.push_back(contact);
    frame.limit_name.push_back(name);
  };
  // A pyramid inscribed in the friction cone, its edges on the cone; among them those along x and y.
  const auto add_friction = [&](int contact, Eigen::Index f, double friction) {
    for (int side = 0; side < kConeSides; ++side) {
      const double angle = (2 * side + 1) * M_PI / kConeSides;
      add(contact, "friction",
          {{f, std::cos(angle)}, {f + 1, std::sin(angle)}, {f + 2, -friction * std::cos(M_PI / kConeSides)}}, 0.0,
          unit_);
    }
  };
  Eigen::RowVectorXd vertical = Eigen::RowVectorXd::Zero(size());
  for (std::size_t i = 0; i < num_soles_; ++i) {
    const SoleContact& sole = task_.soles[i];
    if (sole.is_active[at] == 0) continue;
    const Eigen::Index f = first_of_contact(i);
    const auto contact = static_cast<int>(i);
    const double twist = 0.5 * sole.friction * sole.half_size.norm();  // of a force spread over the sole
    add_friction(contact, f, sole.friction);
    for (double sign : {1.0, -1.0}) {
      add(contact, "CoP sideways", {{f + 3, sign}, {f + 2, -sole.half_size.y()}}, 0.0, unit_ * task_.lever);
      add(contact, "CoP lengthwise", {{f + 4, sign}, {f + 2, -sole.half_size.x()}}, 0.0, unit_ * task_.lever);
      add(contact, "friction in twist", {{f + 5, sign}, {f + 2, -twist}}, 0.0, unit_ * task_.lever);
    }
    add(contact, "least force", {{f + 2, -1.0}}, -sole.least_force[j], unit_);
    vertical.segment<3>(f) = sole.T_world_sole(j).linear().row(2);
  }
  for (std::size_t i = 0; i < num_points_; ++i) {
    const PointContact& point = task_.points[i];
    if (point.is_active[at] == 0) continue;
    const Eigen::Index f = first_of_contact(num_soles_ + i);
    const auto contact = static_cast<int>(num_soles_ + i);
    add_friction(contact, f, point.friction);
    add(contact, "least force", {{f + 2, -1.0}}, -point.least_force[j], unit_);
    if (std::isfinite(point.largest_force[j]))
      add(contact, "largest force", {{f + 2, 1.0}}, point.largest_force[j], unit_);
    vertical[f + 2] = 1.0;
  }
  rows.emplace_back(vertical / unit_, task_.largest_force_per_weight * weight_ / unit_);
  rows.emplace_back(-vertical / unit_, -task_.least_force_per_weight * weight_ / unit_);
  frame.limit_contact.insert(frame.limit_contact.end(), 2, -1);
  frame.limit_name.push_back("largest vertical force");
  frame.limit_name.push_back("least vertical force");
  frame.limit_rows.resize(static_cast<Eigen::Index>(rows.size()), size());
  frame.limits.resize(frame.limit_rows.rows());
  for (Eigen::Index r = 0; r < frame.limit_rows.rows(); ++r) {
    frame.limit_rows.row(r) = rows[static_cast<std::size_t>(r)].first;
    frame.limits[r] = rows[static_cast<std::size_t>(r)].second;
  }
}

}  // namespace aplomb
