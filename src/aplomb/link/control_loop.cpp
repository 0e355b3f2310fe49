#include "aplomb/link/control_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/nonblocking.hpp"
#include "aplomb/link/realtime.hpp"
#include "aplomb/link/remote_controller.hpp"
#include "aplomb/link/udp_socket.hpp"

namespace aplomb {
namespace {

constexpr double kSlice_s = 0.1;       // between two looks at Ctrl-C
constexpr double kSilence_s = 1.0;     // in real time: a robot that sends nothing for so long has stopped
constexpr double kDampAfter_s = 0.02;  // without a reading
// The loop wakes so long before the next reading is due, and then waits for it: more than a wake-up takes, so that a
// loop that has come late finds back.
constexpr double kLead_s = 100e-6;
constexpr double kLinger_s = 0.3;  // after the report, in case it got lost
constexpr double kKnock_s = 1.0;   // in lock step: whether the robot's process still lives

}  // namespace

struct ControlLoop::Impl {
  Impl(const RobotModel& model, Controller& own, const Settings& wanted)
      : identity(identity_of(model)),
        controller(&own),
        settings(wanted),
        dampers(model.num_joints()),
        clock(kControlPeriod) {
    readings.state = model.neutral_state();
    dampers.damping = JointPd(model, model.neutral_state(), {}).damping();
  }

  MessageHeader header(MessageKind kind, std::uint64_t number) {
    return {.kind = kind, .session = session, .sequence = number, .num_joints = identity.num_joints};
  }
  std::size_t hello() {
    return write_hello(header(MessageKind::hello, 0), {.robot = identity, .controller = settings.controller}, out);
  }
  void judge_refusal(const UdpSocket::Received& datagram, const LinkAddress& robot);
  enum class Heard { reading, end, nothing, peer_gone };
  Heard hear(double timeout_s);
  Heard hear_newest(double timeout_s);
  const Command& control() APLOMB_NONBLOCKING { return is_damping ? dampers : controller->step(readings); }
  void answer();
  void damp();
  void close();

  RobotIdentity identity;
  Controller* controller;
  Settings settings;
  UdpSocket socket;
  SensorReadings readings;
  Command dampers;
  TickClock clock;
  std::uint64_t session = 0, sequence = 0, answered = 0;
  bool is_lockstep = false, is_damping = false;
  FinishReason finish{};
  std::int64_t missed_readings = 0, overruns = 0;
  CycleTimes cycles, jitter;
  std::vector<std::string> notes;
  std::array<std::byte, kMostMessageBytes> out{}, in{};
};

ControlLoop::ControlLoop(const RobotModel& model, Controller& controller, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, controller, settings)) {}

ControlLoop::~ControlLoop() = default;

const CycleTimes& ControlLoop::cycles() const { return impl_->cycles; }
const CycleTimes& ControlLoop::jitter() const { return impl_->jitter; }
std::vector<std::string> ControlLoop::notes() const { return impl_->notes; }

void ControlLoop::Impl::judge_refusal(const UdpSocket::Received& datagram, const LinkAddress& robot) {
  const std::span<const std::byte> bytes = std::span(in).first(datagram.size);
  MessageHeader head;
  const MessageFault fault = read_header(bytes, head);
  const std::uint16_t version = stated_version(bytes);
  if (fault == MessageFault::other_version) {
    throw InvalidValue(
        fmt::format("the robot at {} speaks version {} of the messages, this program version {}; use the "
                    "same version of aplomb on both sides",
                    robot.text(), version, kLinkVersion));
  }
  if (fault != MessageFault::none) {
    throw InvalidValue(
        fmt::format("what answers at {} is not a robot that is served by aplomb ({})", robot.text(), to_string(fault)));
  }
  if (head.kind != MessageKind::refusal) return;
  const Refusal refusal = read_refusal(bytes);
  if (refusal.reason == RefusalReason::other_version) {
    throw InvalidValue(
        fmt::format("the robot at {} does not speak version {} of the messages; use the same version of "
                    "aplomb on both sides",
                    robot.text(), kLinkVersion));
  }
  throw InvalidValue(fmt::format("the robot at {} is {} ({} joints), not {} ({} joints); name it with --robot",
                                 robot.text(), refusal.robot.name, refusal.robot.num_joints, identity.name,
                                 identity.num_joints));
}

Welcome ControlLoop::connect(const LinkAddress& robot) {
  Impl& my = *impl_;
  my.socket.connect_to(robot);
  const double until = TickClock::now_s() + my.settings.connect_wait_s;
  while (TickClock::now_s() < until) {
    check_interrupt();
    my.socket.send(std::span(my.out).first(my.hello()));
    const double begin = TickClock::now_s();
    const UdpSocket::Received datagram = my.socket.receive(my.in, kSlice_s);
    if (datagram.outcome != UdpSocket::Outcome::received) {
      TickClock pause(kSlice_s);
      pause.follow(begin, 0.0);
      pause.wait();  // refused at once: nobody listens there yet
      continue;
    }
    my.judge_refusal(datagram, robot);
    const std::span<const std::byte> bytes = std::span(my.in).first(datagram.size);
    MessageHeader head;
    if (read_header(bytes, head) != MessageFault::none || head.kind != MessageKind::welcome) continue;
    const Welcome welcome = read_welcome(bytes);
    if (welcome.robot.joints_digest != my.identity.joints_digest ||
        welcome.robot.num_joints != my.identity.num_joints) {
      continue;
    }
    my.session = head.session;
    my.is_lockstep = welcome.is_lockstep;
    if (my.settings.is_realtime_asked && !my.is_lockstep) my.notes = prepare_realtime();
    return welcome;
  }
  throw InvalidValue(
      fmt::format("no robot answers at {} within {:g} s; start `aplomb serve {} --scenario SCENARIO "
                  "--listen {}` there, and one controller at a time",
                  robot.text(), my.settings.connect_wait_s, my.identity.name, robot.text()));
}

