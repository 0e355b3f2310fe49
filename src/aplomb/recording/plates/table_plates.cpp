#include "aplomb/recording/plates/table_plates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

struct PlateColumns {
  std::string name;
  std::array<std::size_t, 3> force{}, cop{};
  std::optional<std::array<std::size_t, 3>> moment;
};

using Names = std::array<std::string, 3>;

Names names(const std::string& stem, const std::string& a, const std::string& b, const std::string& c) {
  return {stem + a, stem + b, stem + c};
}

std::optional<std::array<std::size_t, 3>> find(const Table& table, const Names& three) {
  std::array<std::size_t, 3> columns{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto found = table.find(three[i]);
    if (!found) return std::nullopt;
    columns[i] = *found;
  }
  return columns;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

/// Columns named by axis, such as `ground_force_1_vx`; the moments may be named in several ways.
std::optional<PlateColumns> by_axes(const Table& table, const std::string& column) {
  if (!column.ends_with("vx")) return std::nullopt;
  const std::string stem = column.substr(0, column.size() - 2);
  const auto force = find(table, names(stem, "vx", "vy", "vz"));
  const auto cop = find(table, names(stem, "px", "py", "pz"));
  if (!force || !cop) return std::nullopt;
  PlateColumns plate{stem.substr(0, stem.find_last_not_of('_') + 1), *force, *cop,
                     find(table, names(stem, "mx", "my", "mz"))};
  for (const char* word : {"torque", "moment"}) {
    const std::string other = replaced(stem, "force", word);
    if (!plate.moment && !other.empty()) plate.moment = find(table, names(other, "x", "y", "z"));
    if (!plate.moment && !other.empty()) plate.moment = find(table, names(other, "mx", "my", "mz"));
  }
  return plate;
}

/// Columns named by vector: `f1.1 f1.2 f1.3` (a Vec3 column) or `f1_1 f1_2 f1_3`.
std::optional<PlateColumns> by_vectors(const Table& table, const std::string& column) {
  const std::string ending = column.size() > 3 ? column.substr(column.size() - 2) : "";
  if (column.empty() || column[0] != 'f' || (ending != ".1" && ending != "_1")) return std::nullopt;
  const std::string number = column.substr(1, column.size() - 3);
  if (!std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  const char separator = ending[0];
  const auto three = [&](char letter) {
    return find(table, names(fmt::format("{}{}{}", letter, number, separator), "1", "2", "3"));
  };
  const auto force = three('f');
  const auto cop = three('p');
  if (!force || !cop) return std::nullopt;
  return PlateColumns{"f" + number, *force, *cop, three('m')};
}

std::vector<PlateColumns> find_plates(const Table& table) {
  std::vector<PlateColumns> plates;
  for (const std::string& column : table.columns) {
    std::optional<PlateColumns> plate = by_axes(table, column);
    if (!plate) plate = by_vectors(table, column);
    if (plate && plates.size() < 64) plates.push_back(*plate);
  }
  return plates;
}

class TablePlate final : public ForcePlate {
 public:
  TablePlate(const Table& table, PlateColumns columns, std::size_t time, const Eigen::Matrix3d& R_lab_file,
             double threshold_n)
      : table_(table), columns_(std::move(columns)), R_lab_file_(R_lab_file), threshold_n_(threshold_n) {
    info_.name = columns_.name;
    info_.rate_hz = rate_of(table, time);
    info_.start_s = table.at(0, time);
    if (!columns_.moment) info_.notes.emplace_back("no column has its free moment: taken as 0");
  }

  std::size_t num_samples() const override { return table_.num_rows(); }

  PlateSample sample(std::size_t index) const override {
    PlateSample sample;
    const Eigen::Vector3d force = sign_ * vector(index, columns_.force);
    const Eigen::Vector3d cop = vector(index, columns_.cop);
    const Eigen::Vector3d moment =
        columns_.moment ? Eigen::Vector3d(sign_ * vector(index, *columns_.moment)) : Eigen::Vector3d::Zero();
    sample.is_loaded = force.allFinite() && cop.allFinite() && moment.allFinite() && force.z() > threshold_n_;
    if (!sample.is_loaded) return sample;
    sample.force = force;
    sample.cop = cop;
    sample.free_moment = moment;
    return sample;
  }

  void correct() {
    double sum = 0.0;
    bool is_zero = true;
    for (std::size_t row = 0; row < num_samples(); ++row) {
      const Eigen::Vector3d force = vector(row, columns_.force);
      if (std::abs(force.z()) > threshold_n_) sum += force.z();
      is_zero = is_zero && force.isZero(0.0);
    }
    if (is_zero) info_.notes.emplace_back("always exactly 0: nothing was connected");
    if (!(sum < 0.0)) return;
    sign_ = -1.0;
    info_.notes.emplace_back(
        "its vertical force is negative: these are forces on the plate, turned to those on the body");
  }

 private:
  Eigen::Vector3d vector(std::size_t row, const std::array<std::size_t, 3>& columns) const {
    return R_lab_file_ *
           Eigen::Vector3d(table_.at(row, columns[0]), table_.at(row, columns[1]), table_.at(row, columns[2]));
  }

  const Table& table_;
  PlateColumns columns_;
  Eigen::Matrix3d R_lab_file_;
  double threshold_n_;
  double sign_ = 1.0;
};

}  // namespace

ForcePlates plates_of(const Table& table, std::size_t time, const Eigen::Matrix3d& R_lab_file,
                      const PlateOptions& options) {
  ForcePlates found;
  for (PlateColumns& columns : find_plates(table)) {
    auto plate = std::make_unique<TablePlate>(table, std::move(columns), time, R_lab_file, options.threshold_n);
    if (options.correct_signs) plate->correct();
    found.plates.push_back(std::move(plate));
  }
  return found;
}

std::vector<AxisVote> force_votes(const Table& table) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const PlateColumns& plate : find_plates(table)) {
    for (std::size_t row = 0; row < table.num_rows(); ++row) {
      for (int axis = 0; axis < 3; ++axis) {
        const double force = table.at(row, plate.force[static_cast<std::size_t>(axis)]);
        if (std::isfinite(force)) sum[axis] += force;
      }
    }
  }
  Eigen::Index axis = 0;
  if (sum.cwiseAbs().maxCoeff(&axis) == 0.0) return {};
  const auto up = static_cast<SignedAxis>(static_cast<int>(axis) + 1);
  return {{up, 4.0,
           fmt::format("the forces are largest along {} ({:.0f} N on average)", axis_text(up),
                       std::abs(sum[axis]) / static_cast<double>(std::max<std::size_t>(table.num_rows(), 1)))}};
}

}  // namespace aplomb
