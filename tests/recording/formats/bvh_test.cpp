#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "aplomb/recording/formats/bvh_file.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

BvhFile read(const std::string& text) { return read_bvh(InputBytes(text, "x.bvh")); }
std::string refuse(const std::string& text) {
  return error_of([&] { read(text); });
}

Eigen::Matrix3d turn(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, Eigen::Vector3d::Unit(axis)).toRotationMatrix();
}

const std::string kTwoJoints =
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 1 2 3\n  CHANNELS 6 Xposition Yposition Zposition zROTATION Xrotation "
    "Yrotation\n"
    "  JOINT Left Arm\n  {\n    OFFSET 0 5 0\n    CHANNELS 3 Yrotation Zrotation Xrotation\n"
    "    JOINT Hand { OFFSET 0 0 2 CHANNELS 0\n      End Site { OFFSET 0 1 0 }\n    }\n  }\n}\n";

TEST(Bvh, EachJointRotatesInItsOwnOrder) {
  const BvhFile file = read(kTwoJoints + "MOTION\nFrames: 1\nFrame Time: 0.01\n10 20 30 40 50 60 70\n80   90\n");
  ASSERT_EQ(file.joints.size(), 3u);
  EXPECT_EQ(file.joints[1].name, "Left Arm");
  const std::vector<Eigen::Vector3d> positions = joint_positions(file, 0);
  const Eigen::Matrix3d hips = turn(2, 40) * turn(0, 50) * turn(1, 60);
  const Eigen::Matrix3d arm = hips * turn(1, 70) * turn(2, 80) * turn(0, 90);
  const Eigen::Vector3d root(11, 22, 33);
  const Eigen::Vector3d shoulder = root + hips * Eigen::Vector3d(0, 5, 0);
  EXPECT_LT((positions[0] - root).norm(), 1e-12);
  EXPECT_LT((positions[1] - shoulder).norm(), 1e-12);
  EXPECT_LT((positions[2] - shoulder - arm * Eigen::Vector3d(0, 0, 2)).norm(), 1e-12);
  EXPECT_TRUE(file.joints[2].end_site);
}

TEST(Bvh, SeveralRootsHaveTheirOwnChannels) {
  const std::string root = "ROOT A { OFFSET 0 0 0 CHANNELS 1 Zposition }\n";
  const BvhFile file = read("HIERARCHY\n" + root + root + "MOTION\nFrames:2\nFrame Time :0.5\n1 2\n3 4\n");
  EXPECT_EQ(file.num_frames, 2u);
  EXPECT_EQ(joint_positions(file, 1)[1], Eigen::Vector3d(0, 0, 4));
  EXPECT_EQ(file.joints[1].parent, -1);
}

TEST(Bvh, DeepHierarchiesAreRead) {
  std::string text = "HIERARCHY ROOT a { OFFSET 0 0 1 CHANNELS 0\n";
  for (int i = 0; i < 100'000; ++i) text += "JOINT b { OFFSET 0 0 1 CHANNELS 0\n";
  for (int i = 0; i < 100'001; ++i) text += "}";
  const BvhFile file = read(text + "\nMOTION Frames: 0 Frame Time: 0.1\n");
  EXPECT_EQ(file.joints.size(), 100'001u);
}

TEST(Bvh, ErrorsAreRefusedWithLineAndColumn) {
  const std::string motion = "MOTION\nFrames: 1\nFrame Time: 0.01\n";
  EXPECT_TRUE(has(refuse("hello"), "HIERARCHY"));
  EXPECT_TRUE(has(refuse(kTwoJoints + motion + "1 2 3 4\n"), "inside of frame 1"));
  EXPECT_TRUE(has(refuse(kTwoJoints + motion + "1 2 3 4 5 6 7 8 9 10\n"), "x.bvh:18:19"));
  EXPECT_TRUE(has(refuse(kTwoJoints + motion + "1 2 x 4 5 6 7 8 9\n"), "x.bvh:18:5"));
  EXPECT_TRUE(has(refuse(kTwoJoints + "MOTION\nFrames: 1\nFrame Time: 0\n"), "Frame Time"));
  EXPECT_TRUE(has(refuse(kTwoJoints), "ROOT or MOTION"));
  EXPECT_TRUE(has(refuse("HIERARCHY ROOT a { OFFSET 0 0"), "OFFSET"));
  EXPECT_TRUE(has(refuse("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Wrotation }"), "Wrotation"));
  EXPECT_TRUE(has(refuse("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS -1 }"), "CHANNELS"));
  EXPECT_TRUE(has(refuse("HIERARCHY }"), "closes nothing"));
  EXPECT_TRUE(has(refuse(""), "empty"));
}

}  // namespace
}  // namespace aplomb
