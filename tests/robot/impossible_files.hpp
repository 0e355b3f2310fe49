#pragma once

#include "robot/impossible_robots.hpp"

namespace aplomb::test {

/// Robots that cannot be because of how their parts hang together, what they are called, or how the file is written.
inline constexpr Impossible kImpossibleFiles[] = {
    // the tree
    {"NoLinks", "", R"(<robot name="nobody"></robot>)", "the robot has no <link>"},
    {"TwoRoots", R"(<gazebo reference="pelvis">)", R"(@<link name="stray"/><gazebo reference="pelvis">)",
     "link 'stray': no joint moves it, nor link 'pelvis': a robot has one root"},
    {"NoRoot", R"(<gazebo reference="pelvis">)",
     R"(<joint name="back" type="fixed"><parent link="roll"/><child link="pelvis"/></joint><gazebo reference="pelvis">)",
     "the joints form a loop"},
    {"LoopBesideTheRoot", R"(<gazebo reference="pelvis">)",
     R"(<link name="a"/><link name="b"/>
        <joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
        <joint name="ba" type="fixed"><parent link="b"/><child link="a"/></joint><gazebo reference="pelvis">)",
     "the joints form a loop"},
    {"LinkWithTwoParents", R"(<gazebo reference="pelvis">)",
     R"(@<joint name="second" type="fixed"><parent link="pelvis"/><child link="roll"/></joint><gazebo reference="pelvis">)",
     "joint 'second': link 'roll' is already the child of joint 'wheel' of line 63"},
    {"ParentIsChild", R"(<parent link="shank"/>)", R"(<parent link="roll"/>)",
     "joint 'wheel': parent and child are both link 'roll'"},
    {"ParentUnknown", R"(<parent link="shank"/>)", R"(<parent link="shrank"/>)",
     "joint 'wheel': its parent 'shrank' is no link of this file; closest is 'shank'"},
    {"ChildUnknown", R"(<child link="roll"/>)", R"(<child link="rool"/>)",
     "joint 'wheel': its child 'rool' is no link of this file; closest is 'roll'"},
    {"ParentMissing", R"(<parent link="shank"/>)", "", "joint 'wheel': <joint> has no <parent>"},
    {"ChildMissing", R"(<child link="roll"/>)", "", "joint 'wheel': <joint> has no <child>"},
    {"ParentWithoutLink", R"(<parent link="shank"/>)", "@<parent/>", "<parent> has no attribute 'link'"},
    {"ParentTwice", R"(<parent link="shank"/>)", "<parent link=\"shank\"/>\n@<parent link=\"thigh\"/>",
     "joint 'wheel': a second <parent>"},
    {"RobotWithoutName", R"(<robot name="walker" version="1.1">)", "@<robot>", "<robot> has no attribute 'name'"},
    {"LinkWithoutName", R"(<link name="camera"/>)", "@<link/>", "<link> has no attribute 'name'"},
    {"LinkWithEmptyName", R"(<link name="camera"/>)", R"(@<link name=""/>)", "empty attribute 'name'"},
    {"LinkNameWithDelete", R"(<link name="camera"/>)", R"(@<link name="cam&#127;era"/>)", "control character"},
    {"DuplicateLink", R"(<link name="camera"/>)", "<link name=\"camera\"/>\n@<link name=\"camera\"/>",
     "link 'camera': this name is already that of the link on line 20"},
    {"DuplicateJoint", R"(<joint name="wheel" type="continuous">)", R"(@<joint name="knee" type="continuous">)",
     "joint 'knee': this name is already that of the joint on line"},
    {"LinkMisspelt", R"(<link name="camera"/>)", R"(@<lnik name="camera"/>)",
     "unknown element <lnik> in <robot>; closest is <link>"},
    {"JointMisspelt", R"(<transmission name="drive">)", "@<joints/><transmission name=\"drive\">",
     "closest is <joint>"},
    // links without mass in a row
    {"MasslessBranch", R"(<gazebo reference="pelvis">)",
     R"(@<link name="cross"/><link name="x"/><link name="y"/>
        <joint name="c" type="continuous"><parent link="roll"/><child link="cross"/></joint>
        <joint name="cx" type="continuous"><parent link="cross"/><child link="x"/></joint>
        <joint name="cy" type="continuous"><parent link="cross"/><child link="y"/></joint><gazebo reference="pelvis">)",
     "link 'cross': joint 'c' moves it, but it has no mass and several joints below"},
    {"AxisTwice", R"(<child link="roll"/>)", "<child link=\"roll\"/><axis xyz=\"1 0 0\"/>",
     "joint 'wheel': a second <axis>"},
    {"TwoJointsTurnAlike", "<joint name=\"wheel\" type=\"continuous\">\n    <parent link=\"shank\"/>",
     R"(<joint name="first" type="continuous"><parent link="shank"/><child link="hub"/><axis xyz="0 1 0"/></joint>
        <link name="hub"/><joint name="wheel" type="continuous"><parent link="hub"/>)",
     "link 'roll': joints 'first' to 'wheel' move it through links without mass, and two of them in the same way"},
    // shapes
    {"BoxWithoutHeight", R"(<box size="0.2 0.3 0.1"/>)", R"(@<box size="0.2 0.3 0"/>)",
     "link 'pelvis': <box> size must be three edges above zero"},
    {"BoxWithTwoEdges", R"(<box size="0.2 0.3 0.1"/>)", R"(@<box size="0.2 0.3"/>)", "2 words; it takes 3 numbers"},
    {"BoxWithoutSize", R"(<box size="0.2 0.3 0.1"/>)", "@<box/>", "<box> has no attribute 'size'"},
    {"SphereWithNegativeRadius", R"(<sphere radius="0.1"/>)", R"(@<sphere radius="-0.1"/>)",
     "<sphere> radius is -0.1; it must be above zero"},
    {"CylinderWithoutLength", R"(<cylinder radius="0.04" length="0.3"/>)", R"(@<cylinder radius="0.04" length="0"/>)",
     "<cylinder> length is 0"},
    {"CapsuleWithNanRadius", R"(<capsule radius="0.05")", R"(@<capsule radius="nan")", "it must be finite"},
    {"MeshScaledFlat", R"(scale="1 -1 1")", R"(@scale="1 0 1")", "<mesh> scale has a zero"},
    {"MeshWithoutFile", R"(filename="package://walker/thigh.stl")", "@", "<mesh> has no attribute 'filename'"},
    {"ShapeMisspelt", R"(<sphere radius="0.1"/>)", R"(@<spere radius="0.1"/>)",
     "unknown element <spere> in <geometry>; closest is <sphere>"},
    {"GeometryEmpty", R"(<sphere radius="0.1"/>)", "@", "<geometry> is empty"},
    {"GeometryMissing", R"(<geometry><sphere radius="0.1"/></geometry>)", "", "<collision> has no <geometry>"},
    {"TwoShapesInOneGeometry", R"(<sphere radius="0.1"/>)", "<sphere radius=\"0.1\"/>\n@<sphere radius=\"0.2\"/>",
     "a second shape"},
    // files of another kind
    {"Empty", "", " \n\t\n", "is empty"},
    {"NotXml", "", "@robot: walker\n", "this is not XML"},
    {"OnlyAComment", "", "<!-- nothing -->", "has no element"},
    {"Binary", "", std::string_view("<robot\n@\0name=\"a\"/>", 19), "byte 0x00 is not UTF-8 text"},
    {"Latin1", R"(<robot name="walker" version="1.1">)", "@<robot name=\"gr\xFC\xDF\">", "byte 0xFC is not UTF-8 text"},
    {"Mjcf", "", "<!-- m -->\n@<mujoco model=\"m\"><worldbody/></mujoco>", "this is MJCF (MuJoCo's format)"},
    {"Sdf", "", "@<sdf version=\"1.9\"><model name=\"m\"/></sdf>", "this is SDF (Gazebo's format); aplomb reads URDF"},
    {"Xacro", R"(<link name="camera"/>)", R"(@<xacro:camera name="camera"/>)", "this is xacro"},
    {"Html", "", "@<html></html>", "the root element is <html>; a URDF has <robot name"},
    {"Doctype", R"(<robot name="walker" version="1.1">)",
     "@<!DOCTYPE robot [<!ENTITY a \"b\">]><robot name=\"walker\" version=\"1.1\">", "DTD parts are not read"},
    {"Entity", R"(<link name="camera"/>)", R"(@<link name="&camera;"/>)", "entities are not read"},
    {"EntityForNul", R"(<link name="camera"/>)", R"(@<link name="cam&#0;era"/>)", "entities are not read"},
    {"TwoRootElements", "</robot>", "</robot>\n@<robot name=\"other\"/>", "a second root element"},
    {"TextAfterTheEnd", "</robot>", "</robot>\n@and more", "text after the root element's end"},
    {"CrossedTags", "</link>\n  <joint name=\"knee\"", "@</joint>\n  <joint name=\"knee\"",
     "</joint> found where <link> of line"},
    {"EndsInTheMiddle", "</robot>\n", "@", "the file ends, but <robot> of line 2 is not closed"},
    {"QuoteMissing", R"(<link name="camera"/>)", R"(@<link name="camera/>)", "a '>' or a quote is missing"},
    {"QuotesMissing", R"(<link name="camera"/>)", "@<link name=camera/>", "not written as name=\"value\""},
    {"CommentNeverClosed", R"(<link name="camera"/>)", "@<!-- <link name=\"camera\"/>",
     "a comment is never closed with -->"},
};

}  // namespace aplomb::test
