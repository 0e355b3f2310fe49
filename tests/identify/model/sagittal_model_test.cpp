#include "aplomb/identify/model/sagittal_model.hpp"

#include <gtest/gtest.h>

#include "aplomb/identify/model.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
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
