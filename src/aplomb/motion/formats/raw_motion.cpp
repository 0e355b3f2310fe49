#include "aplomb/motion/formats/raw_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/core/table/npz.hpp"
#include "aplomb/core/table/time_column.hpp"
#include "aplomb/motion/formats/pickle.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMaxBytes = 2'000'000'000;
constexpr Eigen::Index kBaseColumns = 7;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view why) {
  throw FileError({file.string()}, why);
}

std::string without_ending(std::string name) {
  constexpr std::array kEndings = {"_rad", "_deg", "_dof", "_pos", "_angle", "_joint"};
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) name = name.substr(0, name.size() - ending.size());
  }
  return name;
}

bool is_number(std::string_view field) {
  const std::string text(field);
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str();
}

std::string_view first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A line with commas where `separator` stands; a blank as separator is any number of blanks and tabs.
std::string with_commas(std::string_view line, char separator) {
  std::string joined;
  for (const char letter : trimmed(line)) {
    const bool is_separator = separator == ' ' ? letter == ' ' || letter == '\t' : letter == separator;
    if (!is_separator) joined += letter;
    if (is_separator && !(separator == ' ' && joined.ends_with(','))) joined += ',';
  }
  if (joined.ends_with(',')) joined.pop_back();  // some programs end each line with one
  return joined;
}

/// The table without what other programs write around it: a byte order mark, semicolons or blanks between the numbers,
/// comments. A comment before the numbers that has as many fields is their header (numpy.savetxt). Lines keep their
/// numbers.
std::string plain_table(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto separator_of = [](std::string_view line) {
    for (const char separator : {',', ';'}) {
      if (line.find(separator) != std::string_view::npos) return separator;
    }
    return ' ';
  };
  std::string plain;
  plain.reserve(text.size());
  std::string_view comment;  // the last one before the numbers, and where its line is
  std::size_t comment_at = 0;
  std::optional<char> separator;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (line.starts_with('#')) {
      if (!separator) {
        comment = trimmed(line.substr(1));
        comment_at = plain.size();
      }
    } else if (!line.empty()) {
      const bool is_first = !separator;
      if (is_first) separator = separator_of(line);
      const std::string fields = with_commas(line, *separator);
      if (is_first && is_number(fields) && !comment.empty() && !is_number(comment)) {
        const std::string names = with_commas(comment, separator_of(comment));
        const bool is_header = std::ranges::count(names, ',') == std::ranges::count(fields, ',');
        if (is_header) plain.insert(comment_at, names);
      }
      plain += fields;
    }
    if (end < text.size()) plain += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return plain;
}

/// Digits after the point of the last number in a line.
std::size_t last_decimals(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  const std::string_view field = line.substr(line.rfind(',') + 1);
  const std::size_t point = field.find('.');
  return point == std::string_view::npos ? 0 : field.size() - point - 1;
}

/// A file whose last number is cut has no line break at its end, and fewer digits there than in every line before.
void check_tail(std::string_view text, const std::filesystem::path& file) {
  if (text.empty() || text.back() == '\n') return;
  const std::size_t last = text.rfind('\n');
  if (last == std::string_view::npos) return;
  std::size_t fewest = std::string_view::npos;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', begin)) {
    const std::string_view line = text.substr(begin, end - begin);
    if (is_number(line)) fewest = std::min(fewest, last_decimals(line));
    begin = end + 1;
  }
  if (fewest != std::string_view::npos && last_decimals(text.substr(last + 1)) < fewest) {
    const auto line = static_cast<int>(std::ranges::count(text, '\n')) + 1;
    throw FileError({file.string(), line}, "the file ends inside a number: it was not written to its end");
  }
}

void require_finite(const RawMotion& raw, const Eigen::MatrixXd& values, std::string_view what) {
  for (Eigen::Index frame = 0; frame < values.cols(); ++frame) {
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
      if (std::isfinite(values(row, frame))) continue;
      throw FileError(raw.place(frame),
                      fmt::format("{} {} is not a finite number in frame {}", what, row + 1, frame + 1));
    }
  }
}

void check_raw(const RawMotion& raw) {
  if (raw.position.cols() < 3) refuse(raw.file, "has fewer than three frames; a motion has more");
  require_finite(raw, raw.position, "base position");
  require_finite(raw, raw.quaternion, "base quaternion");
  require_finite(raw, raw.joints, "joint");
  require_finite(raw, raw.joint_velocity, "joint velocity");
  require_finite(raw, raw.body_position, "body position");
  require_finite(raw, raw.body_quaternion, "body quaternion");
}