ControlLoop::Impl::Heard ControlLoop::Impl::hear(double timeout_s) {
  const UdpSocket::Received datagram = socket.receive(in, timeout_s);
  if (datagram.outcome == UdpSocket::Outcome::peer_gone) return Heard::peer_gone;
  if (datagram.outcome != UdpSocket::Outcome::received) return Heard::nothing;
  const std::span<const std::byte> bytes = std::span(in).first(datagram.size);
  MessageHeader head;
  if (read_header(bytes, head) != MessageFault::none || head.session != session ||
      head.num_joints != identity.num_joints) {
    return Heard::nothing;
  }
  if (head.kind == MessageKind::finished) {
    finish = read_finished(bytes);
    return Heard::end;
  }
  if (head.kind != MessageKind::reading || head.sequence <= answered) return Heard::nothing;
  missed_readings += static_cast<std::int64_t>(head.sequence - answered) - 1;
  answered = head.sequence;
  read_reading(bytes, readings);
  return Heard::reading;
}

/// The newest reading that is there; earlier ones are counted as missed.
ControlLoop::Impl::Heard ControlLoop::Impl::hear_newest(double timeout_s) {
  Heard heard = hear(timeout_s);
  while (heard == Heard::reading && !is_lockstep) {
    const Heard next = hear(0.0);
    if (next == Heard::nothing || next == Heard::peer_gone) break;
    if (next == Heard::reading) ++missed_readings;
    heard = next;
  }
  return heard;
}

void ControlLoop::Impl::answer() {
  const Command& computed = control();
  socket.send(std::span(out).first(write_command(header(MessageKind::command, ++sequence), answered, computed, out)));
}

/// No reading for long: the robot, if it still hears, is told to damp its joints, from now on.
void ControlLoop::Impl::damp() {
  is_damping = true;
  dampers.position = readings.state.q.tail(identity.num_joints);
  dampers.status = CommandStatus::reading_missing;
  answer();
}

void ControlLoop::Impl::close() {
  const Metrics metrics = controller->report().metrics;
  const std::size_t size = write_report(header(MessageKind::report, ++sequence), metrics, out);
  const double until = TickClock::now_s() + kLinger_s;
  do {
    if (!socket.send(std::span(out).first(size))) return;
    while (hear(std::max(until - TickClock::now_s(), 0.0)) == Heard::reading) {
    }
  } while (TickClock::now_s() < until);
}

ControlLoop::End ControlLoop::run() {
  Impl& my = *impl_;
  double heard_s = TickClock::now_s(), knocked_s = heard_s;
  bool has_begun = false;
  for (;;) {
    if (is_interrupted()) {
      my.socket.send(std::span(my.out).first(
          write_finished(my.header(MessageKind::finished, ++my.sequence), FinishReason::controller_left, my.out)));
      throw Interrupted();
    }
    const bool is_timed = !my.is_lockstep && has_begun;
    if (is_timed) my.jitter.add(my.clock.wait());
    const Impl::Heard heard = my.hear_newest(is_timed ? kControlPeriod : kSlice_s);
    const double now = TickClock::now_s();
    if (heard == Impl::Heard::end) {
      my.close();
      return my.finish == FinishReason::ended ? End::finished : End::robot_interrupted;
    }
    if (heard == Impl::Heard::reading) {
      my.answer();
      const double end = TickClock::now_s();
      my.cycles.add(end - now);
      if (end - now > kControlPeriod) ++my.overruns;
      my.clock.follow(now, kLead_s);
      heard_s = knocked_s = end;
      has_begun = true;
      continue;
    }
    if (heard == Impl::Heard::peer_gone) return End::robot_silent;
    if (my.is_lockstep || !has_begun) {
      if (now - knocked_s < kKnock_s) continue;
      knocked_s = now;
      if (!my.socket.send(std::span(my.out).first(my.hello()))) return End::robot_silent;
    } else if (now - heard_s > kSilence_s) {
      return End::robot_silent;
    } else if (now - heard_s > kDampAfter_s) {
      my.damp();
    }
  }
}

Metrics ControlLoop::metrics() const {
  Metrics metrics = impl_->controller->report().metrics;
  metrics.set("link_damped", impl_->is_damping);
  return metrics;
}

void ControlLoop::add_timing(Metrics& timing) const {
  impl_->cycles.add_to(timing, "control_cycle");
  impl_->jitter.add_to(timing, "jitter");
  timing.set("cycles_over_period", impl_->overruns);
  timing.set("missed_readings", impl_->missed_readings);
}

}  // namespace aplomb
