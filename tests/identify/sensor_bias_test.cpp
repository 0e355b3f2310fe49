#include "aplomb/identify/sensor_bias.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "aplomb/pipeline/measure_postures.hpp"
#include "identify/static_lab.hpp"

namespace aplomb {
namespace {

TEST(SensorBias, OfAJointAmongJointsOfOtherAxesIsEstimatedAndRemoved) {
  // Held at a foot, with any tilt: rotations in space do not commute, so that a wrong zero is no mass distribution.
  const RobotModel cad = RobotModel::load("sarcos"), truth = test::perturbed(cad, 4);
  TableFile file{.file = "held.csv", .table = test::held_at_the_foot(truth, 150, 4)};
  Log read(file.table.columns());
  const std::size_t column = file.table.index("right_shoulder_roll_rad");
  for (std::size_t row = 0; row < file.table.num_rows(); ++row) {
    std::vector<double> values(file.table.columns().size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = file.table.at(row, i);
    values[column] += std::numbers::pi / 180.0;
    read.append(values);
  }
  file.table = read;
  const PostureSet set = read_postures(file, cad);
  const IdentifyOptions options{.noise = {.joint_rad = 1e-3, .force_n = 0.5, .moment_nm = 0.2}, .prior_weight = 0.01};
  const Identification found = identify(cad, set, options);
  const CorrectedPostures corrected = without_biases(cad, set, found, options);
  const auto bias = std::ranges::find(corrected.biases, "zero of right_shoulder_roll", &FoundBias::name);
  ASSERT_NE(bias, corrected.biases.end());
  EXPECT_NEAR(bias->value, 1.0, 0.1);  // [degrees]
  EXPECT_GT(bias->value, 4.0 * bias->deviation) << "at the stated noise it is no accident";
  for (const FoundBias& other : corrected.biases) {
    if (other.name == bias->name) continue;
    EXPECT_LT(std::abs(other.value), 0.15 + 3.0 * other.deviation) << other.name;
  }
  const Identification again = identify(cad, corrected.set, options);
  EXPECT_LT(again.holdout.identified.forward, 0.5 * found.holdout.identified.forward);
}

TEST(SensorBias, InThePlaneIsAbsorbedByTheMassesAndNotEstimated) {
  const RobotModel cad = RobotModel::load("sarcos"), real = RobotModel::load("sarcos_real");
  const PostureExperiment example{.postures = 24, .seed = 2};
  const TableFile file{.file = "made.csv", .table = measure_postures(real, example, [](double) {})};
  const PostureSet set = read_postures(file, cad);
  const Identification found = identify(cad, set, {});
  double largest = 0.0;
  for (const SensorBias& bias : sensor_biases(cad, set, found, {})) {
    EXPECT_FALSE(bias.is_estimable()) << bias.name;
    largest = std::max(largest, bias.com_shift_m);
  }
  EXPECT_GT(largest, 0.008) << "a degree at the ankles";
  EXPECT_TRUE(without_biases(cad, set, found, {}).biases.empty());
}

}  // namespace
}  // namespace aplomb