Eigen::MatrixXd columns_of(const Log& table, const std::vector<std::size_t>& columns) {
  Eigen::MatrixXd values(static_cast<Eigen::Index>(columns.size()), static_cast<Eigen::Index>(table.num_rows()));
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(row)) = table.at(row, columns[i]);
    }
  }
  return values;
}

std::vector<std::size_t> range(std::size_t begin, std::size_t count) {
  std::vector<std::size_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = begin + i;
  return indices;
}

double rate_of(const TableFile& read, std::size_t column) {
  std::vector<double> times(read.table.num_rows());
  for (std::size_t row = 0; row < times.size(); ++row) times[row] = read.table.at(row, column);
  if (const auto fault = find_time_fault(times)) throw FileError(read.place(fault->row), "the time: " + fault->text);
  // To six digits: times are rounded in the file.
  const double rate = static_cast<double>(times.size() - 1) / (times.back() - times.front());
  return std::stod(fmt::format("{:.6g}", rate));
}

/// The first of some names that the table has.
std::optional<std::size_t> find_column(const Log& table, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (table.has(name)) return table.index(name);
  }
  return std::nullopt;
}

void read_named(const TableFile& read, const RobotModel& robot, RawMotion& raw) {
  const Log& table = read.table;
  raw.format = MotionFormat::csv_named;
  raw.order_is_named = true;
  std::vector<std::size_t> base;
  for (const char axis : {'x', 'y', 'z'}) {
    const auto found =
        find_column(table, {fmt::format("base_{}_m", axis), fmt::format("base_{}", axis), fmt::format("root_{}", axis),
                            fmt::format("root_pos_{}", axis), fmt::format("base_pos_{}", axis),
                            fmt::format("pos_{}", axis), std::string(1, axis)});
    if (!found)
      refuse(read.file, fmt::format("no column of the base's {} position (as base_{}_m, root_pos_{}, {})", axis, axis,
                                    axis, axis));
    base.push_back(*found);
  }
  raw.position = columns_of(table, base);
  base.clear();
  for (const char axis : {'x', 'y', 'z', 'w'}) {
    const auto found = find_column(
        table, {fmt::format("base_q{}", axis), fmt::format("root_q{}", axis), fmt::format("root_rot_{}", axis),
                fmt::format("root_quat_{}", axis), fmt::format("base_quat_{}", axis), fmt::format("quat_{}", axis),
                fmt::format("rot_{}", axis), fmt::format("q{}", axis)});
    if (!found)
      refuse(read.file, fmt::format("no column of the base's quaternion {} (as base_q{}, root_rot_{}, q{})", axis, axis,
                                    axis, axis));
    base.push_back(*found);
  }
  raw.quaternion = columns_of(table, base);
  std::vector<std::size_t> columns;
  std::vector<bool> in_degrees;
  std::set<int> seen;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const std::string& name = table.columns()[i];
    const int joint = joint_called(robot, name);
    if (joint < 0) continue;
    if (!seen.insert(joint).second)
      refuse(read.file, fmt::format("column '{}' is a second one of the joint '{}'", shortened(name),
                                    robot.joints()[static_cast<std::size_t>(joint)].name));
    columns.push_back(i);
    in_degrees.push_back(name.ends_with("_deg"));
    raw.joint_names.push_back(robot.joints()[static_cast<std::size_t>(joint)].name);
  }
  for (int i = 0; i < robot.num_joints(); ++i) {
    if (!seen.contains(i))
      refuse(read.file,
             fmt::format("no column of the joint '{}'; the file must have all {} joints of {}",
                         robot.joints()[static_cast<std::size_t>(i)].name, robot.num_joints(), robot.name()));
  }
  raw.joints = columns_of(table, columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (in_degrees[i]) raw.joints.row(static_cast<Eigen::Index>(i)) *= std::numbers::pi / 180.0;
  }
  const auto time = find_column(table, {"time_s", "time", "timestamp", "t"});
  if (time && table.num_rows() > 2) raw.rate_hz = rate_of(read, *time);
}

