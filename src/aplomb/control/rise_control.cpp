#include "aplomb/control/rise_control.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/math/filter.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {
namespace {

// The seat counts as unloaded below this fraction of body weight; tuned, above the force with which a rocking robot
// still touches it.
constexpr double kUnloadedFraction = 0.1;
constexpr double kEarly = 0.05;       // [s] seat-off is accepted this long before the planned time; tuned
constexpr double kSeatCutoff = 10.0;  // [Hz] cutoff of the low-pass of the seat force; tuned

/// For each joint: whether it lies between the trunk and a hand that pushes in the plan.
std::vector<bool> arms_that_push(const RobotModel& model, const MotionPlan& plan) {
  std::vector<bool> is_of_arm(static_cast<std::size_t>(model.num_joints()), false);
  const std::string& trunk = model.description().roles.trunk;
  const std::optional<FrameId> top = trunk.empty() ? std::nullopt : std::optional(model.frame(trunk));
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    if (!is_hand(contact.site)) continue;
    for (int joint : model.joint_chain(model.frame(contact.link), top)) {
      is_of_arm[static_cast<std::size_t>(joint)] = true;
    }
  }
  return is_of_arm;
}

}  // namespace

struct RiseControl::Impl {
  Impl(const RobotModel& model, const RobotState& start, const JointPd::Settings& on_seat,
       const MomentumBalance::Settings& on_feet)
      : on_seat_(model, start, on_seat),
        on_feet_(model, start, on_feet),
        plan_(on_feet.plan.plan, on_feet.plan.speed, on_feet.plan.start_s),
        seat_(kSeatCutoff, kControlPeriod),
        unloaded_n_(kUnloadedFraction * model.mass() * kGravity),
        is_of_arm_(arms_that_push(model, *on_feet.plan.plan)),
        has_arms_(std::ranges::find(is_of_arm_, true) != is_of_arm_.end()),
        command_(model.num_joints()) {}

  const Command& step(const SensorReadings& readings);
  bool is_off_seat(const SensorReadings& readings);
  void blend(const Command& on_seat, const Command& on_feet);
  void state(const Command& on_seat, const Command& on_feet);  ///< status of the commands that count, fallbacks

  JointPd on_seat_;
  MomentumBalance on_feet_;
  PlanPlayer plan_;
  LowPass<1> seat_;
  double seat_force_n_ = 0.0;  ///< last measured, low-pass
  double unloaded_n_;          ///< a seat force below this counts as none
  bool has_left_ = false;
  double weight_ = 1.0, arm_weight_ = 1.0;  ///< weights of the momentum balance, 0 to 1
  std::vector<bool> is_of_arm_;             ///< by joint: belongs to an arm whose hand pushes off an arm rest
  bool has_arms_;                           ///< any joint does
  Command command_;
  Fallbacks fallbacks_;
};

bool RiseControl::Impl::is_off_seat(const SensorReadings& readings) {
  const bool is_known = !readings.lost(Sensor::seat_wrench) && readings.seat_wrench.force.allFinite();
  if (is_known) seat_force_n_ = seat_.update(Eigen::Matrix<double, 1, 1>(readings.seat_wrench.force.z()))[0];
  const double seat_off_s = plan_.start_s() + plan_.seat_off_s() / plan_.speed();
  if (readings.time_s < seat_off_s - kEarly) return false;
  if (is_known) return seat_force_n_ < unloaded_n_;
  fallbacks_.take(Sensor::seat_wrench, "assumes seat-off, which begins the hand-over, at its planned time");
  return readings.time_s > seat_off_s;
}

const Command& RiseControl::Impl::step(const SensorReadings& readings) {
  const Command& on_seat = on_seat_.step(readings);
  const Command& on_feet = on_feet_.step(readings);
  fallbacks_.clear();
  has_left_ = has_left_ || is_off_seat(readings);
  // A command that the balance holds, because it has no solution, gains no weight.
  const double step = on_feet.status == CommandStatus::solved ? kControlPeriod / kTakeOver : 0.0;
  if (has_left_) weight_ = std::min(weight_ + step, 1.0);
  const bool are_hands_off = readings.time_s > plan_.start_s() + plan_.on_feet_s() / plan_.speed();
  if (has_left_ && are_hands_off) arm_weight_ = std::min(arm_weight_ + step, 1.0);
  blend(on_seat, on_feet);
  state(on_seat, on_feet);
  return command_;
}

