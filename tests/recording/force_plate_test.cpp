#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "aplomb/recording/formats/c3d/c3d_plates.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "recording/c3d_bytes.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::C3dBytes;
using test::has;

/// A plate of 0.4 x 0.6 m, in millimetres, its centre at (1000, 2000, 0), z down: x = −x of the lab, y = y of the lab.
constexpr double kCorners[12] = {800, 2300, 0, 1200, 2300, 0, 1200, 1700, 0, 800, 1700, 0};
const Eigen::Vector3d kOrigin(3.0, -2.0, -40.0);  // [mm]

struct Load {
  Eigen::Vector3d force{10.0, -20.0, 700.0};  ///< [N] in the lab, on the body
  Eigen::Vector3d cop{1.05, 1.9, 0.0};        ///< [m]
  double free_moment = 3.0;                   ///< [N m] about the lab's z
};

Eigen::Matrix3d plate_axes() { return Eigen::Vector3d(-1, 1, -1).asDiagonal(); }

/// What the plate's channels read [N, N mm] under a load: the inverse of what the library does, written apart from it.
std::vector<double> channels_under(const Load& load, int type, double sign = 1.0) {
  const Eigen::Matrix3d R = plate_axes();
  const Eigen::Vector3d f = sign * (R.transpose() * load.force);
  const Eigen::Vector3d p = 1000.0 * (R.transpose() * (load.cop - Eigen::Vector3d(1, 2, 0)));
  const double tz = sign * -1000.0 * load.free_moment;
  if (type == 1) return {f.x(), f.y(), f.z(), p.x(), p.y(), tz};
  const Eigen::Vector3d surface = p.cross(f) + Eigen::Vector3d(0, 0, tz);
  if (type != 3) {
    const Eigen::Vector3d m = surface - f.cross(kOrigin);  // M' = M + F x O
    return {f.x(), f.y(), f.z(), m.x(), m.y(), m.z()};
  }
  // Kistler: solve for eight sensors with a = 120, b = 200, az0 = -40 mm; the horizontal pairs share evenly but for Mz.
  const double a = 120, b = 200;
  const Eigen::Vector3d m = surface - f.cross(Eigen::Vector3d(0, 0, -40.0));
  const double u = m.x() / b, v = m.y() / a;  // z1+z2-z3-z4, -z1+z2+z3-z4
  const double z = 0.25 * f.z(), dx = 0.5 * m.z() / b;
  return {0.5 * f.x() - dx,   0.5 * f.x() + dx,   0.5 * f.y(),         0.5 * f.y(),
          z + 0.25 * (u - v), z + 0.25 * (u + v), z + 0.25 * (-u + v), z + 0.25 * (-u - v)};
}

struct PlateFile {
  int type = 2;
  double sign = 1.0;
  bool has_load = true;
  Eigen::Vector3d origin = kOrigin;
  std::string moment_unit = "Nmm";
  double drift = 0.0;  ///< [N] on the vertical channel, always
  std::vector<std::uint32_t> zero = {0, 0};
  int used_type = 2;  ///< of the parameter USED
  std::size_t num_corners = 12;
  std::uint32_t second_type = 0;  ///< of a second plate on the same channels; 0: there is none
  std::size_t num_copies = 1;     ///< of the plate, all on the same channels
  double moment_factor = 1.0;     ///< on what the moments' channels read