void read_headerless(const TableFile& read, const RobotModel& robot, RawMotion& raw) {
  const auto needed = static_cast<std::size_t>(kBaseColumns + robot.num_joints());
  if (read.table.columns().size() != needed) {
    refuse(read.file,
           fmt::format("has {} columns without names; a motion of {} has {}: base x y z, a quaternion, {} joints",
                       read.table.columns().size(), robot.name(), needed, robot.num_joints()));
  }
  raw.position = columns_of(read.table, range(0, 3));
  raw.quaternion = columns_of(read.table, range(3, 4));
  raw.joints = columns_of(read.table, range(7, needed - 7));
}

/// The arrays of an NPZ file by name.
class Arrays {
 public:
  Arrays(std::vector<NpzArray> arrays, std::filesystem::path file)
      : arrays_(std::move(arrays)), file_(std::move(file)) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  const NpzArray* find(std::string_view name) const {
    const auto found = std::ranges::find(arrays_, name, &NpzArray::name);
    return found == arrays_.end() ? nullptr : &*found;
  }
  const NpzArray& at(std::string_view name) const {
    if (const NpzArray* array = find(name)) return *array;
    std::vector<std::string> names;
    for (const NpzArray& array : arrays_) names.push_back(array.name);
    refuse(file_, fmt::format("has no array '{}'; it has {}", name, fmt::join(names, ", ")));
  }
  /// One row a frame in the file; here one column a frame. `axes` counts all axes, frames included.
  Eigen::MatrixXd matrix(std::string_view name, std::size_t axes, std::size_t last) const {
    const NpzArray& array = at(name);
    const bool is_right =
        array.texts.empty() && array.shape.size() == axes && (last == 0 || array.shape.back() == last);
    if (!is_right) {
      refuse(file_, fmt::format("array '{}' has the shape ({}); {} axes, frames first{}, are expected", name,
                                fmt::join(array.shape, ", "), axes,
                                last > 0 ? fmt::format(" and {} last", last) : std::string()));
    }
    const std::size_t frames = array.shape.front(), each = frames == 0 ? 0 : array.values.size() / frames;
    if (num_frames_ == 0) num_frames_ = frames;
    if (frames != num_frames_)
      refuse(file_, fmt::format("array '{}' has {} frames, but another has {}", name, frames, num_frames_));
    return Eigen::Map<const Eigen::MatrixXd>(array.values.data(), static_cast<Eigen::Index>(each),
                                             static_cast<Eigen::Index>(frames));
  }
  std::vector<std::string> texts(std::string_view name) const {
    const NpzArray* array = find(name);
    if (array == nullptr) return {};
    if (array->texts.empty()) refuse(file_, fmt::format("array '{}' is not an array of names", name));
    return array->texts;
  }
  std::optional<double> rate() const {
    for (const char* name : {"fps", "frame_rate", "framerate"}) {
      const NpzArray* array = find(name);
      if (array == nullptr) continue;
      if (array->values.size() != 1 || !(array->values.front() > 0.0) || array->values.front() > 1e5) {
        refuse(file_, fmt::format("array '{}' must be one number of frames a second", name));
      }
      return array->values.front();
    }
    return std::nullopt;
  }

 private:
  std::vector<NpzArray> arrays_;
  std::filesystem::path file_;
  mutable std::size_t num_frames_ = 0;
};

void require_joint_columns(const RawMotion& raw, const RobotModel& robot, std::string_view array) {
  if (!raw.joint_names.empty()) {
    if (static_cast<Eigen::Index>(raw.joint_names.size()) != raw.joints.rows()) {
      refuse(raw.file, fmt::format("'{}' has {} joints, but joint_names has {}", array, raw.joints.rows(),
                                   raw.joint_names.size()));
    }
    return;
  }
  if (raw.joints.rows() != robot.num_joints()) {
    refuse(raw.file, fmt::format("'{}' has {} joints, but {} has {}", array, raw.joints.rows(), robot.name(),
                                 robot.num_joints()));
  }
}

