#include "aplomb/identify/next_postures.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/identify/design/self_collision.hpp"
#include "aplomb/identify/model/static_problem.hpp"
#include "aplomb/pipeline/measure_postures.hpp"

namespace aplomb {
namespace {

/// Postures of sarcos_real in the plane, without a simulator: what a choice is made from.
struct Pool {
  RobotModel robot = RobotModel::load("sarcos_real");
  SagittalModel plane{robot, robot.posture("half_sitting")};
  std::vector<RobotState> states;
  std::size_t num_candidates = 0;
  StaticProblem problem;

  explicit Pool(unsigned seed) {
    std::mt19937_64 engine(seed);
    const auto within = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(engine);
    };
    RobotTerms terms(robot, {});
    while (states.size() < 300) {
      RobotState state = robot.posture("half_sitting");
      const double hip = within(0.05, 1.52), knee = within(0.4, 2.09), ankle = within(-0.05, 0.51),
                   torso = within(-0.28, 0.28);
      for (const char* side : {"left", "right"}) {
        const std::string name(side);
        state.q[7 + robot.joint(name + "_hip_pitch")] = hip;
        state.q[7 + robot.joint(name + "_knee")] = knee;
        state.q[7 + robot.joint(name + "_ankle_pitch")] = ankle;
      }
      state.q[7 + robot.joint("torso_pitch")] = torso;
      robot.stand_on_soles(state);
      terms.update(state);
      if (std::abs(terms.com().x()) < 0.12) states.push_back(state);
    }
    num_candidates = states.size();
    for (const RobotState& state : stand_up_path(robot)) states.push_back(state);
    Sensors sensors;
    sensors.contacts = {{.name = "plate", .is_plate = true}};
    problem = sagittal_problem(robot, plane, hypothetical_measurements(states, robot, sensors), {.joint_rad = 0.0});
  }
};

TEST(NextPostures, TwentyChosenAreAsGoodAsThirtyFiveRandomOnes) {
  double chosen_sum = 0.0, random_sum = 0.0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Pool pool(seed);
    const Eigen::VectorXd phi = pool.plane.cad_parameters();
    std::vector<std::size_t> path, random;
    for (std::size_t k = pool.num_candidates; k < pool.states.size(); ++k) path.push_back(k);
    for (std::size_t k = 0; k < 35; ++k) random.push_back(k);  // the pool is drawn at random
    StaticProblem candidates = pool.problem;
    candidates.rows.resize(pool.num_candidates);
    candidates.cops.resize(pool.num_candidates);
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(15, 15);
    const auto chosen = choose_postures(candidates, 20, Optimality::d, phi, none);
    chosen_sum += mean_com_deviation(pool.problem, phi, chosen, path, none);
    random_sum += mean_com_deviation(pool.problem, phi, random, path, none);
  }
  EXPECT_LE(chosen_sum, random_sum);
  RecordProperty("chosen_mm", std::to_string(1e3 * chosen_sum / 30));
  RecordProperty("random_mm", std::to_string(1e3 * random_sum / 30));
}

TEST(SelfCollision, DetectsCrossedLegsAndNothingInAFreePosture) {
  const RobotModel robot = RobotModel::load("sarcos");
  const RobotState free = robot.posture("half_sitting");
  SelfCollision collision(robot, free);
  EXPECT_FALSE(collision.collides(free));
  RobotState crossed = free;
  crossed.q[7 + robot.joint("left_hip_roll")] = -0.5;  // one leg through the other
  crossed.q[7 + robot.joint("right_hip_roll")] = -0.5;
  EXPECT_TRUE(collision.collides(crossed));
}

}  // namespace
}  // namespace aplomb
