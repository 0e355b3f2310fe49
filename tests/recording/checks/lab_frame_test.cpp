#include "aplomb/recording/checks/lab_frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "aplomb/core/error.hpp"
#include "recording/sample_points.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::has;

constexpr SignedAxis kAxes[] = {SignedAxis::minus_z, SignedAxis::minus_y, SignedAxis::minus_x,
                                SignedAxis::x,       SignedAxis::y,       SignedAxis::z};

/// A standing body of 1.7 m whose up axis is `up`, in a unit of `metres`.
Points body(SignedAxis up, double metres) {
  Points points = test::moving_points(4, 30);
  points.labels = {"L_toe", "R_heel", "C7", "R_knee"};
  const Eigen::Vector3d in_lab[] = {{0.2, 0.1, 0.05}, {0.0, -0.1, 0.05}, {0.05, 0.0, 1.6}, {0.1, -0.1, 0.5}};
  const Eigen::Matrix3d R_file_lab = rotation_to_z_up(up).transpose();
  for (std::size_t i = 0; i < points.xyz.size(); ++i) {
    points.xyz[i] = static_cast<float>((R_file_lab * in_lab[i / 3 % 4])[static_cast<Eigen::Index>(i % 3)] / metres);
  }
  return points;
}

TEST(LabFrame, EveryUpAxisIsRotatedToZ) {
  for (const SignedAxis up : kAxes) {
    const Eigen::Matrix3d R = rotation_to_z_up(up);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-15);
    EXPECT_LT((R * axis_vector(up) - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
    EXPECT_EQ(parse_axis(axis_text(up)), up);
  }
  EXPECT_FALSE(parse_axis("w"));
  EXPECT_FALSE(parse_axis(""));
}

TEST(LabFrame, TheUpAxisIsFoundFromTheMarkersWithItsSign) {
  for (const SignedAxis up : kAxes) {
    SignedAxis found = SignedAxis::x;
    const Decision decision = decide_up(marker_votes(body(up, 1.0)), {}, found);
    EXPECT_EQ(found, up);
    EXPECT_FALSE(decision.evidence.empty());
  }
}

TEST(LabFrame, TheCallersUnitAndAxisOverrideTheFile) {
  SignedAxis found = SignedAxis::x;
  const Decision decision = decide_up(marker_votes(body(SignedAxis::y, 1.0)), SignedAxis::z, found);
  EXPECT_EQ(found, SignedAxis::z);
  EXPECT_TRUE(decision.is_given);
  Points points = body(SignedAxis::z, 1.0);
  points.unit = "mm";
  decide_unit(points, "cm");
  EXPECT_EQ(points.metres_per_unit, 0.01);
  EXPECT_TRUE(has(test::error_of([&] { decide_unit(points, "parsec"); }), "parsec"));
}

TEST(LabFrame, AUnitThatIsNotNamedIsGuessedFromTheBodysSize) {
  for (const auto& [unit, metres] : {std::pair("m", 1.0), std::pair("cm", 0.01), std::pair("mm", 0.001)}) {
    Points points = body(SignedAxis::z, metres);
    points.unit = "";
    const Decision decision = decide_unit(points, {});
    EXPECT_EQ(decision.value, unit);
    EXPECT_FALSE(decision.is_sure);
    EXPECT_EQ(points.metres_per_unit, metres);
  }
}

TEST(LabFrame, AnUnknownUnitIsReported) {
  Points points = body(SignedAxis::z, 0.01);
  points.unit = "furlong";
  const Decision decision = decide_unit(points, {});
  EXPECT_EQ(decision.value, "cm");
  EXPECT_TRUE(has(decision.warning, "'furlong'"));
}

TEST(LabFrame, AnImplausibleUnitIsReplacedWithAWarning) {
  Points points = body(SignedAxis::z, 1.0);
  points.unit = "mm";  // a body of 1.6 mm
  const Decision decision = decide_unit(points, {});
  EXPECT_EQ(decision.value, "m");
  EXPECT_TRUE(has(decision.warning, "'mm'"));
}

TEST(LabFrame, APlausibleStatedUnitIsKept) {
  Points points = body(SignedAxis::z, 0.001);
  points.unit = "mm";
  const Decision decision = decide_unit(points, {});
  EXPECT_TRUE(decision.is_sure);
  EXPECT_TRUE(decision.warning.empty());
  EXPECT_NEAR(points.position(0, 2).z(), 1.6, 1e-6);
}

}  // namespace
}  // namespace aplomb
