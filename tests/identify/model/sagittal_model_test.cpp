#include "aplomb/identify/model/sagittal_model.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/static_problem.hpp"
#include "aplomb/identify/next_postures.hpp"
#include "aplomb/identify/uncertainty.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

TEST(SagittalModel, PredictsTheForwardComOfEverySymmetricPosture) {
  for (const char* name : {"sarcos", "sarcos_real", "coman", "hoap3", "balancer"}) {
    const RobotModel robot = RobotModel::load(name);
    const RobotState start = robot.posture("half_sitting");
    const SagittalModel model(robot, start);
    RobotTerms terms(robot, {});
    BodyMotions motions(robot);
    for (const RobotState& state : stand_up_path(robot)) {
      RobotState posture = start;  // arms as in the reference, legs along the path
      for (const SagittalModel::Link& link : model.links()) {
        for (int body : link.frame_bodies) {
          if (body > 0) posture.q[6 + body] = state.q[6 + body];
        }
      }
      robot.stand_on_soles(posture);
      terms.update(posture);
      motions.place(posture.q);
      const double com =
          model.moment_row(motions, true).dot(model.cad_parameters()) / model.mass_row().dot(model.cad_parameters());
      EXPECT_NEAR(com, terms.com().x(), 2e-4) << name;  // robots are symmetric to fractions of a millimetre
    }
  }
}

TEST(SagittalModel, CorrectedBodiesHaveExactlyTheEstimatesCom) {
  const RobotModel cad = RobotModel::load("sarcos");
  const RobotState start = cad.posture("half_sitting");
  const SagittalModel model(cad, start);
  Eigen::VectorXd phi = model.cad_parameters();
  for (Eigen::Index i = 0; i < phi.size(); ++i) phi[i] *= 1.0 + 0.1 * std::sin(static_cast<double>(i) + 1.0);
  phi[9] *= 0.05;  // a pelvis lighter than a tenth of its CAD: all its bodies share that
  Urdf urdf = cad.urdf();
  for (const auto& [body, inertia] : model.body_inertias(phi)) {
    for (UrdfLink& link : urdf.links) {
      if (link.name == cad.tree().bodies[static_cast<std::size_t>(body)].link) link.inertia = inertia;
    }
  }
  const RobotModel corrected(urdf, cad.description());
  RobotTerms terms(corrected, {});
  BodyMotions motions(cad);
  RobotState state = start;
  for (double bend : {0.0, 0.3, 0.7}) {
    for (const char* joint : {"left_knee", "right_knee", "left_hip_pitch", "right_hip_pitch"})
      state.q[7 + cad.joint(joint)] = 0.4 + bend;
    cad.stand_on_soles(state);
    terms.update(state);
    motions.place(state.q);
    EXPECT_NEAR(terms.com().x(), model.moment_row(motions, true).dot(phi) / model.mass_row().dot(phi), 1e-9);
  }
}

TEST(SagittalModel, TorqueRowsAreTheStaticTorques) {
  for (const char* name : {"sarcos", "coman", "hoap3"}) {
    const RobotModel robot = RobotModel::load(name);
    const RobotState start = robot.posture("half_sitting");
    const SagittalModel model(robot, start);
    RobotTerms terms(robot, sole_frames(robot));
    StaticTorque statics(robot);
    PostureSet set;
    set.sensors.contacts = {{.name = "plate", .is_plate = true}};
    for (int joint = 0; joint < robot.num_joints(); ++joint) set.sensors.torque_joints.push_back(joint);
    for (double bend : {0.0, 0.2, 0.5}) {
      Posture posture{.state = start};
      for (const SagittalModel::Link& link : model.links()) {
        for (int body : link.frame_bodies) {
          if (body > 0) posture.state.q[6 + body] += std::copysign(bend, start.q[6 + body]);
        }
      }
      robot.stand_on_soles(posture.state);
      terms.update(posture.state);
      Vector6d reading = Vector6d::Zero();
      reading.head<3>() << terms.com().x(), terms.com().y(), robot.mass() * kGravity;
      posture.contacts = {reading};
      posture.torque = statics.compute(terms, {0.5, 0.5});
      set.postures.push_back(posture);
    }
    const StaticProblem problem = sagittal_problem(robot, model, set, {.joint_rad = 0.0});
    for (const PostureRows& rows : problem.rows) {
      ASSERT_EQ(rows.y.size(), 2 + (model.links().size() > 4 ? 4 : 3)) << name;
      // Whitened by 1 N m a joint and 2 mm of CoP: the sides of the robots differ by fractions of a millimetre.
      EXPECT_LT((rows.W * problem.cad - rows.y).cwiseAbs().maxCoeff(), 0.15) << name;
      EXPECT_GT(rows.y.tail(rows.y.size() - 2).norm(), 0.5) << name << ": there are torques";
    }
  }
}

TEST(SagittalModel, TorquesShrinkTheDeviationOfTheCom) {
  const RobotModel robot = RobotModel::load("sarcos");
  const SagittalModel model(robot, robot.posture("half_sitting"));
  Sensors sensors;
  sensors.contacts = {{.name = "plate", .is_plate = true}};
  std::vector<RobotState> states;
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  while (states.size() < 40) {
    RobotState state = robot.posture("half_sitting");
    for (const SagittalModel::Link& link : model.links()) {
      const double change = 0.3 * unit(engine);
      for (int body : link.frame_bodies) {
        if (body > 0) state.q[6 + body] += change;
      }
    }
    robot.stand_on_soles(state);
    states.push_back(state);
  }
  const auto fit = [&] {
    const StaticProblem problem =
        sagittal_problem(robot, model, hypothetical_measurements(states, robot, sensors), {.joint_rad = 0.0035});
    std::vector<std::size_t> all(states.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    LeastSquares plain = least_squares(normal_equations(problem, all), problem.cad.cwiseAbs(), 1e-5);
    plain.covariance /= plain.variance;  // at the stated noise
    return com_covariance(problem, plain, problem.cad, problem.cops.back().moments)(0, 0);
  };
  const double without = fit();
  for (int joint = 0; joint < robot.num_joints(); ++joint) sensors.torque_joints.push_back(joint);
  EXPECT_LT(std::sqrt(fit()), 0.95 * std::sqrt(without));
}

TEST(SagittalModel, ElevenOfFifteenAreSeenAndTenWithLevelFeet) {
  for (const char* name : {"sarcos", "coman"}) {
    const RobotModel robot = RobotModel::load(name);
    const SagittalModel model(robot, robot.posture("half_sitting"));
    ASSERT_EQ(model.links().size(), 5u);
    EXPECT_EQ(structural_rank(robot, model, /*feet_are_level=*/false, /*has_force=*/true), 11) << name;
    EXPECT_EQ(structural_rank(robot, model, true, true), 10) << name;
  }
}

}  // namespace
}  // namespace aplomb
