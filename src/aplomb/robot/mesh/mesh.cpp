#include "aplomb/robot/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/mesh/mesh_formats.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMaxMeshBytes = 100'000'000;

std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// Number of bytes read at the beginning and at the end of a file.
constexpr std::size_t kPeekBytes = 4096;

struct Peek {
  std::uintmax_t size = 0;
  std::string first, last;
};

Peek peek_at(const std::filesystem::path& file) {
  std::error_code error;
  Peek peek;
  note_input(file);
  peek.size = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) throw FileError({file.string()}, "cannot be read");
  const auto length = static_cast<std::size_t>(std::min<std::uintmax_t>(peek.size, kPeekBytes));
  for (std::string* bytes : {&peek.first, &peek.last}) {
    bytes->resize(length);
    if (bytes == &peek.last) stream.seekg(-static_cast<std::streamoff>(length), std::ios::end);
    stream.read(bytes->data(), static_cast<std::streamsize>(length));
    if (!stream) throw FileError({file.string()}, "cannot be read");
  }
  return peek;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 || c == '\n' || c == '\r' || c == '\t'; });
}

}  // namespace

std::vector<Eigen::Vector3d> read_mesh_points(const std::filesystem::path& file, ColladaUpAxis up_axis) {
  const std::string ending = ending_of(file);
  const std::string name = file.string();
  if (ending != ".stl" && ending != ".obj" && ending != ".dae") {
    throw FileError({name}, "is not a supported mesh format; valid: .stl, .obj, .dae");
  }
  const std::string bytes = read_file(file, kMaxMeshBytes);
  if (ending == ".stl") return read_stl_points(bytes, name);
  if (ending == ".obj") return read_obj_points(bytes, name);
  return read_collada_points(bytes, name, up_axis == ColladaUpAxis::obeyed);
}

std::string mesh_problem(const std::filesystem::path& file) {
  try {
    const Peek peek = peek_at(file);
    const std::string ending = ending_of(file);
    if (peek.size == 0) return "is empty";
    if (peek.size > kMaxMeshBytes) return fmt::format("is larger than {} MB", kMaxMeshBytes / 1'000'000);
    if (ending == ".stl") {
      const bool is_text = peek.first.starts_with("solid") && contains(peek.last, "endsolid");
      return is_text || is_binary_stl(peek.first, peek.size) ? "" : "is not an STL file, or its end is missing";
    }
    if (ending == ".dae") {
      const bool is_collada = contains(peek.first, "<COLLADA") && contains(peek.last, "</COLLADA>");
      return is_collada ? "" : "is not a COLLADA file, or its end is missing";
    }
    if (ending == ".obj") return is_printable(peek.first) ? "" : "is not an OBJ file";
    return "is not of a known kind (.stl, .obj, .dae)";
  } catch (const Error&) {
    return "cannot be read";
  }
}

std::string missing_meshes_note(const Urdf& urdf, std::span<const std::filesystem::path> package_roots) {
  std::set<std::string> names;
  for (const UrdfLink& link : urdf.links) {
    for (const auto* shapes : {&link.visuals, &link.collisions}) {
      for (const Shape& shape : *shapes) {
        if (shape.kind == Shape::Kind::mesh) names.insert(shape.mesh_file);
      }
    }
  }
  std::size_t num_missing = 0;
  std::string first;
  for (const std::string& name : names) {
    std::string problem;
    try {
      problem = mesh_problem(find_mesh_file(name, urdf.file, package_roots));
      if (!problem.empty()) problem = fmt::format("'{}' {}", shortened(name, 120), problem);
    } catch (const Error& error) {
      problem = fmt::format("'{}': {}", shortened(name, 120), error.what());
    }
    if (problem.empty()) continue;
    if (num_missing++ == 0) first = problem;
  }
  if (num_missing == 0) return {};
  return fmt::format(
      "{} of {} mesh files are missing or unreadable, which costs their looks and nothing else; the "
      "first: {}",
      num_missing, names.size(), first);
}

}  // namespace aplomb
