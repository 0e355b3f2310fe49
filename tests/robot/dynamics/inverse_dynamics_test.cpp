#include "aplomb/robot/dynamics/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include "support/random_state.hpp"

namespace aplomb {
namespace {

TEST(InverseDynamics, IsMassMatrixTimesAccelerationPlusBiasLessTheWrenches) {
  const RobotModel model = RobotModel::load("balancer");
  const std::vector<FrameId> feet = {model.frame(model.description().roles.foot[kLeft]),
                                     model.frame(model.description().roles.foot[kRight])};
  InverseDynamics dynamics(model, feet);
  RobotTerms terms(model, feet);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RobotState state = test::random_state(model, seed);
    const Eigen::VectorXd a = test::random_state(model, 100 + seed).v;
    const Eigen::VectorXd numbers = test::random_state(model, 200 + seed).v;
    std::vector<Wrench> wrenches(2);
    for (int side : {kLeft, kRight}) {
      wrenches[static_cast<std::size_t>(side)] = {80.0 * numbers.segment<3>(side), 20.0 * numbers.segment<3>(side + 3)};
    }
    terms.update(state);
    Eigen::VectorXd expected = terms.mass_matrix() * a + terms.bias();
    for (std::size_t side = 0; side < 2; ++side) {
      const FrameTerms& foot = terms.frame(feet[side]);
      Vector6d at_foot;  // world axes, about the foot's origin
      at_foot << wrenches[side].force,
          wrenches[side].moment - foot.T_world_frame.translation().cross(wrenches[side].force);
      expected -= foot.jacobian.transpose() * at_foot;
    }
    const Eigen::VectorXd found = dynamics.compute(state, a, wrenches);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + expected.cwiseAbs().maxCoeff())) << seed;
  }
}

}  // namespace
}  // namespace aplomb