void RiseControl::Impl::blend(const Command& on_seat, const Command& on_feet) {
  // Blends the torques of both springs and of both dampers.
  const auto mean = [](double first, double of_first, double second, double of_second) {
    const double sum = of_first + of_second;
    return sum > 0.0 ? (of_first * first + of_second * second) / sum : second;
  };
  for (Eigen::Index i = 0; i < command_.torque.size(); ++i) {
    const double b = is_of_arm_[static_cast<std::size_t>(i)] ? arm_weight_ : weight_, a = 1.0 - b;
    command_.torque[i] = a * on_seat.torque[i] + b * on_feet.torque[i];
    command_.stiffness[i] = a * on_seat.stiffness[i] + b * on_feet.stiffness[i];
    command_.damping[i] = a * on_seat.damping[i] + b * on_feet.damping[i];
    command_.position[i] =
        mean(on_seat.position[i], a * on_seat.stiffness[i], on_feet.position[i], b * on_feet.stiffness[i]);
    command_.velocity[i] =
        mean(on_seat.velocity[i], a * on_seat.damping[i], on_feet.velocity[i], b * on_feet.damping[i]);
  }
  command_.foot_cop = weight_ < 1.0 ? on_seat.foot_cop : on_feet.foot_cop;
}

void RiseControl::Impl::state(const Command& on_seat, const Command& on_feet) {
  const bool is_seat_used = weight_ < 1.0 || (has_arms_ && arm_weight_ < 1.0), are_feet_used = weight_ > 0.0;
  const auto is_any = [&](CommandStatus status) {
    return (is_seat_used && on_seat.status == status) || (are_feet_used && on_feet.status == status);
  };
  command_.status = is_any(CommandStatus::solve_failed)      ? CommandStatus::solve_failed
                    : is_any(CommandStatus::reading_missing) ? CommandStatus::reading_missing
                                                             : CommandStatus::solved;
  if (is_seat_used) fallbacks_.take_all(on_seat_.fallbacks());
  fallbacks_.take_all(on_feet_.fallbacks());  // also before it has any weight: its integrals keep the effect
}

RiseControl::RiseControl(const RobotModel& model, const RobotState& start, const JointPd::Settings& on_seat,
                         const MomentumBalance::Settings& on_feet)
    : impl_(std::make_unique<Impl>(model, start, on_seat, on_feet)) {}

RiseControl::~RiseControl() = default;

const Command& RiseControl::step(const SensorReadings& readings) { return impl_->step(readings); }
std::span<const Fallback> RiseControl::fallbacks() const { return impl_->fallbacks_.taken(); }
std::span<const Signal> RiseControl::signals() const { return impl_->on_feet_.signals(); }
ControllerReport RiseControl::report() const { return impl_->on_feet_.report(); }

ControllerKind RiseControl::kind() {
  struct NoSettings {};
  return ControllerKind::of(
      "inverse_dynamics",
      "follows a plan from the seat to the feet; has no keys of its own and uses those of joint_pd and "
      "momentum_balance",
      SettingsOf<NoSettings>(), [](const ControllerContext& context, const NoSettings&) -> std::unique_ptr<Controller> {
        const MomentumBalance::Settings on_feet = MomentumBalance::settings_from(context);
        if (!context.plan.plan) return std::make_unique<MomentumBalance>(context.model, context.start, on_feet);
        JointPd::Settings on_seat = JointPd::settings_from(context);
        on_seat.feeds_forward = on_seat.finds_chair = true;
        if (context.model.description().actuation.kind == Actuation::Kind::servo) {
          context.notes.push_back("inverse_dynamics: the joints of robot " + context.model.name() +
                                  " are position-controlled; they follow the plan to its end as on the seat, without "
                                  "the momentum balance, which commands torques");
          return std::make_unique<JointPd>(context.model, context.start, on_seat);
        }
        return std::make_unique<RiseControl>(context.model, context.start, on_seat, on_feet);
      });
}

}  // namespace aplomb
