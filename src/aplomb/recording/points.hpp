#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace aplomb {

/// Quantity that the three numbers of a point represent. A C3D file stores computed angles, forces and so on among its
/// markers.
enum class PointKind { marker, angle, force, moment, power, scalar };

/// Frames first ... last, both included, counted from 0.
struct FrameRange {
  std::ptrdiff_t first = 0, last = -1;

  std::ptrdiff_t size() const { return last - first + 1; }
  bool holds(std::ptrdiff_t frame) const { return frame >= first && frame <= last; }
};

/// Markers over time. The numbers are stored exactly as in the file, in its unit and its axes; `position` converts them
/// to metres in the lab frame (z up). Gaps are NaN, never zero and never interpolated.
struct Points {
  std::vector<std::string> labels;
  std::vector<PointKind> kinds;  ///< one per label
  std::size_t num_frames = 0;
  double rate_hz = 0.0;
  double start_s = 0.0;          ///< time of the first frame
  std::int64_t first_frame = 1;  ///< number of the first frame in the file

  std::string unit = "m";        ///< unit of the coordinates, as spelled in the file
  double metres_per_unit = 1.0;  ///< scale that `position` applies
  Eigen::Matrix3d R_lab_file = Eigen::Matrix3d::Identity();

  std::vector<float> xyz;  ///< [frame][point][3], in the file's unit and axes; NaN where the point was not seen
  /// Raw int16 coordinates of an integer C3D file, in units of `residual_unit`; `xyz` is then empty. Memory stays
  /// within the size of the file.
  std::vector<std::int16_t> counts;
  /// [frame][point], of a C3D file only: the low byte is the residual in units of `residual_unit`, 0 when the point was
  /// interpolated or filtered instead of measured; the seven bits above are the camera mask. `kNotSeen` in a gap.
  std::vector<std::uint16_t> seen_by;
  double residual_unit = 0.0;  ///< unit of the residuals and of `counts`, in the file's unit
  static constexpr std::uint16_t kNotSeen = 0xFFFF;

  std::size_t num_points() const { return labels.size(); }
  double time_s(std::size_t frame) const {
    return start_s + (rate_hz > 0.0 ? static_cast<double>(frame) / rate_hz : 0.0);
  }
  bool is_seen(std::size_t frame, std::size_t point) const {
    const std::size_t at = frame * num_points() + point;
    return counts.empty() ? xyz[3 * at] == xyz[3 * at] : seen_by[at] != kNotSeen;
  }
  bool is_marker(std::size_t point) const { return kinds[point] == PointKind::marker; }

  /// Coordinates in the file's unit and axes; NaN in a gap.
  Eigen::Vector3f raw(std::size_t frame, std::size_t point) const {
    const std::size_t at = frame * num_points() + point;
    if (counts.empty()) return Eigen::Map<const Eigen::Vector3f>(&xyz[3 * at]);
    if (seen_by[at] == kNotSeen) return Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN());
    const Eigen::Map<const Eigen::Matrix<std::int16_t, 3, 1>> count(&counts[3 * at]);
    return (residual_unit * count.cast<double>()).cast<float>();
  }
  /// Position in the lab frame [m]; NaN in a gap.
  Eigen::Vector3d position(std::size_t frame, std::size_t point) const {
    return metres_per_unit * (R_lab_file * raw(frame, point).cast<double>());
  }
  /// Index of a point by its label. Throws UnknownName.
  std::size_t index(const std::string& label) const;
};

/// Mean distance of two markers [m] over the frames in which both are seen, for static trials. Throws InvalidValue,
/// with their names, when there are fewer than `least_frames` such frames.
double mean_distance(const Points& points, std::size_t a, std::size_t b, std::size_t least_frames = 10);

}  // namespace aplomb
