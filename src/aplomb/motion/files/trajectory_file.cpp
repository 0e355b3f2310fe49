#include "aplomb/motion/files/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/core/table/time_column.hpp"
#include "aplomb/motion/files/contacts_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMaxBytes = 500'000'000;
constexpr const char* kBase[] = {"base_x_m", "base_y_m", "base_z_m", "base_qx", "base_qy", "base_qz", "base_qw"};
constexpr const char* kHandShares[] = {"left_hand_share", "right_hand_share"};
constexpr const char* kTwist[] = {"base_vx_m", "base_vy_m", "base_vz_m", "base_wx_rad", "base_wy_rad", "base_wz_rad"};

std::vector<std::string> with_unit(const std::vector<std::string>& joints, const char* unit) {
  std::vector<std::string> names;
  for (const std::string& joint : joints) names.push_back(joint + unit);
  return names;
}

std::vector<std::string> velocity_names(const std::vector<std::string>& joints, const char* per) {
  std::vector<std::string> names;
  for (const char* part : kTwist) names.push_back(std::string(part) + per);
  for (const std::string& joint : joints) names.push_back(fmt::format("{}_rad{}", joint, per));
  return names;
}

std::vector<std::string> axes(const char* quantity, const char* unit, int count) {
  std::vector<std::string> names;
  for (int axis = 0; axis < count; ++axis) names.push_back(fmt::format("{}_{}_{}", quantity, "xyz"[axis], unit));
  return names;
}

/// All columns except the time: their names, and where in the trajectory their values are.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::pair<int, Eigen::Index>> places;  ///< matrix index and row

  void add(int matrix, const std::vector<std::string>& of_rows) {
    for (std::size_t row = 0; row < of_rows.size(); ++row) {
      names.push_back(of_rows[row]);
      places.emplace_back(matrix, static_cast<Eigen::Index>(row));
    }
  }
};

constexpr int kTorque = 11, kFirstWrench = 12;  // matrix indices of the optional parts, see value_of()

/// Optional parts of a motion.
struct Parts {
  bool has_hands = false, has_person = false, has_torque = false;
  std::vector<ContactSite> wrenches{};  ///< contacts with wrenches
};

std::vector<std::string> wrench_names(ContactSite site) {
  const std::string name(to_string(site));
  std::vector<std::string> names = axes((name + "_force").c_str(), "n", 3);
  for (const std::string& moment : axes((name + "_moment").c_str(), "nm", 3)) names.push_back(moment);
  return names;
}

Columns columns_of(const std::vector<std::string>& joints, const Parts& parts) {
  Columns columns;
  std::vector<std::string> postures(std::begin(kBase), std::end(kBase));
  for (const std::string& name : with_unit(joints, "_rad")) postures.push_back(name);
  columns.add(0, postures);
  columns.add(1, velocity_names(joints, "_per_s"));
  columns.add(2, velocity_names(joints, "_per_s2"));
  columns.add(3, axes("com", "m", 3));
  columns.add(4, axes("com_velocity", "m_per_s", 3));
  columns.add(5, axes("com_acceleration", "m_per_s2", 3));
  columns.add(6, axes("zmp", "m", 2));
  columns.add(7, axes("force", "n", 3));
  columns.add(8, {"seat_share"});
  if (parts.has_hands) columns.add(9, {kHandShares[0], kHandShares[1]});
  if (parts.has_person) columns.add(10, axes("com_person", "m", 3));
  if (parts.has_torque) columns.add(kTorque, with_unit(joints, "_nm"));
  for (std::size_t k = 0; k < parts.wrenches.size(); ++k) {
    columns.add(kFirstWrench + static_cast<int>(k), wrench_names(parts.wrenches[k]));
  }
  return columns;
}

