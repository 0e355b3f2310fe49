#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/body_tree.hpp"

namespace aplomb::test {

/// A possible robot with one of everything that the reader knows. Tests change one place of it.
inline constexpr std::string_view kWalker = R"(<?xml version="1.0"?>
<robot name="walker" version="1.1">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="pelvis">
    <inertial>
      <origin xyz="0.01 0 0.1" rpy="0.1 0.2 0.3"/>
      <mass value="5"/>
      <inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.04" iyz="0" izz="0.03"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.1" rpy="0 0 1"/>
      <geometry><box size="0.2 0.3 0.1"/></geometry>
      <material name="blue"/>
    </visual>
    <collision>
      <geometry><sphere radius="0.1"/></geometry>
    </collision>
  </link>
  <!-- a frame without mass, as <link name="pelvis"> may carry -->
  <link name="camera"/>
  <joint name="camera_mount" type="fixed">
    <parent link="pelvis"/>
    <child link="camera"/>
    <origin xyz="0.1 0 0.2"/>
  </joint>
  <joint name="hip" type="revolute">
    <parent link="pelvis"/>
    <child link="thigh"/>
    <origin xyz="0 0.1 0" rpy="0 0 0.5"/>
    <axis xyz="0 2 0"/>
    <limit lower="-1" upper="1.5" effort="80" velocity="6"/>
    <dynamics damping="0.1" friction="0"/>
    <safety_controller k_velocity="1"/>
  </joint>
  <link name="thigh">
    <inertial>
      <origin xyz="0 0 -0.15"/>
      <mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.004"/>
    </inertial>
    <visual>
      <geometry><capsule radius="0.05" length="0.3"/></geometry>
    </visual>
    <collision>
      <geometry><mesh filename="package://walker/thigh.stl" scale="1 -1 1"/></geometry>
    </collision>
  </link>
  <joint name="knee" type="prismatic">
    <parent link="thigh"/>
    <child link="shank"/>
    <axis xyz="0 0 -1"/>
    <limit lower="0" upper="0.2" effort="100" velocity="1"/>
  </joint>
  <link name="shank">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.001"/>
    </inertial>
    <visual>
      <geometry><cylinder radius="0.04" length="0.3"/></geometry>
    </visual>
  </link>
  <joint name="wheel" type="continuous">
    <parent link="shank"/>
    <child link="roll"/>
    <axis xyz="0 1 0"/>
  </joint>
  <link name="roll">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.0015" iyz="0" izz="0.001"/>
    </inertial>
  </link>
  <joint name="finger" type="revolute">
    <parent link="pelvis"/>
    <child link="tip"/>
    <origin xyz="0 -0.1 0"/>
    <axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="hip" multiplier="2" offset="0.25"/>
  </joint>
  <link name="tip">
    <inertial>
      <mass value="0.1"/>
      <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
    </inertial>
  </link>
  <gazebo reference="pelvis"><mu1>0.9</mu1></gazebo>
  <transmission name="drive"><type>simple</type></transmission>
</robot>
)";

/// The text with one place changed; `old_part` must stand in it exactly once.
inline std::string changed(std::string_view text, std::string_view old_part, std::string_view new_part) {
  const std::size_t at = text.find(old_part);
  if (at == std::string_view::npos || text.find(old_part, at + 1) != std::string_view::npos) {
    throw std::logic_error("the sample has not exactly one: " + std::string(old_part));
  }
  std::string out(text);
  return out.replace(at, old_part.size(), new_part);
}

inline std::string walker_with(std::string_view old_part, std::string_view new_part) {
  return changed(kWalker, old_part, new_part);
}

inline BodyTree body_tree(std::string_view text, InertiaPolicy policy = InertiaPolicy::refuse) {
  return build_body_tree(parse_urdf(text, "test.urdf"), policy);
}

/// What the reader or the judge says against the text; empty when it accepts it.
inline std::string complaint(std::string_view text, InertiaPolicy policy = InertiaPolicy::refuse) {
  try {
    body_tree(text, policy);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// An <inertial> of a ball-like body.
inline std::string ball(double mass) {
  std::ostringstream out;
  out << "<inertial><mass value=\"" << mass
      << R"("/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>)"
      << "</inertial>";
  return out.str();
}

/// A folder that is gone at the end of the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "aplomb_urdf_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = pattern;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

}  // namespace aplomb::test
