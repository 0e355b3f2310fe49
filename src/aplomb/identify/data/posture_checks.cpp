#include "aplomb/identify/data/posture_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace aplomb {
namespace {

constexpr double kBeyondLimit = 0.1;  // [rad] accepted violation of a joint limit: encoder zeros are wrong by that much
// A posture counts as at rest below these: three and five times the default noise of encoders and CoP, so that noise
// alone drops no posture. Half of them drops postures with twice that noise; double lets a slow sway pass as rest.
constexpr double kRestAngle = 0.01;  // [rad], standard deviation of a joint angle over the samples of a posture
constexpr double kRestCop = 0.010;   // [m], standard deviation of a CoP over the samples of a posture
constexpr double kRestRate = 0.02;   // [rad/s], mean joint rate: about one degree per second
// Largest difference of a posture's vertical force from the median, as a fraction of the median: at rest every posture
// shows the weight, and force sensors drift by a few percent. A touching hand or sway exceeds it.
constexpr double kOddWeight = 0.05;
// Soles that are both on the floor differ by less, with encoder errors of a few degrees along two legs.
constexpr double kSoleHeight = 0.03;  // [m]
constexpr double kSoleTilt = 0.15;    // [rad]
// A foot that is lifted on purpose is farther than this from the plane of the other sole.
constexpr double kClearHeight = 0.01, kClearTilt = 0.05;  // [m], [rad]
constexpr double kNoLoad = 0.1;                           // [N/kg], 1 % of the weight: below this force a CoP is noise
constexpr double kBesideSole = 0.02;  // [m] accepted distance of a CoP outside its sole: rounded edges, errors

double deviation(const std::vector<double>& values) {
  double mean = 0.0, square = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) square += (value - mean) * (value - mean);
  return values.size() < 2 ? 0.0 : std::sqrt(square / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

void PostureChecks::refuse(std::size_t row, std::string_view what) const {
  throw FileError(file_.place(row), file_.row_text(row) + std::string(what));
}

void PostureChecks::check_columns() const {
  // Degrees are suspected when an angle is far beyond its limit and all angles would fit as degrees.
  std::optional<std::size_t> worst_row;
  std::size_t worst_joint = 0;
  bool fits_as_degrees = true;
  for (std::size_t i = 0; i < columns_.angle.size(); ++i) {
    const Joint& joint = cad_.joints()[i];
    if (!columns_.angle[i] || joint.is_prismatic) continue;
    for (std::size_t row = 0; row < file_.table.num_rows(); ++row) {
      const double angle = file_.table.at(row, *columns_.angle[i]);
      const double turned = angle * std::numbers::pi / 180.0;
      fits_as_degrees =
          fits_as_degrees && !(turned < joint.lower - kBeyondLimit) && !(turned > joint.upper + kBeyondLimit);
      const double most = std::max({3.0, std::abs(joint.lower) + 1.0, std::abs(joint.upper) + 1.0});
      if (std::isfinite(joint.lower + joint.upper) && std::abs(angle) > most && !worst_row) {
        worst_row = row;
        worst_joint = i;
      }
    }
  }
  if (!worst_row) return;
  const Joint& joint = cad_.joints()[worst_joint];
  refuse(
      *worst_row,
      fmt::format("column '{}' has {:.4g} rad, but the joint's limits are {:.3g} .. {:.3g} rad{}", angle_column(joint),
                  file_.table.at(*worst_row, *columns_.angle[worst_joint]), joint.lower, joint.upper,
                  fits_as_degrees ? "; the file's angles look like degrees: multiply them by pi/180" : ""));
}

void PostureChecks::check_row(const Posture& posture, std::size_t row) const {
  for (std::size_t i = 0; i < columns_.angle.size(); ++i) {
    const Joint& joint = cad_.joints()[i];
    const double angle = posture.state.q[7 + static_cast<Eigen::Index>(i)];
    if (angle >= joint.lower - kBeyondLimit && angle <= joint.upper + kBeyondLimit) continue;
    refuse(row,
           fmt::format("column '{}' has {:.4g}, but the joint's limits are {:.3g} .. {:.3g}; is it in radians, and "
                       "of this robot ({})?",
                       angle_column(joint), angle, joint.lower, joint.upper, cad_.name()));
  }
}

std::string PostureChecks::motion_of(const std::vector<Posture>& samples) const {
  const std::string repeated = fmt::format("in its {} samples", samples.size());
  for (std::size_t i = 0; i < columns_.angle.size(); ++i) {
    const std::string& name = cad_.joints()[i].name;
    std::vector<double> angles, rates;
    for (const Posture& sample : samples) {
      angles.push_back(sample.state.q[7 + static_cast<Eigen::Index>(i)]);
      rates.push_back(sample.state.v[6 + static_cast<Eigen::Index>(i)]);
    }
    if (deviation(angles) > kRestAngle) {
      return fmt::format("not at rest: joint '{}' varies by {:.3g} rad {}", name, deviation(angles), repeated);
    }
    double mean_rate = 0.0;
    for (const double rate : rates) mean_rate += rate / static_cast<double>(rates.size());
    if (std::abs(mean_rate) > kRestRate)
      return fmt::format("not at rest: joint '{}' moves at {:.3g} rad/s", name, mean_rate);
  }
  for (std::size_t k = 0; k < columns_.sensors.contacts.size(); ++k) {
    if (columns_.sensors.contacts[k].kind != ContactSensor::Kind::cop) continue;
    for (int axis : {0, 1}) {
      std::vector<double> values;
      for (const Posture& sample : samples) values.push_back(sample.contacts[k][axis]);
      if (deviation(values) <= kRestCop) continue;
      return fmt::format("not at rest: the CoP of {} varies by {:.1f} mm {}", columns_.sensors.contacts[k].name,
                         1e3 * deviation(values), repeated);
    }
  }
  return {};
}

double PostureChecks::vertical_force(const Posture& posture) const {
  BodyMotions motions(cad_);
  motions.place(posture.state.q);
  double sum = 0.0;
  for (std::size_t k = 0; k < posture.contacts.size(); ++k) {
    const ContactSensor& sensor = columns_.sensors.contacts[k];
    if (sensor.kind == ContactSensor::Kind::cop) {
      sum += posture.contacts[k][2];
    } else {
      sum += (motions.link_pose(sensor.link).linear() * posture.contacts[k].head<3>()).z();
    }
  }
  return sum;
}

void PostureChecks::check_cop(const Posture& posture, std::size_t contact, const BodyMotions& motions,
                              std::size_t row) const {
  const ContactSensor& sensor = columns_.sensors.contacts[contact];
  Eigen::AlignedBox2d ground;  // in the CoP's own axes
  for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const auto& sole = cad_.description().soles[side];
    const std::string& foot = cad_.description().roles.foot[side];
    if (!sole || foot.empty()) continue;
    if (!sensor.is_plate && cad_.frame(foot) != sensor.link) continue;
    for (const Eigen::Vector3d& corner : sole->corners()) {
      const Eigen::Vector3d seen = sensor.is_plate ? motions.link_pose(cad_.frame(foot)) * corner : corner;
      ground.extend(Eigen::Vector2d(seen.head<2>()));
    }
  }
  if (ground.isEmpty()) return;
  const Eigen::Vector2d cop = posture.contacts[contact].head<2>();
  const auto is_inside = [&](const Eigen::Vector2d& point) { return ground.exteriorDistance(point) < kBesideSole; };
  if (is_inside(cop)) return;
  // A CoP more than a metre away is a wrong unit, not a misplaced plate or frame.
  const char* unit = cop.norm() > 1.0 && is_inside(cop / 1000.0)
                         ? "; it looks like millimetres or centimetres: write metres"
                         : "; are its axes those of docs/identification.md?";
  refuse(row, fmt::format("posture {}: the CoP of {} is ({:.4g}, {:.4g}) m, but its soles are at {:.3g} .. {:.3g} "
                          "and {:.3g} .. {:.3g} m{}",
                          posture.id, sensor.name, cop.x(), cop.y(), ground.min().x(), ground.max().x(),
                          ground.min().y(), ground.max().y(), unit));
}

void PostureChecks::check_feet(const Posture& posture, std::size_t row) const {
  std::vector<Eigen::Isometry3d> soles;
  BodyMotions motions(cad_);
  motions.place(posture.state.q);
  for (std::size_t k = 0; k < posture.contacts.size(); ++k) {
    const ContactSensor& sensor = columns_.sensors.contacts[k];
    if (sensor.is_plate) check_cop(posture, k, motions, row);
    if (sensor.is_plate || !sensor.name.ends_with("_foot")) continue;
    if (sensor.kind == ContactSensor::Kind::cop && posture.contacts[k][2] < kNoLoad * cad_.mass()) {
      // A CoP without a force is 0/0. The threshold is so low that forces in kilograms pass: check_weight names them.
      refuse(row,
             fmt::format("posture {}: {}_fz_n is {:.3g} N: the foot is off the ground and has no CoP (up is positive, "
                         "in newtons); leave the posture out, or write the foot's wrench",
                         posture.id, sensor.name, posture.contacts[k][2]));
    }
    if (sensor.kind == ContactSensor::Kind::cop) check_cop(posture, k, motions, row);
    soles.push_back(motions.link_pose(sensor.link) * Eigen::Translation3d(0, 0, sensor.sole_z));
  }
  if (columns_.sensors.has_orientation || soles.size() < 2) return;
  const double height = soles[0].translation().z() - soles[1].translation().z();
  const double tilt = std::acos(std::clamp(soles[0].linear().col(2).dot(soles[1].linear().col(2)), -1.0, 1.0));
  if (std::abs(height) < kSoleHeight && tilt < kSoleTilt) return;
  refuse(row, fmt::format("posture {}: by its joint angles one sole is {:.0f} mm above the other and turned by {:.2g} "
                          "rad, so a foot is off the ground; without the base's orientation (base_qx, ..., base_qw) "
                          "both soles must be level",
                          posture.id, 1e3 * std::abs(height), tilt));
}

void PostureChecks::check_missing_foot(const PostureSet& set) const {
  const RobotDescription& description = cad_.description();
  if (!description.soles[0] || !description.soles[1]) return;
  std::array<FrameId, 2> feet{};
  std::array<bool, 2> is_measured{};
  for (std::size_t side = 0; side < 2; ++side) {
    feet[side] = cad_.frame(description.roles.foot[side]);
    for (const ContactSensor& sensor : columns_.sensors.contacts)
      is_measured[side] = is_measured[side] || sensor.is_plate || sensor.link == feet[side];
  }
  if (is_measured[0] == is_measured[1]) return;
  const bool has_orientation = columns_.sensors.has_orientation;
  BodyMotions motions(cad_);
  for (const Posture& posture : set.postures) {
    if (!has_orientation) break;  // both soles are assumed level, so a lifted foot cannot be recognised
    motions.place(posture.state.q);
    const Eigen::Isometry3d left = motions.link_pose(feet[0]) * Eigen::Translation3d(description.soles[0]->centre());
    const Eigen::Isometry3d right = motions.link_pose(feet[1]) * Eigen::Translation3d(description.soles[1]->centre());
    const Eigen::Vector3d normal = left.linear().col(2);
    const double height = normal.dot(right.translation() - left.translation());
    const double tilt = normal.cross(right.linear().col(2)).norm();
    if (std::abs(height) > kClearHeight || tilt > kClearTilt) return;  // one leg is lifted
  }
  const char* missing = is_measured[0] ? "right_foot" : "left_foot";
  throw FileError(
      {set.file.string()},
      fmt::format("only one foot is measured{}: if both carry load, add the columns of {}; if one is lifted, "
                  "add the base's orientation (base_qx, ..., base_qw)",
                  has_orientation ? ", and by the joint angles both soles are on the ground" : "", missing));
}

void PostureChecks::drop_odd_weights(PostureSet& set) const {
  if (set.postures.size() < 3) return;
  std::vector<double> forces;
  for (const Posture& posture : set.postures) forces.push_back(vertical_force(posture));
  const double typical = median(forces);
  std::vector<Posture> kept;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (std::abs(forces[i] - typical) <= kOddWeight * std::abs(typical)) {
      kept.push_back(std::move(set.postures[i]));
    } else {
      set.dropped.push_back(
          fmt::format("posture {}: not at rest, or held: its vertical force is {:.1f} N, the median is {:.1f} N",
                      set.postures[i].id, forces[i], typical));
    }
  }
  set.postures = std::move(kept);
}

void PostureChecks::check_weight(const PostureSet& set) const {
  if (set.postures.empty()) throw FileError({set.file.string()}, "no posture is at rest; " + set.dropped.front());
  std::vector<double> forces;
  for (const Posture& posture : set.postures) forces.push_back(vertical_force(posture));
  const double force = median(forces), ratio = force / (cad_.mass() * kGravity);
  const auto is_weight = [](double of_weight) { return of_weight > 0.4 && of_weight < 4.0; };
  if (is_weight(ratio)) return;
  const char* remedy = is_weight(ratio * kGravity) ? "the forces look like kilograms: multiply them by 9.81"
                       : is_weight(-ratio)
                           ? "their sign is wrong: write the ground reaction force on the robot, up is positive"
                           : "valid are 0.4 to 4 times that: are all contacts in the file, in newtons?";
  throw FileError({set.file.string()}, fmt::format("the feet carry {:.4g} N, but {} weighs {:.4g} N by its CAD; {}",
                                                   force, cad_.name(), cad_.mass() * kGravity, remedy));
}

}  // namespace aplomb
