#include "aplomb/pipeline/measure_postures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aplomb/identify/identification.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// Readings without errors.
PostureExperiment exact(int postures) {
  return {.postures = postures, .cop_noise_m = 0.0, .force_noise_n = 0.0, .joint_noise_rad = 0.0};
}

TEST(PostureExperiment, PicksPosturesByTheComOfTheCad) {
  const RobotModel real = RobotModel::load("sarcos_real"), cad = real.cad();
  PostureExperiment options = exact(24);
  options.edge_margin_m = 0.06;
  const PostureSet set = read_postures(TableFile{.file = "made.csv", .table = measure_postures(real, options)}, cad);
  RobotTerms terms(cad, {});
  const double inside = 0.15 - options.edge_margin_m;  // half a sole, from its centre
  double rearmost = 0.0;
  for (const Posture& posture : set.postures) {
    terms.update(posture.state);
    // Joints yield by up to 10 mrad under the mass that the CAD lacks.
    EXPECT_LT(std::abs(terms.com().x()), inside + 0.015);
    double cop = 0.0;
    for (const Vector6d& reading : posture.contacts) cop += 0.5 * (reading[0] - 0.05);
    EXPECT_LT(std::abs(cop), inside + 1e-3);
    rearmost = std::min(rearmost, cop - terms.com().x());
  }
  EXPECT_LT(rearmost, -0.03) << "31 kg behind the CAD's CoM: the robot is not where the CAD believes";
}

TEST(PostureExperiment, RobotsRestAtEquilibrium) {
  const RobotModel real = RobotModel::load("sarcos_real");
  const PostureSet set =
      read_postures(TableFile{.file = "made.csv", .table = measure_postures(real, exact(16))}, real.cad());
  RobotTerms terms(real, {});
  for (const Posture& posture : set.postures) {
    terms.update(posture.state);
    double cop = 0.0, force = 0.0;
    for (const Vector6d& reading : posture.contacts) {
      cop += (reading[0] - 0.05) * reading[2];
      force += reading[2];
    }
    EXPECT_NEAR(force, real.mass() * kGravity, 0.5);
    // At rest the CoP is below the true CoM; soles that stand on springs tilt by a fraction of a millimetre.
    EXPECT_NEAR(cop / force, terms.com().x(), 2e-3);
  }
}

}  // namespace
}  // namespace aplomb
