#include "aplomb/robot/robot_terms.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/files/data_dir.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

constexpr double kStep = 1e-5;       // [s]; a central difference errs by O(step²) and rounding/step: both about 1e-9
constexpr double kTolerance = 1e-6;  // leaves room for the size of the quantities (momenta of 100 kg m²/s)

class TermsOfEveryRobot : public testing::TestWithParam<std::string> {
 protected:
  RobotModel robot_ = RobotModel::load(GetParam());
  std::vector<FrameId> frames_ = all_frames(robot_);
  RobotTerms terms_{robot_, frames_};

  static std::vector<FrameId> all_frames(const RobotModel& robot) {
    std::vector<FrameId> frames;
    for (std::size_t i = 0; i < robot.tree().links.size(); ++i) frames.push_back(static_cast<FrameId>(i));
    return frames;
  }
  RobotTerms at(const RobotState& state) {
    RobotTerms terms(robot_, frames_);
    terms.update(state);
    return terms;
  }
};

TEST_P(TermsOfEveryRobot, MomentumIsTheMatrixTimesTheVelocityAndTheComMovesAccordingly) {
  const RobotState state = test::random_state(robot_, 1);
  terms_.update(state);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot_.nv());
  const Eigen::Vector3d after = at(test::moved(state, state.v, kStep, zero)).com();
  const Eigen::Vector3d before = at(test::moved(state, state.v, -kStep, zero)).com();
  EXPECT_LT(((after - before) / (2 * kStep) - terms_.com_velocity()).norm(), kTolerance);
  EXPECT_LT((terms_.com_jacobian() * state.v - terms_.com_velocity()).norm(), 1e-12);
  EXPECT_LT((terms_.momentum_matrix() * state.v - terms_.momentum()).norm(), 1e-10);
  EXPECT_LT((terms_.momentum().head<3>() / robot_.mass() - terms_.com_velocity()).norm(), 1e-12);
}

TEST_P(TermsOfEveryRobot, MomentumRateIsTheMatrixTimesTheAccelerationPlusTheBias) {
  const RobotState state = test::random_state(robot_, 2);
  const Eigen::VectorXd a = test::random_state(robot_, 3).v;
  terms_.update(state);
  const Vector6d after = at(test::moved(state, state.v, kStep, a)).momentum();
  const Vector6d before = at(test::moved(state, state.v, -kStep, a)).momentum();
  const Vector6d rate = (after - before) / (2 * kStep);
  EXPECT_LT((terms_.momentum_matrix() * a + terms_.momentum_bias() - rate).norm(), kTolerance * robot_.mass());
  EXPECT_LT((terms_.com_jacobian() * a + terms_.com_bias() - rate.head<3>() / robot_.mass()).norm(), kTolerance);
}

TEST_P(TermsOfEveryRobot, FrameVelocitiesAndAccelerationsAreDerivativesOfTheirPoses) {
  const RobotState state = test::random_state(robot_, 4);
  const Eigen::VectorXd a = test::random_state(robot_, 5).v;
  terms_.update(state);
  const RobotTerms after = at(test::moved(state, state.v, kStep, a));
  const RobotTerms before = at(test::moved(state, state.v, -kStep, a));
  for (FrameId id : frames_) {
    const FrameTerms& frame = terms_.frame(id);
    EXPECT_LT((frame.jacobian * state.v - frame.velocity).norm(), 1e-12) << robot_.frame_name(id);
    const Eigen::Isometry3d& T_after = after.frame(id).T_world_frame;
    const Eigen::Isometry3d& T_before = before.frame(id).T_world_frame;
    const Eigen::Vector3d linear = (T_after.translation() - T_before.translation()) / (2 * kStep);
    const Eigen::AngleAxisd turn(T_after.linear() * T_before.linear().transpose());
    const Eigen::Vector3d angular = turn.angle() * turn.axis() / (2 * kStep);
    EXPECT_LT((linear - frame.velocity.head<3>()).norm(), kTolerance) << robot_.frame_name(id);
    EXPECT_LT((angular - frame.velocity.tail<3>()).norm(), kTolerance) << robot_.frame_name(id);
    const Vector6d acceleration = (after.frame(id).velocity - before.frame(id).velocity) / (2 * kStep);
    EXPECT_LT((frame.jacobian * a + frame.bias - acceleration).norm(), kTolerance * 10) << robot_.frame_name(id);
  }
}

TEST_P(TermsOfEveryRobot, MassMatrixIsSymmetricPositiveDefiniteAndGivesTheKineticEnergyOfTheMomentum) {
  terms_.update(test::random_state(robot_, 6));
  const Eigen::MatrixXd& M = terms_.mass_matrix();
  EXPECT_EQ((M - M.transpose()).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(M.llt().info(), Eigen::Success);
}

TEST_P(TermsOfEveryRobot, EnergyOfAFreeFallIsConserved) {
  // d/dt (½ vᵀMv + m g c_z) = vᵀτ_external: with M v̇ = −h it must vanish.
  const RobotState state = test::random_state(robot_, 7);
  terms_.update(state);
  const Eigen::VectorXd a = terms_.mass_matrix().llt().solve(-terms_.bias());
  const auto energy = [&](double dt) {
    const RobotState there = test::moved(state, state.v, dt, a);
    const RobotTerms terms = at(there);
    return 0.5 * there.v.dot(terms.mass_matrix() * there.v) + robot_.mass() * kGravity * terms.com().z();
  };
  const double rate = (energy(kStep) - energy(-kStep)) / (2 * kStep);
  EXPECT_LT(std::abs(rate), 1e-5 * std::max(1.0, energy(0.0)));
}

TEST_P(TermsOfEveryRobot, GravityIsTheBiasAtRest) {
  RobotState state = test::random_state(robot_, 8);
  state.v.setZero();
  terms_.update(state);
  EXPECT_LT((terms_.gravity() - terms_.bias()).norm(), 1e-10 * robot_.mass());
}

INSTANTIATE_TEST_SUITE_P(Law, TermsOfEveryRobot, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