  /// 20 frames without load, then 20 under it.
  C3dFile read() const {
    C3dBytes file(Processor::intel, true);
    file.num_points = 1;
    const std::size_t num_channels = type == 3 ? 8 : 6;
    file.num_channels = static_cast<std::uint16_t>(num_channels);
    file.group(1, "POINT");
    file.reals(1, "SCALE", {-1.0}, {});
    file.texts(1, "UNITS", {"mm"});
    file.texts(1, "LABELS", {"A"});
    file.group(2, "ANALOG");
    file.reals(2, "SCALE", std::vector<double>(num_channels, 1.0));
    std::vector<std::string> units(3, "N");
    units.resize(num_channels, moment_unit);
    file.texts(2, "UNITS", units, 8);
    file.group(3, "FORCE_PLATFORM");
    if (used_type == 1) file.parameter(3, "USED", 1, {}, std::string(1, '\x01'));
    const std::size_t num_plates = second_type > 0 ? 2 : num_copies;
    if (used_type == 2) file.words(3, "USED", {static_cast<std::uint32_t>(num_plates)}, {});
    std::vector<std::uint32_t> types(num_plates, static_cast<std::uint32_t>(type));
    if (second_type > 0) types[1] = second_type;
    file.words(3, "TYPE", types);
    std::vector<std::uint32_t> channels;
    std::vector<double> corners, origins;
    for (std::size_t plate = 0; plate < num_plates; ++plate) {
      for (std::uint32_t i = 1; i <= num_channels; ++i) channels.push_back(i);
      corners.insert(corners.end(), kCorners, kCorners + num_corners);
      origins.insert(origins.end(), {origin.x(), origin.y(), origin.z()});
    }
    file.words(3, "CHANNEL", channels, {static_cast<int>(num_channels), static_cast<int>(num_plates)});
    file.reals(3, "CORNERS", corners, {3, static_cast<int>(num_corners / 3), static_cast<int>(num_plates)});
    file.reals(3, "ORIGIN", origins, {3, static_cast<int>(num_plates)});
    file.words(3, "ZERO", zero);
    if (type == 4) {
      std::vector<double> matrix(36, 0.0);
      for (std::size_t i = 0; i < 6; ++i) matrix[7 * i] = 2.0;
      file.reals(3, "CAL_MATRIX", matrix, {6, 6, 1});
    }
    for (int frame = 0; frame < 40; ++frame) {
      file.point(1, 2, 1000, 0);
      std::vector<double> values(num_channels, 0.0);
      if (has_load && frame >= 20) values = channels_under({}, type, sign);
      if (type == 4) std::ranges::transform(values, values.begin(), [](double value) { return 0.5 * value; });
      for (std::size_t i = 3; type == 2 && i < 6; ++i) values[i] *= moment_factor;
      values[type == 3 ? 4 : 2] += drift;
      for (const double value : values) file.number(value);
    }
    C3dFile c3d = read_c3d(InputBytes(bytes_ = file.bytes(), "x.c3d"));
    c3d.points.metres_per_unit = 0.001;
    return c3d;
  }
  mutable std::string bytes_;
};

void expect_load(const PlateSample& sample, double tolerance_n = 1e-3) {
  const Load load;
  ASSERT_TRUE(sample.is_loaded);
  EXPECT_LT((sample.force - load.force).norm(), tolerance_n);
  EXPECT_LT((sample.cop - load.cop).norm(), 1e-6);  // reals have 24 bits
  EXPECT_NEAR(sample.free_moment.z(), load.free_moment, 1e-3);
}

TEST(ForcePlate, EveryTypeReturnsTheAppliedLoad) {
  for (const int type : {1, 2, 3, 4}) {
    PlateFile setup{.type = type, .origin = type == 3 ? Eigen::Vector3d(120, 200, -40) : kOrigin};
    const C3dFile file = setup.read();
    const ForcePlates plates = plates_of(file, {});
    ASSERT_EQ(plates.plates.size(), 1u) << type;
    expect_load(plates.plates[0]->sample(30));
    EXPECT_DOUBLE_EQ(cop_inside_ratio(*plates.plates[0]).value(), 1.0);
  }
}

TEST(ForcePlate, AnUnloadedPlateIsInvalidAndNotSummed) {
  const PlateFile setup{.has_load = false};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  const PlateSample sample = plates.plates[0]->sample(5);
  EXPECT_FALSE(sample.is_loaded);
  const GroundWrench wrench = ground_wrench(plates.plates, 5);
  EXPECT_FALSE(wrench.is_valid);
  EXPECT_TRUE(wrench.force.allFinite() && wrench.moment.allFinite() && wrench.cop.allFinite());
}

TEST(ForcePlate, ALoadBelowTheThresholdCountsAsUnloaded) {
  const PlateFile setup{};
  const C3dFile file = setup.read();
  EXPECT_FALSE(plates_of(file, {.threshold_n = 701.0}).plates[0]->sample(30).is_loaded);
  EXPECT_TRUE(plates_of(file, {.threshold_n = 699.0}).plates[0]->sample(30).is_loaded);
}

TEST(ForcePlate, ForcesOnThePlateAreFlippedToForcesOnTheBody) {
  const PlateFile setup{.sign = -1.0};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  expect_load(plates.plates[0]->sample(30));
  EXPECT_TRUE(has(plates.plates[0]->info().notes.at(0), "on the plate"));
}

TEST(ForcePlate, AnOriginOfTheOppositeSignIsFlipped) {
  const PlateFile setup{.origin = -kOrigin};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  expect_load(plates.plates[0]->sample(30));
  EXPECT_TRUE(has(plates.plates[0]->info().notes.at(0), "ORIGIN"));
}

TEST(ForcePlate, AMomentUnitThatPutsTheCopOutsideIsCorrected) {
  const PlateFile setup{.origin = Eigen::Vector3d::Zero(), .moment_unit = "Nm"};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  EXPECT_TRUE(has(plates.plates[0]->info().notes.at(0), "unit"));
  EXPECT_DOUBLE_EQ(cop_inside_ratio(*plates.plates[0]).value(), 1.0);
}

