#include "aplomb/run/com_by_masses.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

TEST(ComByMasses, IsThatOfTheExecutedMotionNotOfThePlan) {
  const RobotModel real = RobotModel::load("sarcos_real"), cad = real.cad();
  std::vector<std::string> columns = {"com_x_m", "com_y_m"};
  for (const char* axis : {"x", "y", "z"}) columns.push_back(fmt::format("base_{}_m", axis));
  for (const char* part : {"x", "y", "z", "w"}) columns.push_back(fmt::format("base_quaternion_{}", part));
  for (const Joint& joint : real.joints()) columns.push_back(fmt::format("position_{}_rad", joint.name));
  Log log(columns);
  RobotTerms true_terms(real, {}), cad_terms(cad, {});
  std::vector<Eigen::Vector3d> expected;
  double largest = 0.0;
  for (const char* posture : {"half_sitting", "seated"}) {
    RobotState state = real.posture(posture);
    state.q.head<3>() += Eigen::Vector3d(0.3, -0.1, 0.05);
    true_terms.update(state);
    cad_terms.update(state);
    std::vector<double> row = {true_terms.com().x(), true_terms.com().y()};
    row.insert(row.end(), state.q.data(), state.q.data() + state.q.size());
    log.append(row);
    expected.push_back(cad_terms.com());
    largest = std::max(largest, (cad_terms.com() - true_terms.com()).head<2>().norm());
  }
  Metrics metrics;
  const Log same = with_com_by_masses(log, real, "believed", metrics);
  const Log both = with_com_by_masses(same, cad, "cad", metrics);
  EXPECT_EQ(metrics.number("com_believed_error_max_m"), 0.0);
  EXPECT_NEAR(metrics.number("com_cad_error_max_m").value(), largest, 1e-15);
  EXPECT_GT(largest, 0.03) << "the CAD lacks 31 kg";
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(both.at(row, both.index("com_believed_x_m")), log.at(row, 0));
    EXPECT_EQ(both.at(row, both.index("com_cad_z_m")), expected[row].z());
    EXPECT_EQ(both.at(row, both.index("base_x_m")), log.at(row, log.index("base_x_m")));
  }
}

}  // namespace
}  // namespace aplomb
