// Masses and centres of mass of every link of the two robots that have a published table. hoap3_test.cpp has those that
// are not as in HOAP-3's table.
#include <gtest/gtest.h>

#include <span>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

struct LinkMass {
  const char* link;
  double mass;     // [kg]
  double x, y, z;  // centre of mass [m]
};

constexpr LinkMass kHoap3[] = {
    {"BODY_J2_link", 0.417, 0.002729, 0.000329, 0.066138},   {"RLEG_J1_link", 0.0587, 0.00224, -0.003015, 0.033585},
    {"RLEG_J2_link", 0.21, 0.002378, -0.001135, -0.002727},  {"RLEG_J3_link", 0.519, 0.006165, -0.003264, -0.069821},
    {"RLEG_J4_link", 0.328, 0.005368, -0.004698, -0.050852}, {"RLEG_J5_link", 0.195, 0.003669, -0.001337, 0.002937},
    {"RLEG_J6_link", 0.154, 0.008276, -0.003242, -0.029224}, {"LLEG_J1_link", 0.0587, 0.002251, 0.003004, 0.033585},
    {"LLEG_J2_link", 0.21, 0.002387, 0.001247, -0.002712},   {"LLEG_J3_link", 0.519, 0.006276, 0.003315, -0.069922},
    {"LLEG_J4_link", 0.328, 0.00537, 0.004878, -0.050839},   {"LLEG_J5_link", 0.195, 0.003692, 0.001197, 0.002921},
    {"LLEG_J6_link", 0.154, 0.008276, 0.003346, -0.029224},  {"RARM_J1_link", 0.21, 0.000083, 0.006348, -0.006668},
    {"RARM_J2_link", 0.234, 0.046385, -0.000658, -0.003774}, {"RARM_J3_link", 0.1965, -0.002205, 0.001602, -0.002722},
    {"LARM_J1_link", 0.21, -0.000036, -0.006348, -0.006642}, {"LARM_J2_link", 0.234, 0.046362, 0.000747, -0.003774},
    {"LARM_J3_link", 0.1965, -0.00209, -0.001602, -0.00271}, {"HEAD_J1_link", 0.071, 0.005397, -0.001581, 0.056403}};

constexpr LinkMass kComan[] = {{"Waist", 1.8008695, -0.026391, -0.000582, 0.052632},
                               {"DWL", 0.54588774, 0.00043, -0.009765, 0.033011},
                               {"DWS", 0.75398402, -0.002127, 0.003358, -0.001008},
                               {"DWYTorso", 6.3617175, -0.03585, 1.8e-05, 0.117557},
                               {"RHipMot", 0.89258227, -0.000327, -0.023587, -0.000265},
                               {"RThighUpLeg", 1.0246101, 0.001259, -0.016896, -0.058903},
                               {"RThighLowLeg", 1.7001134, 0.000987, 0.00067, -0.075717},
                               {"RLowLeg", 1.4098179, 0.002461, -0.00531, -0.085989},
                               {"RFootmot", 0.72992131, 0.000881, -0.000922, 0.00023},
                               {"RFoot", 0.66646684, 0.009692, -0.009046, -0.043062},
                               {"LHipMot", 0.89258227, -0.000327, 0.023587, -0.000265},
                               {"LThighUpLeg", 1.0246101, 0.001259, 0.016896, -0.058903},
                               {"LThighLowLeg", 1.7001134, 0.000987, -0.00067, -0.075717},
                               {"LLowLeg", 1.4098179, 0.002461, 0.00531, -0.085989},
                               {"LFootmot", 0.72992131, 0.000881, 0.000922, 0.00023},
                               {"LFoot", 0.66646684, 0.009692, 0.009046, -0.043062},
                               {"RShp", 0.56782202, 0.00995, -0.038682, 0.000164},
                               {"RShr", 0.77683752, -0.003894, 2e-06, -0.004862},
                               {"RShy", 1.0462304, 0.002271, -0.007109, -0.057455},
                               {"RElb", 0.63306933, -0.000656, -0.000935, -0.000931},
                               {"LShp", 0.56782202, 0.00995, 0.038682, 0.000164},
                               {"LShr", 0.77683752, -0.003894, -2e-06, -0.004862},
                               {"LShy", 1.0462304, 0.002271, 0.007109, -0.057455},
                               {"LElb", 0.63306933, -0.000656, 0.000935, -0.000931},
                               {"LForearm", 0.263, 0, 0, -0.085},
                               {"RForearm", 0.263, 0, 0, -0.085},
                               {"imu_link", 0.01, 0, 0, 0}};

void expect_masses(const std::string& robot, std::span<const LinkMass> links) {
  const RobotModel model = test::our_robot(robot);
  for (const LinkMass& expected : links) {
    const Inertia& inertia = model.urdf().link(expected.link).inertia;
    EXPECT_EQ(inertia.mass, expected.mass) << expected.link;
    EXPECT_LT((inertia.com - Eigen::Vector3d(expected.x, expected.y, expected.z)).norm(), 1e-15) << expected.link;
  }
}

TEST(OurRobots, HaveThePublishedLinkMasses) {
  expect_masses("hoap3", kHoap3);
  expect_masses("coman", kComan);
}

}  // namespace
}  // namespace aplomb
