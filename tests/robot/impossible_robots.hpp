#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "robot/urdf_samples.hpp"

namespace aplomb::test {

/// A change that makes the walker impossible. '@' in `new_part` marks the line that the error must name (it is taken
/// out before reading); an empty `old_part` means that `new_part` is the whole file.
struct Impossible {
  std::string_view name;
  std::string_view old_part;
  std::string_view new_part;
  std::string_view fragment;  ///< of the error's text
};

inline void PrintTo(const Impossible& entry, std::ostream* out) { *out << entry.name; }

/// The file's text, and the line that the error must name (0: none is marked).
inline std::pair<std::string, int> robot_of(const Impossible& entry) {
  std::string text = entry.old_part.empty() ? std::string(entry.new_part) : walker_with(entry.old_part, entry.new_part);
  const std::size_t mark = text.find('@');
  if (mark == std::string::npos) return {text, 0};
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), '\n');
  return {text.erase(mark, 1), static_cast<int>(line)};
}

inline constexpr Impossible kImpossibleParts[] = {
    // masses and inertias
    {"NegativeMass", R"(<mass value="2"/>)", R"(@<mass value="-2"/>)", "link 'thigh': mass is -2 kg"},
    {"NegativeMassOnAFixedLink", R"(<link name="camera"/>)",
     R"(<link name="camera"><inertial>
        @<mass value="-0.1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)",
     "link 'camera': mass is -0.1 kg"},
    {"MassIsNan", R"(<mass value="2"/>)", R"(@<mass value="nan"/>)",
     "link 'thigh': <mass> value is \"nan\"; it must be finite"},
    {"MassIsInfinite", R"(<mass value="2"/>)", R"(@<mass value="inf"/>)", "it must be finite"},
    {"MassOverflows", R"(<mass value="2"/>)", R"(@<mass value="1e999"/>)", "beyond what a number can hold"},
    {"MassInWrongUnits", R"(<mass value="2"/>)", R"(@<mass value="2e12"/>)", "at most 1e+09"},
    {"MassIsText", R"(<mass value="2"/>)", R"(@<mass value="heavy"/>)", "\"heavy\", which is not a number"},
    {"MassHasAUnit", R"(<mass value="2"/>)", R"(@<mass value="2kg"/>)", "\"2kg\", which is not a number"},
    {"MassIsHexadecimal", R"(<mass value="2"/>)", R"(@<mass value="0x2"/>)", "which is not a number"},
    {"MassHasTwoSigns", R"(<mass value="2"/>)", R"(@<mass value="+-2"/>)", "which is not a number"},
    {"MassIsEmpty", R"(<mass value="2"/>)", R"(@<mass value=" "/>)", "empty attribute 'value'"},
    {"MassWithoutValue", R"(<mass value="2"/>)", R"(@<mass/>)", "<mass> has no attribute 'value'"},
    {"MassValueMisspelt", R"(<mass value="2"/>)", R"(@<mass vaule="2"/>)", "closest is 'value'"},
    {"MassTwice", R"(<mass value="2"/>)", "<mass value=\"2\"/>\n@<mass value=\"3\"/>", "a second <mass>"},
    {"MassValueTwice", R"(<mass value="2"/>)", R"(@<mass value="2" value="3"/>)", "an attribute that stands twice"},
    {"MassMissing", R"(<mass value="2"/>)", "", "link 'thigh': <inertial> has no <mass>"},
    {"InertiaMissing", R"(<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.004"/>)", "",
     "link 'thigh': <inertial> has no <inertia>"},
    {"InertiaIncomplete", R"(iyy="0.02" iyz="0" izz="0.004")", R"(@iyy="0.02" iyz="0")", "no attribute 'izz'"},
    {"InertiaIsNan", R"(izz="0.004")", R"(@izz="NaN")", "it must be finite"},
    {"InertialMisspelt", "<inertial>\n      <origin xyz=\"0 0 -0.15\"/>\n      <mass value=\"2\"/>",
     "@<intertial/><inertial>\n      <mass value=\"2\"/>",
     "unknown element <intertial> in <link>; closest is <inertial>"},
    {"InertialTwice", "<visual>\n      <geometry><capsule", "@<inertial/><visual>\n      <geometry><capsule",
     "a second <inertial>"},
    {"MovingBodyWithoutInertial",
     "<link name=\"roll\">\n    <inertial>\n      <mass value=\"0.5\"/>\n"
     R"(      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.0015" iyz="0" izz="0.001"/>)"
     "\n    </inertial>",
     "@<link name=\"roll\">", "link 'roll': joint 'wheel' moves it, but it has no mass"},
    {"InertiaWithoutMass", "<inertial>\n      <mass value=\"0.5\"/>", "@<inertial>\n      <mass value=\"0\"/>",
     "link 'roll': it has an inertia, but no mass"},
    {"RootWithoutMass", "",
     R"(<robot name="r">
        @<link name="base"/><link name="arm"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)",
     "link 'base': the root has no mass"},
    {"InertiaIsZero",
     "<inertial>\n      <mass value=\"0.5\"/>\n      <inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.0015\" "
     "iyz=\"0\" izz=\"0.001\"/>",
     "@<inertial>\n      <mass value=\"0.5\"/>\n      <inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" "
     "izz=\"0\"/>",
     "link 'roll': its inertia is not positive definite"},
    {"InertiaNotPositiveDefinite", R"(iyy="0.0015")", R"(iyy="-0.0015")",
     "link 'roll': its inertia is not positive definite"},
    {"InertiaIndefiniteByItsProducts", R"(<inertia ixx="0.01" ixy="0")", R"(<inertia ixx="0.01" ixy="0.02")",
     "link 'shank': its inertia is not positive definite"},
    {"InertiaBreaksTheTriangle", R"(iyy="0.0015")", R"(iyy="0.0021")",
     "link 'roll': its inertia breaks the triangle inequality"},
    {"InertiaOfMergedLinksIsJudged", R"(ixx="0.05" ixy="0.001")", R"(ixx="5" ixy="0.001")",
     "link 'pelvis' with 2 fixed to it: its inertia breaks the triangle inequality"},
    // numbers elsewhere
    {"OriginOfTwoNumbers", R"(xyz="0 0.1 0" rpy)", R"(@xyz="0 0.1" rpy)",
     "joint 'hip': <origin> xyz is \"0 0.1\": 2 words; it takes 3"},
    {"OriginOfFourNumbers", R"(rpy="0 0 0.5")", R"(@rpy="0 0 0.5 0")", "4 words; it takes 3"},
    {"OriginWithCommas", R"(xyz="0 0.1 0" rpy)", R"(@xyz="0,0.1,0" rpy)", "separated by spaces, without commas"},
    {"OriginWithACommaInside", R"(xyz="0 0.1 0" rpy)", R"(@xyz="0, 0.1, 0" rpy)", "\"0,\", which is not a number"},
    {"OriginIsNan", R"(rpy="0 0 0.5")", R"(@rpy="0 nan 0.5")", "it must be finite"},
    {"OriginMisspelt", R"(rpy="0 0 0.5")", R"(@ryp="0 0 0.5")",
     "unknown attribute 'ryp' of <origin>; closest is 'rpy'"},
    {"OriginTurnedTwice", R"(rpy="0 0 0.5")", R"(@rpy="0 0 0.5" quat_xyzw="0 0 0 1")", "both rpy and quat_xyzw"},
    {"OriginWithoutRotation", R"(rpy="0 0 0.5")", R"(@quat_xyzw="0 0 0 0")", "quat_xyzw is zero"},
    {"XacroExpression", R"(xyz="0 0.1 0" rpy)", R"(@xyz="0 ${width} 0" rpy)", "run xacro first"},
    // joints
    {"AxisIsZero", R"(<axis xyz="0 2 0"/>)", R"(@<axis xyz="0 0 0"/>)", "joint 'hip': the axis is zero"},
    {"AxisIsInfinite", R"(<axis xyz="0 2 0"/>)", R"(@<axis xyz="0 inf 0"/>)", "it must be finite"},
    {"AxisMisspelt", R"(<axis xyz="0 2 0"/>)", R"(@<aixs xyz="0 2 0"/>)",
     "unknown element <aixs> in <joint>; closest is <axis>"},
    {"LowerAboveUpper", R"(lower="-1" upper="1.5")", R"(@lower="2" upper="1.5")",
     "joint 'hip': lower limit 2 is above upper limit 1.5"},
    {"LowerIsInfinite", R"(lower="-1" upper="1.5")", R"(@lower="-inf" upper="1.5")", "it must be finite"},
    {"LowerMisspelt", R"(lower="-1" upper="1.5")", R"(@lowr="-1" upper="1.5")",
     "unknown attribute 'lowr' of <limit>; closest is 'lower'"},
    {"NegativeEffort", R"(effort="80")", R"(@effort="-80")", "joint 'hip': effort limit is -80"},
    {"NegativeVelocity", R"(velocity="6")", R"(@velocity="-6")", "joint 'hip': velocity limit is -6"},
    {"NegativeDamping", R"(damping="0.1")", R"(@damping="-0.1")", "joint 'hip': damping is -0.1"},
    {"LimitMissing", R"(<limit lower="-1" upper="1.5" effort="80" velocity="6"/>)", "",
     "joint 'hip': a revolute or prismatic joint needs a <limit"},
    {"LimitMisspelt", R"(<limit lower="-1" upper="1.5" effort="80" velocity="6"/>)", "@<limits/>",
     "closest is <limit>"},
    {"UnknownJointType", R"(type="continuous")", R"(@type="hinge")", "joint 'wheel': joint type is 'hinge'"},
    {"JointTypeMisspelt", R"(type="continuous")", R"(@type="continous")", "closest is 'continuous'"},
    {"JointTypeMissing", R"(<joint name="wheel" type="continuous">)", R"(@<joint name="wheel">)",
     "joint 'wheel': <joint> has no attribute 'type'"},
    {"FloatingJointInside", R"(name="wheel" type="continuous")", R"(@name="wheel" type="floating")",
     "joint 'wheel': a floating or planar joint may only stand between an empty root link"},
    {"PlanarJointInside", R"(name="wheel" type="continuous")", R"(@name="wheel" type="planar")",
     "a floating or planar joint"},
    {"MimicTwice", R"(<mimic joint="hip" multiplier="2" offset="0.25"/>)",
     "<mimic joint=\"hip\"/>\n@<mimic joint=\"knee\"/>", "joint 'finger': a second <mimic>"},
    {"MimicsAStranger", R"(<mimic joint="hip")", R"(<mimic joint="hop")",
     "its mimicked joint 'hop' is no joint of this file; closest is 'hip'"},
    {"MimicsItself", R"(<mimic joint="hip")", R"(@<mimic joint="finger")",
     "joint 'finger': a joint cannot mimic itself"},
};

}  // namespace aplomb::test