double value_of(const Trajectory& from, const std::pair<int, Eigen::Index>& place, Eigen::Index sample) {
  const auto [matrix, row] = place;
  switch (matrix) {
    case 0:
      return from.q(row, sample);
    case 1:
      return from.v(row, sample);
    case 2:
      return from.a(row, sample);
    case 3:
      return from.com(row, sample);
    case 4:
      return from.com_velocity(row, sample);
    case 5:
      return from.com_acceleration(row, sample);
    case 6:
      return from.zmp(row, sample);
    case 7:
      return from.force(row, sample);
    case 8:
      return from.seat_share[sample];
    case 9:
      return from.hand_share(row, sample);
    case 10:
      return from.com_person(row, sample);
    case kTorque:
      return from.torque(row, sample);
    default:
      return from.wrenches[static_cast<std::size_t>(matrix - kFirstWrench)].wrench(row, sample);
  }
}

TableFile read_finite_table(const std::filesystem::path& file) {
  TableFile read = read_table(file, {.max_bytes = kMaxBytes});
  const std::vector<std::string>& columns = read.table.columns();
  for (std::size_t row = 0; row < read.table.num_rows(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (std::isfinite(read.table.at(row, column))) continue;
      throw FileError(read.place(row), fmt::format("column '{}' has no finite number", columns[column]));
    }
  }
  return read;
}

Parts parts_of(const Log& table, const std::vector<std::string>& joints) {
  Parts parts{.has_hands = table.has(kHandShares[0]),
              .has_person = table.has("com_person_z_m"),
              .has_torque = !joints.empty() && table.has(joints.front() + "_nm")};
  for (const std::string& column : table.columns()) {
    for (std::size_t site = 0; site < kContactSiteNames.size(); ++site) {
      if (column == fmt::format("{}_force_x_n", kContactSiteNames[site])) {
        parts.wrenches.push_back(static_cast<ContactSite>(site));
      }
    }
  }
  return parts;
}

/// The joints' names from the columns between the base's and the velocities.
std::vector<std::string> joints_of(const TableFile& read) {
  const std::vector<std::string>& columns = read.table.columns();
  std::vector<std::string> joints;
  for (std::size_t i = 1 + std::size(kBase); i < columns.size() && columns[i].ends_with("_rad"); ++i) {
    joints.push_back(columns[i].substr(0, columns[i].size() - 4));
  }
  std::vector<std::string> wanted{"time_s"};
  for (const std::string& name : columns_of(joints, parts_of(read.table, joints)).names) wanted.push_back(name);
  if (columns != wanted) {
    std::size_t first = 0;
    while (first < std::min(wanted.size(), columns.size()) && wanted[first] == columns[first]) ++first;
    throw FileError({read.file.string(), 1}, fmt::format("column {} is '{}' where a planned motion has '{}'", first + 1,
                                                         first < columns.size() ? shortened(columns[first]) : "missing",
                                                         first < wanted.size() ? wanted[first] : "nothing more"));
  }
  if (read.table.num_rows() < 2) throw FileError({read.file.string()}, "a planned motion has at least two samples");
  return joints;
}

Trajectory trajectory_of(const TableFile& read) {
  const Log& table = read.table;
  Trajectory made{.joints = joints_of(read)};
  const auto count = static_cast<Eigen::Index>(table.num_rows());
  const auto joints = static_cast<Eigen::Index>(made.joints.size());
  std::vector<double> times(table.num_rows());
  for (std::size_t row = 0; row < times.size(); ++row) times[row] = table.at(row, 0);
  if (const auto fault = find_time_fault(times)) throw FileError(read.place(fault->row), "time_s: " + fault->text);
  made.start_s = table.at(0, 0);
  made.rate_hz = static_cast<double>(count - 1) / (table.at(table.num_rows() - 1, 0) - made.start_s);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (std::abs(table.at(row, 0) - made.time_s(i)) * made.rate_hz > 0.01) {
      throw FileError(read.place(row), "time_s is not evenly spaced");
    }
  }
  Eigen::MatrixXd all(static_cast<Eigen::Index>(table.columns().size()) - 1, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index k = 0; k < all.rows(); ++k) {
      all(k, i) = table.at(static_cast<std::size_t>(i), static_cast<std::size_t>(k) + 1);
    }
  }
  Eigen::Index next = 0;
  const auto take = [&](Eigen::Index rows) {
    next += rows;
    return all.middleRows(next - rows, rows);
  };
  made.q = take(joints + 7);
  made.v = take(joints + 6);
  made.a = take(joints + 6);
  made.com = take(3);
  made.com_velocity = take(3);
  made.com_acceleration = take(3);
  made.zmp = take(2);
  made.force = take(3);
  made.seat_share = take(1).transpose();
  const Parts parts = parts_of(table, made.joints);
  if (parts.has_hands) made.hand_share = take(2);
  if (parts.has_person) made.com_person = take(3);
  if (parts.has_torque) made.torque = take(joints);
  for (const ContactSite site : parts.wrenches) made.wrenches.push_back({site, take(6)});
  return made;
}

