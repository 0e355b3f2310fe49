#include "aplomb/identify/data/posture_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::array<const char*, 4> kQuaternion = {"base_qx", "base_qy", "base_qz", "base_qw"};
constexpr std::array<const char*, 9> kBaseMotion = {
    "base_wx_rad_per_s",      "base_wy_rad_per_s",      "base_wz_rad_per_s",
    "base_ax_m_per_s2",       "base_ay_m_per_s2",       "base_az_m_per_s2",
    "base_alphax_rad_per_s2", "base_alphay_rad_per_s2", "base_alphaz_rad_per_s2"};
constexpr std::array<const char*, 3> kCop = {"cop_x_m", "cop_y_m", "fz_n"};
constexpr std::array<const char*, 6> kWrench = {"fx_n", "fy_n", "fz_n", "mx_nm", "my_nm", "mz_nm"};

/// Looks columns up and records which names are valid.
class ColumnFinder {
 public:
  ColumnFinder(const TableFile& file, const RobotModel& robot) : file_(file), robot_(robot) {}

  std::optional<std::size_t> find(const std::string& name) {
    known_.push_back(name);
    const auto& columns = file_.table.columns();
    const auto found = std::ranges::find(columns, name);
    if (found == columns.end()) return std::nullopt;
    used_.insert(name);
    return static_cast<std::size_t>(found - columns.begin());
  }

  std::size_t require(const std::string& name, std::string_view why) {
    const std::optional<std::size_t> found = find(name);
    if (found) return *found;
    const std::string near = nearest_name(name, file_.table.columns());
    const std::string hint = near.empty() ? "" : fmt::format(" (there is '{}')", near);
    throw FileError({file_.file.string(), 1}, fmt::format("column '{}' is missing{}: {}", name, hint, why));
  }

  /// Columns of a group; absent when the file has none of them. Throws FileError when it has only some.
  template <std::size_t N>
  std::optional<std::array<std::size_t, N>> group(const std::array<const char*, N>& names, const std::string& prefix,
                                                  std::string_view why) {
    bool has_any = false;
    for (const char* name : names) has_any = find(prefix + name).has_value() || has_any;
    if (!has_any) return std::nullopt;
    std::array<std::size_t, N> columns{};
    for (std::size_t i = 0; i < N; ++i) columns[i] = require(prefix + names[i], why);
    return columns;
  }

  void refuse_unknown() const {
    for (const std::string& column : file_.table.columns()) {
      if (used_.contains(column)) continue;
      throw FileError({file_.file.string(), 1},
                      fmt::format("no column named '{}' in a posture file of {}; {}", shortened(column), robot_.name(),
                                  suggestion(column, known_)));
    }
  }

 private:
  const TableFile& file_;
  const RobotModel& robot_;
  std::vector<std::string> known_;
  std::set<std::string> used_;
};

