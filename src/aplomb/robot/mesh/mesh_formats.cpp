#include "aplomb/robot/mesh/mesh_formats.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kStlHeader = 80, kStlCount = 4, kStlTriangle = 50;  // [bytes]
constexpr std::string_view kBlank = " \t\r\n\v\f";

/// STL is little-endian, as are all machines that this is built for.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t position) {
  Number number{};
  std::memcpy(&number, bytes.data() + position, sizeof(number));
  return number;
}

std::vector<Eigen::Vector3d> read_binary_stl(std::string_view bytes, const std::string& file) {
  const auto num_triangles = number_at<std::uint32_t>(bytes, kStlHeader);
  std::vector<Eigen::Vector3d> points;
  points.reserve(3 * std::size_t{num_triangles});
  for (std::size_t i = 0; i < num_triangles; ++i) {
    // A normal, then three corners, of three floats each.
    const std::size_t corners = kStlHeader + kStlCount + i * kStlTriangle + 3 * sizeof(float);
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Eigen::Vector3f point;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        point[static_cast<Eigen::Index>(axis)] = number_at<float>(bytes, corners + (3 * corner + axis) * sizeof(float));
      }
      if (!point.allFinite()) throw FileError({file}, fmt::format("triangle {} has a corner that is not finite", i));
      points.emplace_back(point.cast<double>());
    }
  }
  return points;
}

/// Reads the points of all lines that begin with `keyword`: "vertex 1 2 3".
std::vector<Eigen::Vector3d> read_point_lines(std::string_view text, std::string_view keyword,
                                              const std::string& file) {
  std::vector<Eigen::Vector3d> points;
  int line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (!line.starts_with(keyword)) continue;
    line.remove_prefix(keyword.size());
    if (line.empty() || kBlank.find(line.front()) == std::string_view::npos) continue;  // "vn", "vertexes"
    const std::optional<double> x = take_number(line), y = take_number(line), z = take_number(line);
    if (!x || !y || !z) throw FileError({file, line_number}, fmt::format("'{}' needs three numbers", keyword));
    points.emplace_back(*x, *y, *z);
  }
  if (points.empty()) throw FileError({file}, "has no vertex");
  return points;
}

/// The vertex of a corner such as "7", "7/1/3" or "-1" (the last one so far), from 0; absent when there is none.
std::optional<std::uint32_t> take_corner(std::string_view& text, std::size_t num_points) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlank));
  text.remove_prefix(word.size());
  long number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || (end != word.data() + word.size() && *end != '/')) return std::nullopt;
  const long index = number < 0 ? static_cast<long>(num_points) + number : number - 1;
  if (index < 0 || index >= static_cast<long>(num_points)) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

}  // namespace

std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool is_binary_stl(std::string_view first_bytes, std::size_t file_size) {
  if (first_bytes.size() < kStlHeader + kStlCount) return false;
  const std::size_t needed =
      kStlHeader + kStlCount + kStlTriangle * std::size_t{number_at<std::uint32_t>(first_bytes, kStlHeader)};
  // ASCII files begin with this word, as do some binary ones; some binary files have trailing bytes.
  return first_bytes.starts_with("solid") ? file_size == needed : file_size >= needed;
}

std::vector<Eigen::Vector3d> read_stl_points(std::string_view bytes, const std::string& file) {
  if (is_binary_stl(bytes, bytes.size())) return read_binary_stl(bytes, file);
  if (bytes.starts_with("solid")) return read_point_lines(bytes, "vertex", file);
  throw FileError({file}, "is not an STL file, or its end is missing");
}

SurfaceMesh read_obj_surface(std::string_view bytes, const std::string& file) {
  SurfaceMesh mesh{.points = read_point_lines(bytes, "v", file)};
  int line_number = 0;
  for (std::string_view text = bytes; !text.empty();) {
    ++line_number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (!line.starts_with("f ") && !line.starts_with("f\t")) continue;
    line.remove_prefix(1);
    std::vector<std::uint32_t> corners;
    while (line.find_first_not_of(kBlank) != std::string_view::npos) {
      const std::optional<std::uint32_t> corner = take_corner(line, mesh.points.size());
      if (!corner) throw FileError({file, line_number}, "'f' names a vertex that is not there");
      corners.push_back(*corner);
    }
    for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }
  return mesh;
}

std::vector<Eigen::Vector3d> read_obj_points(std::string_view bytes, const std::string& file) {
  return read_point_lines(bytes, "v", file);
}

}  // namespace aplomb