void read_training(const Arrays& arrays, const RobotModel& robot, RawMotion& raw) {
  raw.format = MotionFormat::training;
  raw.order = QuaternionOrder::wxyz;
  raw.joint_names = arrays.texts("joint_names");
  raw.body_names = arrays.texts("body_names");
  raw.joints = arrays.matrix("joint_pos", 2, 0);
  raw.joint_velocity = arrays.matrix("joint_vel", 2, 0);
  raw.body_position = arrays.matrix("body_pos_w", 3, 3);
  raw.body_quaternion = arrays.matrix("body_quat_w", 3, 4);
  if (raw.body_position.rows() / 3 != raw.body_quaternion.rows() / 4)
    refuse(raw.file, "body_pos_w and body_quat_w have different numbers of bodies");
  if (!raw.body_names.empty() && static_cast<Eigen::Index>(raw.body_names.size()) * 3 != raw.body_position.rows()) {
    refuse(raw.file, fmt::format("body_names has {} names, but there are {} bodies", raw.body_names.size(),
                                 raw.body_position.rows() / 3));
  }
  const auto num_joints = raw.joint_names.empty() ? robot.num_joints() : static_cast<int>(raw.joint_names.size());
  if (raw.joints.rows() == num_joints + kBaseColumns) {  // the whole qpos
    raw.format = MotionFormat::named;
    raw.position = raw.joints.topRows(3);
    raw.quaternion = raw.joints.middleRows(3, 4);
    raw.joints = raw.joints.bottomRows(num_joints).eval();
    raw.joint_velocity =
        raw.joint_velocity.bottomRows(std::min<Eigen::Index>(num_joints, raw.joint_velocity.rows())).eval();
  } else {
    raw.position = raw.body_position.topRows(3);
    raw.quaternion = raw.body_quaternion.topRows(4);
  }
  require_joint_columns(raw, robot, "joint_pos");
  if (raw.joint_velocity.rows() != raw.joints.rows()) refuse(raw.file, "joint_vel has not as many joints as joint_pos");
}

void read_pyroki(const Arrays& arrays, const RobotModel& robot, RawMotion& raw) {
  raw.format = MotionFormat::pyroki;
  raw.order = QuaternionOrder::wxyz;
  raw.joint_names = arrays.texts("joint_names");
  raw.position = arrays.matrix("base_frame_pos", 2, 3);
  raw.quaternion = arrays.matrix("base_frame_wxyz", 2, 4);
  raw.joints = arrays.matrix("joint_angles", 2, 0);
  require_joint_columns(raw, robot, "joint_angles");
}

void read_gmr(const Arrays& arrays, const RobotModel& robot, RawMotion& raw) {
  raw.format = MotionFormat::gmr;
  raw.position = arrays.matrix("root_pos", 2, 3);
  raw.quaternion = arrays.matrix("root_rot", 2, 4);
  raw.joints = arrays.matrix("dof_pos", 2, 0);
  require_joint_columns(raw, robot, "dof_pos");
}

}  // namespace

int joint_called(const RobotModel& robot, std::string_view name) {
  const std::string plain = without_ending(std::string(name));
  for (int i = 0; i < robot.num_joints(); ++i) {
    const std::string& joint = robot.joints()[static_cast<std::size_t>(i)].name;
    if (name == joint || plain == without_ending(joint)) return i;
  }
  return -1;
}

RawMotion read_raw_csv(const std::filesystem::path& file, const RobotModel& robot) {
  const std::string text = plain_table(read_file(file, kMaxBytes));
  RawMotion raw{.file = file};
  const bool has_header = !is_number(first_line(text));
  check_tail(text, file);
  const TableFile read = parse_csv(text, file, {.max_bytes = kMaxBytes, .has_header = has_header});
  raw.lines = read.lines;
  has_header ? read_named(read, robot, raw) : read_headerless(read, robot, raw);
  check_raw(raw);
  return raw;
}

RawMotion read_raw_arrays(const std::filesystem::path& file, const RobotModel& robot) {
  const std::string bytes = read_file(file, kMaxBytes);
  const bool is_pickle = file.extension() == ".pkl";
  const Arrays arrays(is_pickle ? parse_pickle(bytes, file) : parse_npz_arrays(bytes, file), file);
  RawMotion raw{.file = file};
  if (arrays.has("base_frame_pos") || arrays.has("base_frame_wxyz")) {
    read_pyroki(arrays, robot, raw);
  } else if (is_pickle) {
    read_gmr(arrays, robot, raw);
  } else if (arrays.has("time_s")) {
    const TableFile read{.file = file, .table = parse_npz(bytes, file)};
    read_named(read, robot, raw);
  } else {
    read_training(arrays, robot, raw);
  }
  if (const auto rate = arrays.rate()) raw.rate_hz = rate;
  check_raw(raw);
  return raw;
}

}  // namespace aplomb
