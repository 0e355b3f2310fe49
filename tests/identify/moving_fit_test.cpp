#include "aplomb/identify/moving_fit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <ctime>

#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "identify/static_lab.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// A robot that is held at its left foot and swings all joints; its torques have friction.
PostureSet swinging(const RobotModel& truth, int count, double coulomb, double viscous) {
  PostureSet set{.file = "swing.npz"};
  set.sensors.is_moving = set.sensors.has_orientation = true;
  const FrameId foot = truth.frame(truth.description().roles.foot[kLeft]);
  set.sensors.contacts = {{.name = "left_foot", .kind = ContactSensor::Kind::wrench, .link = foot}};
  for (int i = 0; i < truth.num_joints(); ++i) set.sensors.torque_joints.push_back(i);
  RobotTerms terms(truth, {});
  BodyMotions motions(truth);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int k = 0; k < count; ++k) {
    Posture instant;
    instant.state = test::tilted_state(truth, engine);
    instant.acceleration.resize(truth.nv());
    for (int i = 3; i < truth.nv(); ++i) instant.state.v[i] = 2.0 * unit(engine);
    for (int i = 0; i < truth.nv(); ++i) instant.acceleration[i] = 6.0 * unit(engine);
    terms.update(instant.state);
    motions.place(instant.state.q);
    Eigen::VectorXd tau = terms.mass_matrix() * instant.acceleration + terms.bias();
    tau.tail(truth.num_joints()) -=
        truth.description().actuation.armature * instant.acceleration.tail(truth.num_joints());
    // The foot's wrench is what the base rows need; it acts on the joints of that leg too.
    const Eigen::Isometry3d T = motions.link_pose(foot), base = motions.bodies().front().T_world_body;
    const Eigen::Vector3d force = base.linear() * tau.head<3>();
    const Eigen::Vector3d moment =
        base.linear() * tau.segment<3>(3) - (T.translation() - base.translation()).cross(force);
    Eigen::VectorXd of_foot = Eigen::VectorXd::Zero(truth.nv());
    add_wrench(motions, truth.tree().links[static_cast<std::size_t>(foot)].body, T.translation(), force, moment,
               of_foot);
    Vector6d wrench;
    wrench << T.linear().transpose() * force, T.linear().transpose() * moment;
    instant.contacts = {wrench};
    instant.torque = (tau - of_foot).tail(truth.num_joints());
    for (int i = 0; i < truth.num_joints(); ++i) {
      const double rate = instant.state.v[6 + i];
      instant.torque[i] += coulomb * std::tanh(rate / 0.05) + viscous * rate;
    }
    set.postures.push_back(instant);
  }
  return set;
}

TEST(MovingFit, FindsInertiasFromTheWrenchAndFrictionFromTheTorques) {
  const RobotModel cad = RobotModel::load("balancer"), truth = test::perturbed(cad, 4);
  const MovingFit fit = fit_moving(cad, swinging(truth, 400, 1.5, 0.7), {});
  EXPECT_LT(fit.wrench_rms, 0.02 * fit.cad_wrench_rms);
  EXPECT_LT(fit.torque_rms, 0.2);
  EXPECT_EQ(fit.plain.rank, 10 + 7 * cad.num_joints());
  for (const JointFriction& friction : fit.friction) {
    EXPECT_TRUE(friction.is_seen);
    EXPECT_NEAR(friction.coulomb, 1.5, 0.1);
    EXPECT_NEAR(friction.viscous, 0.7, 0.1);
  }
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    EXPECT_TRUE(is_feasible(LinkParameters(fit.estimate.phi.segment<10>(fit.columns.first(slot)))));
  }
}

TEST(MovingFit, FindsInertiasFromCopAndVerticalForceAlone) {
  const RobotModel cad = RobotModel::load("balancer"), truth = test::perturbed(cad, 4);
  PostureSet set = swinging(truth, 600, 1.5, 0.7);
  ContactSensor& sensor = set.sensors.contacts[0];
  sensor.kind = ContactSensor::Kind::cop;
  sensor.sole_z = cad.description().soles[kLeft]->z;
  // A foot that is glued on: where its normal force is small the CoP is far away, and such instants are left out.
  std::erase_if(set.postures, [&](const Posture& instant) { return instant.contacts[0][2] < 100.0; });
  for (Posture& instant : set.postures) {
    const Vector6d w = instant.contacts[0];
    instant.contacts[0] << (sensor.sole_z * w[0] - w[4]) / w[2], (sensor.sole_z * w[1] + w[3]) / w[2], w[2], 0, 0, 0;
  }
  ASSERT_GT(set.postures.size(), 200u);
  const MovingFit fit = fit_moving(cad, set, {});
  EXPECT_LT(fit.wrench_rms, 0.05 * fit.cad_wrench_rms);
  EXPECT_TRUE(fit.friction.empty()) << "friction forces at the foot would pass for friction in the joints";
}

TEST(MovingFit, OfARobotWhoseJointsStandStillIsRefusedWithItsRank) {
  const RobotModel cad = RobotModel::load("balancer");
  PostureSet set = swinging(cad, 1, 0.0, 0.0);
  set.postures.assign(60, set.postures.front());
  const std::string error = test::error_of([&] { fit_moving(cad, set, {}); });
  EXPECT_TRUE(test::has(error, "swing.npz"));
  EXPECT_TRUE(test::has(error, "6 of"));
  EXPECT_TRUE(test::has(error, "all alike"));
}

TEST(MovingFit, TenThousandInstantsOf34JointsTakeUnderFiveSecondsAnd200MB) {
  const RobotModel cad = RobotModel::load("sarcos");
  const PostureSet set = swinging(RobotModel::load("sarcos_real"), 10'000, 1.0, 0.5);
  const std::clock_t begin = std::clock();  // processor time: other work on the machine does not count
  const MovingFit fit = fit_moving(cad, set, {});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  RecordProperty("seconds", std::to_string(seconds));
  RecordProperty("megabytes", std::to_string(usage.ru_maxrss / 1024));
  EXPECT_LT(fit.wrench_rms, fit.cad_wrench_rms);
#ifdef NDEBUG
  EXPECT_LT(seconds, 5.0);
  EXPECT_LT(usage.ru_maxrss, 200 * 1024);
#endif
}

}  // namespace
}  // namespace aplomb
