#include "aplomb/control/rise_control.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;       // [s] between two ticks
constexpr double kCarriedShare = 0.1;  // of the weight
constexpr double kEarly = 0.05;        // [s] before the planned seat-off from which on the seat may be left
constexpr double kSeatCutoff = 10.0;   // [Hz] of the low-pass of what the seat carries

}  // namespace

RiseControl::RiseControl(const RobotModel& model, const RobotState& start, const JointPd::Settings& on_seat,
                         const MomentumBalance::Settings& on_feet)
    : on_seat_(model, start, on_seat),
      on_feet_(model, start, on_feet),
      plan_(on_feet.plan.plan, on_feet.plan.speed, on_feet.plan.start_s),
      seat_(kSeatCutoff, kPeriod),
      carried_n_(kCarriedShare * model.mass() * kGravity),
      command_(model.num_joints()) {}

bool RiseControl::is_off_seat(const SensorReadings& readings) {
  // A seat that does not tell is taken to be left as planned.
  const bool is_known = !readings.lost(Sensor::seat_wrench) && readings.seat_wrench.force.allFinite();
  if (is_known) carries_n_ = seat_.update(Eigen::Matrix<double, 1, 1>(readings.seat_wrench.force.z()))[0];
  const double seat_off_s = plan_.start_s() + plan_.on_feet_s() / plan_.speed();  // and hands off their rests
  if (readings.time_s < seat_off_s - kEarly) return false;
  return is_known ? carries_n_ < carried_n_ : readings.time_s > seat_off_s;
}

const Command& RiseControl::step(const SensorReadings& readings) {
  const Command& on_seat = on_seat_.step(readings);
  const Command& on_feet = on_feet_.step(readings);
  has_left_ = has_left_ || is_off_seat(readings);
  if (has_left_) weight_ = std::min(weight_ + kPeriod / kTakeOver, 1.0);
  blend(on_seat, on_feet);
  return command_;
}

void RiseControl::blend(const Command& on_seat, const Command& on_feet) {
  const double a = 1.0 - weight_, b = weight_;
  command_.torque = a * on_seat.torque + b * on_feet.torque;
  command_.stiffness = a * on_seat.stiffness + b * on_feet.stiffness;
  command_.damping = a * on_seat.damping + b * on_feet.damping;
  // The torques of both springs and of both dampers, blended.
  const auto mean = [](double first, double of_first, double second, double of_second) {
    const double sum = of_first + of_second;
    return sum > 0.0 ? (of_first * first + of_second * second) / sum : second;
  };
  for (Eigen::Index i = 0; i < command_.torque.size(); ++i) {
    command_.position[i] =
        mean(on_seat.position[i], a * on_seat.stiffness[i], on_feet.position[i], b * on_feet.stiffness[i]);
    command_.velocity[i] =
        mean(on_seat.velocity[i], a * on_seat.damping[i], on_feet.velocity[i], b * on_feet.damping[i]);
  }
  command_.status = weight_ < 1.0 ? on_seat.status : on_feet.status;
}

std::array<Eigen::Vector2d, 2> RiseControl::commanded_cop() const {
  return weight_ < 1.0 ? Controller::commanded_cop() : on_feet_.commanded_cop();
}

}  // namespace aplomb
