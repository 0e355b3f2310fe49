#include "aplomb/identify/model/static_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "identify/static_lab.hpp"

namespace aplomb {
namespace {

/// A robot at rest in some posture with a force and a moment at each foot, torques at its joints, all of it true.
struct Rest {
  RobotModel robot = RobotModel::load("sarcos_real");
  Posture posture;
  Sensors sensors;
  Eigen::VectorXd torque;
  std::array<Vector6d, 2> wrench;  ///< of each foot, link axes

  explicit Rest(unsigned seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    posture.state = test::tilted_state(robot, engine);
    BodyMotions motions(robot);
    motions.place(posture.state.q);
    const RegressorColumns columns{.bodies = all_bodies(robot)};
    Eigen::MatrixXd K(robot.nv(), columns.size());
    write_regressor(motions, columns, K);
    Eigen::VectorXd left_over = K * parameters_of(robot, columns);
    // The right foot pushes as it likes; the left one does what is left for the base; the joints what is left then.
    for (double& value : wrench[kRight]) value = 20.0 * normal(engine);
    apply(motions, kRight, left_over);
    const Eigen::Isometry3d T_base = motions.body(0).T_world_body, T = foot(motions, kLeft);
    const Eigen::Vector3d force = T_base.linear() * left_over.head<3>();
    const Eigen::Vector3d moment =
        T_base.linear() * left_over.segment<3>(3) + (T_base.translation() - T.translation()).cross(force);
    wrench[kLeft] << T.linear().transpose() * force, T.linear().transpose() * moment;
    apply(motions, kLeft, left_over);
    torque = left_over.tail(robot.num_joints());
  }

  Eigen::Isometry3d foot(const BodyMotions& motions, int side) const {
    return motions.link_pose(robot.frame(robot.description().roles.foot[static_cast<std::size_t>(side)]));
  }

  void apply(const BodyMotions& motions, int side, Eigen::VectorXd& left_over) const {
    const FrameId link = robot.frame(robot.description().roles.foot[static_cast<std::size_t>(side)]);
    const Eigen::Isometry3d T = foot(motions, side);
    Eigen::VectorXd generalised = Eigen::VectorXd::Zero(robot.nv());
    const Vector6d& w = wrench[static_cast<std::size_t>(side)];
    add_wrench(motions, robot.tree().links[static_cast<std::size_t>(link)].body, T.translation(),
               T.linear() * w.head<3>(), T.linear() * w.tail<3>(), generalised);
    left_over -= generalised;
  }

  /// Knows the CoP and normal force of a foot, or its wrench.
  void measure(int side, ContactSensor::Kind kind) {
    const auto index = static_cast<std::size_t>(side);
    const double z = robot.description().soles[index]->z;
    sensors.contacts.push_back({.name = side == kLeft ? "left_foot" : "right_foot",
                                .kind = kind,
                                .link = robot.frame(robot.description().roles.foot[index]),
                                .sole_z = z});
    Vector6d reading = wrench[index];
    if (kind == ContactSensor::Kind::cop) {
      const Vector6d& w = wrench[index];
      reading.setZero();
      reading.head<3>() << (z * w[0] - w[4]) / w[2], (z * w[1] + w[3]) / w[2], w[2];
    }
    posture.contacts.push_back(reading);
  }

  /// |NᵀK φ − Nᵀ(Sᵀτ + Σ Jᵀλ)| with the true parameters.
  double residual(int* num_rows = nullptr) {
    const RegressorColumns columns{.bodies = all_bodies(robot)};
    StaticRows rows(robot, sensors, columns);
    rows.compute(posture);
    if (num_rows != nullptr) *num_rows = static_cast<int>(rows.y().size());
    return (rows.matrix() * parameters_of(robot, columns) - rows.y()).norm();
  }
};

TEST(StaticRows, HoldForTheTrueParametersWhateverIsMeasured) {
  using Kind = ContactSensor::Kind;
  for (unsigned seed = 0; seed < 10; ++seed) {
    Rest wrenches(seed), cops(seed), with_torques(seed);
    wrenches.measure(kLeft, Kind::wrench);
    wrenches.measure(kRight, Kind::wrench);
    int rows = 0;
    EXPECT_LT(wrenches.residual(&rows), 1e-8);
    EXPECT_EQ(rows, 6);
    // Of a CoP and a normal force the friction forces and the yaw moment are not known: their directions go.
    cops.measure(kLeft, Kind::cop);
    cops.measure(kRight, Kind::cop);
    cops.residual(&rows);
    EXPECT_LT(cops.residual(), 1e-7 * cops.robot.mass() * kGravity);
    EXPECT_GE(rows, 0);
    EXPECT_LT(rows, 6);
    with_torques.measure(kLeft, Kind::cop);
    with_torques.measure(kRight, Kind::wrench);
    for (int joint = 0; joint < with_torques.robot.num_joints(); ++joint)
      with_torques.sensors.torque_joints.push_back(joint);
    with_torques.posture.torque = with_torques.torque;
    EXPECT_LT(with_torques.residual(&rows), 1e-7 * cops.robot.mass() * kGravity);
    EXPECT_EQ(rows, 6 + with_torques.robot.num_joints() - 3);
  }
}

}  // namespace
}  // namespace aplomb