TEST(ForcePlate, AMomentUnitThatKeepsTheCopAtTheCentreIsCorrected) {
  const PlateFile setup{.origin = Eigen::Vector3d::Zero(), .moment_factor = 0.001};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  EXPECT_TRUE(has(plates.plates[0]->info().notes.at(0), "1000 times"));
  const PlateFile stated{.origin = Eigen::Vector3d::Zero()};
  const C3dFile right = stated.read();
  const ForcePlates same = plates_of(right, {});
  EXPECT_TRUE(same.plates[0]->info().notes.empty());
  EXPECT_LT((plates.plates[0]->sample(30).cop - same.plates[0]->sample(30).cop).norm(), 1e-6);
  // A plate without moments is left alone.
  const PlateFile none{.origin = Eigen::Vector3d::Zero(), .moment_factor = 0.0};
  const C3dFile silent = none.read();
  EXPECT_TRUE(plates_of(silent, {}).plates[0]->info().notes.empty());
}

TEST(ForcePlate, FiftyPlatesAreRead) {
  const PlateFile setup{.num_copies = 50};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  ASSERT_EQ(plates.plates.size(), 50u);
  expect_load(plates.plates[49]->sample(30));
}

TEST(ForcePlate, TheBaselineOfAnUnloadedPlateIsSubtracted) {
  for (const std::vector<std::uint32_t>& zero : {std::vector<std::uint32_t>{1, 20}, {0, 10}}) {
    const PlateFile setup{.drift = -25.0, .zero = zero};
    const C3dFile file = setup.read();
    const ForcePlates plates = plates_of(file, {});
    expect_load(plates.plates[0]->sample(30));
    EXPECT_FALSE(plates.plates[0]->sample(5).is_loaded);
    EXPECT_NEAR(plates.plates[0]->info().baseline_force->z(), 25.0, 1e-4);
  }
}

TEST(ForcePlate, ABaselineUnderLoadIsNotSubtracted) {
  const PlateFile setup{.zero = {21, 40}};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  expect_load(plates.plates[0]->sample(30));
  EXPECT_TRUE(has(plates.plates[0]->info().notes.at(0), "no baseline"));
}

TEST(ForcePlate, ZeroRangesThatMeanNoneSubtractNothing) {
  for (const std::vector<std::uint32_t>& zero : {std::vector<std::uint32_t>{0, 0}, {1, 0}, {900, 950}}) {
    const PlateFile setup{.zero = zero};
    const C3dFile file = setup.read();
    EXPECT_FALSE(plates_of(file, {}).plates[0]->info().baseline_force);
  }
}

TEST(ForcePlate, AnUnknownTypeIsRefusedByItsNumberAndAShortArrayByItsSizes) {
  PlateFile odd{.type = 5};
  C3dFile file = odd.read();
  EXPECT_TRUE(has(plates_of(file, {}).refused.at(0), "type 5"));
  PlateFile brief{.num_corners = 9};
  file = brief.read();
  const ForcePlates plates = plates_of(file, {});
  EXPECT_TRUE(plates.plates.empty());
  EXPECT_TRUE(has(plates.refused.at(0), "CORNERS has 9 values, 12"));
}

TEST(ForcePlate, OneRefusedPlateLeavesTheOthers) {
  const PlateFile setup{.second_type = 6};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  ASSERT_EQ(plates.plates.size(), 1u);
  expect_load(plates.plates[0]->sample(30));
  EXPECT_TRUE(has(plates.refused.at(0), "plate 2 is refused: it is of type 6"));
}

TEST(ForcePlate, CountsOfAnyWidthAreRead) {
  const PlateFile setup{.used_type = 1};
  const C3dFile file = setup.read();
  EXPECT_EQ(plates_of(file, {}).plates.size(), 1u);
}

TEST(ForcePlate, AFileWithoutTheGroupHasNoPlates) {
  const PlateFile setup{.used_type = 0};
  const C3dFile file = setup.read();
  const ForcePlates plates = plates_of(file, {});
  EXPECT_TRUE(plates.plates.empty());
  EXPECT_TRUE(plates.refused.empty());
}

TEST(ForcePlate, SeveralPlatesAddUpToOneWrenchAboutTheGround) {
  const PlateFile setup{};
  const C3dFile file = setup.read();
  ForcePlates plates = plates_of(file, {});
  plates.plates.push_back(std::move(plates_of(file, {}).plates[0]));
  const GroundWrench wrench = ground_wrench(plates.plates, 30);
  const Load load;
  EXPECT_LT((wrench.force - 2.0 * load.force).norm(), 1e-3);
  EXPECT_LT((wrench.moment - 2.0 * (load.cop.cross(load.force) + Eigen::Vector3d(0, 0, load.free_moment))).norm(),
            2e-3);
  EXPECT_LT((wrench.cop - load.cop).norm(), 1e-5);
}

}  // namespace
}  // namespace aplomb