void find_joints(ColumnFinder& finder, const RobotModel& robot, const ReadOptions& options, PostureColumns& columns) {
  for (int i = 0; i < robot.num_joints(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    if (options.absent_joints_at.empty()) {
      columns.angle.push_back(finder.require(
          angle_column(joint),
          "every joint's angle is needed; `--absent-joints-at POSTURE` takes the others from a posture"));
    } else {
      columns.angle.push_back(finder.find(angle_column(joint)));
    }
    columns.rate.push_back(finder.find(rate_column(joint)));
    columns.acceleration.push_back(finder.find(acceleration_column(joint)));
    if (const auto torque = finder.find(torque_column(joint))) {
      columns.torque.push_back(*torque);
      columns.sensors.torque_joints.push_back(i);
    }
  }
}

void find_contact(ColumnFinder& finder, const RobotModel& robot, ContactSensor contact, PostureColumns& columns) {
  const std::string prefix = contact.name + "_";
  const bool has_moment = !contact.is_plate && (finder.find(prefix + "mx_nm") || finder.find(prefix + "my_nm"));
  std::array<std::size_t, 6> at{};
  if (has_moment) {
    const auto wrench = finder.group(kWrench, prefix, "a wrench has three forces and three moments");
    std::ranges::copy(*wrench, at.begin());
    contact.kind = ContactSensor::Kind::wrench;
    for (const char* name : {"cop_x_m", "cop_y_m"}) finder.find(prefix + name);  // valid, but not used
  } else {
    if (contact.name.ends_with("_hand")) return;
    const auto cop = finder.group(kCop, prefix, "a CoP needs its x, its y and the vertical force");
    if (!cop) return;
    std::ranges::copy(*cop, at.begin());
  }
  if (!contact.is_plate) {
    const std::string* link = robot.description().roles.find(contact.name);
    if (link == nullptr || link->empty()) {
      throw InvalidValue(
          fmt::format("the posture file has the contact '{}', but robot {} has no such role; name the "
                      "link in its YAML (`aplomb info URDF --write-yaml` makes one)",
                      contact.name, robot.name()));
    }
    contact.link = robot.frame(*link);
    for (int side : {kLeft, kRight}) {
      const auto& sole = robot.description().soles[static_cast<std::size_t>(side)];
      if (contact.name == (side == kLeft ? "left_foot" : "right_foot") && sole) contact.sole_z = sole->z;
    }
  }
  columns.sensors.contacts.push_back(contact);
  columns.contacts.push_back(at);
}

void find_contacts(ColumnFinder& finder, const TableFile& file, const RobotModel& robot, PostureColumns& columns) {
  for (const char* name : {"left_foot", "right_foot", "left_hand", "right_hand", "plate"}) {
    find_contact(finder, robot, {.name = name, .is_plate = std::string_view(name) == "plate"}, columns);
  }
  if (columns.sensors.contacts.empty()) {
    throw FileError({file.file.string(), 1},
                    "no contact is measured; valid: NAME_cop_x_m, NAME_cop_y_m and NAME_fz_n, or NAME_fx_n, ..., "
                    "NAME_mz_nm, with NAME left_foot, right_foot or plate (docs/identification.md)");
  }
  const auto& contacts = columns.sensors.contacts;
  if (contacts.size() > 1 && contacts.back().is_plate) {
    throw FileError({file.file.string(), 1},
                    "has a plate and a foot sensor: the plate carries both feet; keep one of the two");
  }
}

bool has_all(const std::vector<std::optional<std::size_t>>& columns) {
  return std::ranges::all_of(columns, [](const auto& column) { return column.has_value(); });
}

}  // namespace

std::string angle_column(const Joint& joint) { return joint.name + (joint.is_prismatic ? "_m" : "_rad"); }
std::string rate_column(const Joint& joint) { return angle_column(joint) + "_per_s"; }
std::string acceleration_column(const Joint& joint) { return angle_column(joint) + "_per_s2"; }
std::string torque_column(const Joint& joint) { return joint.name + (joint.is_prismatic ? "_n" : "_nm"); }

PostureColumns find_columns(const TableFile& file, const RobotModel& robot, const ReadOptions& options) {
  PostureColumns columns;
  ColumnFinder finder(file, robot);
  columns.posture = finder.find("posture");
  finder.find("time_s");
  find_joints(finder, robot, options, columns);
  columns.quaternion = finder.group(kQuaternion, "", "an orientation has four numbers");
  columns.base_motion = finder.group(kBaseMotion, "", "the base's motion has nine numbers");
  find_contacts(finder, file, robot, columns);
  finder.refuse_unknown();
  columns.sensors.has_orientation = columns.quaternion.has_value();
  columns.sensors.is_moving = has_all(columns.rate) && has_all(columns.acceleration) && columns.base_motion.has_value();
  if (columns.sensors.is_moving && !columns.quaternion) {
    throw FileError({file.file.string(), 1},
                    "has accelerations, but not the base's orientation (base_qx, ..., base_qw)");
  }
  return columns;
}

}  // namespace aplomb