/// Wrenches are known for every contact of the schedule, or for none.
void check_wrenches(const MotionPlan& plan, const std::filesystem::path& folder) {
  if (plan.trajectory.wrenches.empty()) return;
  const std::filesystem::path table = folder / "trajectory.csv", schedule = folder / "contacts.yaml";
  for (const Trajectory::ContactWrenches& contact : plan.trajectory.wrenches) {
    if (plan.contacts.has(contact.site)) continue;
    throw FileError({table.string(), 1}, fmt::format("it has the wrench of {0}, but {1} has no contact {0}; remove the "
                                                     "columns {0}_force_x_n to {0}_moment_z_nm or add the contact",
                                                     to_string(contact.site), schedule.string()));
  }
  for (const ContactSite site : plan.contacts.sites()) {
    if (std::ranges::find(plan.trajectory.wrenches, site, &Trajectory::ContactWrenches::site) !=
        plan.trajectory.wrenches.end()) {
      continue;
    }
    throw FileError(
        {table.string(), 1},
        fmt::format("the columns {0}_force_x_n to {0}_moment_z_nm are missing: {1} has the contact {0}, and "
                    "a plan with wrenches has those of every contact",
                    to_string(site), schedule.string()));
  }
}

}  // namespace

Log trajectory_log(const Trajectory& plan) {
  Trajectory trajectory = plan;
  trajectory.seat_share = seat_share_of(plan);
  trajectory.hand_share = hand_share_of(plan);
  Parts parts{.has_hands = trajectory.hand_share.cols() > 0,
              .has_person = trajectory.com_person.cols() > 0,
              .has_torque = trajectory.torque.size() > 0};
  for (const Trajectory::ContactWrenches& contact : trajectory.wrenches) parts.wrenches.push_back(contact.site);
  const Columns columns = columns_of(trajectory.joints, parts);
  std::vector<std::string> names{"time_s"};
  names.insert(names.end(), columns.names.begin(), columns.names.end());
  Log log(names);
  log.reserve(static_cast<std::size_t>(trajectory.num_samples()));
  std::vector<double> row(names.size());
  for (Eigen::Index sample = 0; sample < trajectory.num_samples(); ++sample) {
    row[0] = trajectory.time_s(sample);
    for (std::size_t i = 0; i < columns.places.size(); ++i)
      row[i + 1] = value_of(trajectory, columns.places[i], sample);
    log.append(row);
  }
  return log;
}

void write_plan(const MotionPlan& plan, const std::filesystem::path& folder) {
  const Log log = trajectory_log(plan.trajectory);
  write_csv(log, folder / "trajectory.csv");
  write_npz(log, folder / "trajectory.npz");
  write_contacts(plan, folder / "contacts.yaml");
}

MotionPlan read_plan(const std::filesystem::path& folder) {
  MotionPlan plan;
  plan.trajectory = trajectory_of(read_finite_table(folder / "trajectory.csv"));
  read_contacts(folder / "contacts.yaml", plan);
  check_wrenches(plan, folder);
  return plan;
}

}  // namespace aplomb
