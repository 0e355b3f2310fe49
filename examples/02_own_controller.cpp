// A user-defined controller in a user-defined loop: the robot bends its knees periodically and keeps its balance.
//   build/examples/02_own_controller [ROBOT]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <string>

#include "aplomb/control/controller.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/sim/simulation.hpp"

namespace {

/// Moves along a straight line between two postures and back, with joint springs and gravity
/// compensation as feed-forward:   τ = τ_static(q) + k (q*(t) − q) + d (q̇*(t) − q̇),   q*(t) = low + s(t) (high − low)
class Swinging final : public aplomb::Controller {
 public:
  Swinging(const aplomb::RobotModel& robot, const Eigen::VectorXd& low, const Eigen::VectorXd& high)
      : terms_(robot, aplomb::sole_frames(robot)),
        statics_(robot),
        command_(robot.num_joints()),
        low_(low),
        high_(high) {
    command_.stiffness.setConstant(20.0 * robot.mass());  // [N m/rad]
    command_.damping.setConstant(1.0 * robot.mass());     // [N m s/rad]
  }

  const aplomb::Command& step(const aplomb::SensorReadings& readings) override {
    terms_.update(readings.state);  // never allocates
    const double omega = 2.0 * std::numbers::pi / kPeriod;
    const double share = 0.5 - 0.5 * std::cos(omega * readings.time_s);
    command_.position = low_ + share * (high_ - low_);
    command_.velocity = 0.5 * omega * std::sin(omega * readings.time_s) * (high_ - low_);
    command_.torque = statics_.compute(terms_, {0.5, 0.5});  // each foot carries half of the weight
    return command_;
  }

 private:
  static constexpr double kPeriod = 2.0;  // [s]
  aplomb::RobotTerms terms_;
  aplomb::StaticTorque statics_;
  aplomb::Command command_;
  Eigen::VectorXd low_, high_;
};

int swing(const std::string& name) {
  const aplomb::RobotModel robot = aplomb::RobotModel::load(name);
  const aplomb::RobotState start = robot.posture("half_sitting");
  const Eigen::VectorXd low = start.q.tail(robot.num_joints());

  aplomb::Simulation simulation(robot, aplomb::World{});
  simulation.start(start);
  Swinging controller(robot, low, 0.6 * low);  // towards the stretched posture, where all angles are zero

  aplomb::SensorReadings readings;
  aplomb::RobotTerms terms(robot, {});
  terms.update(simulation.state());
  const double com_at_start = terms.com().z();
  double lowest = com_at_start, highest = com_at_start;
  while (simulation.time_s() < 6.0) {
    simulation.read(readings);
    simulation.step(controller.step(readings));
    terms.update(simulation.state());
    lowest = std::min(lowest, terms.com().z());
    highest = std::max(highest, terms.com().z());
  }
  const bool fell = lowest < 0.8 * com_at_start;
  std::printf("%s: the centre of mass went %.1f mm up and down, and the robot %s\n", robot.name().c_str(),
              1e3 * (highest - lowest), fell ? "fell" : "stayed on its feet");
  return fell ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
  return swing(argc > 1 ? argv[1] : "coman");
} catch (const std::exception& error) {
  std::fprintf(stderr, "02_own_controller: error: %s\n", error.what());
  return 2;
}
