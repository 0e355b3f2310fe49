#include "aplomb/link/remote_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/link/realtime.hpp"
#include "aplomb/link/udp_socket.hpp"

namespace aplomb {
namespace {

constexpr double kPatience_s = 10.0;  // in lock step: a controller that answers nothing for so long has stopped
constexpr double kSlice_s = 0.1;      // between two looks at Ctrl-C
constexpr int kReportSlices = 20;     // 2 s for the report at the end

std::uint64_t draw_session() {
  std::random_device random;
  const std::uint64_t high = random();
  return std::max<std::uint64_t>((high << 32U) | random(), 1);
}

}  // namespace

RobotIdentity identity_of(const RobotModel& robot) {
  std::string names;
  for (const Joint& joint : robot.joints()) names += joint.name + "\n";
  RobotIdentity identity{.name = robot.name(), .num_joints = robot.num_joints()};
  for (const char digit : sha256(names).substr(0, 16)) {
    identity.joints_digest =
        (identity.joints_digest << 4U) | static_cast<std::uint64_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  return identity;
}

struct RemoteController::Impl {
  Impl(const RobotModel& robot, const LinkAddress& listen, const Settings& wanted)
      : robot_identity(identity_of(robot)),
        settings(wanted),
        socket(listen),
        gate(robot, wanted.gate),
        received(robot.num_joints()),
        clock(kControlPeriod) {
    if (robot.num_joints() > kMostLinkJoints) {
      throw InvalidValue(fmt::format("{} has {} joints; a link carries at most {}", robot.name(), robot.num_joints(),
                                     kMostLinkJoints));
    }
  }

  MessageHeader header(MessageKind kind) {
    return {.kind = kind, .session = session, .sequence = tick, .num_joints = robot_identity.num_joints};
  }
  void send_welcome() {
    const Welcome welcome{.robot = robot_identity,
                          .scenario = settings.scenario,
                          .control_period_s = kControlPeriod,
                          .is_lockstep = settings.is_lockstep};
    socket.send(std::span(out).first(write_welcome(header(MessageKind::welcome), welcome, out)));
  }
  void refuse(RefusalReason reason, const LinkAddress& to) {
    const Refusal refusal{.reason = reason, .robot = robot_identity};
    socket.send_to(std::span(out).first(write_refusal(header(MessageKind::refusal), refusal, out)), to);
  }
  bool is_welcome(const UdpSocket::Received& datagram, std::string& name);
  /// Receives one datagram and offers a command to the gate. False: none came in time, or there is nobody.
  bool take(double timeout_s);
  void await_command();
  void finish(FinishReason reason);

  RobotIdentity robot_identity;
  Settings settings;
  UdpSocket socket;
  CommandGate gate;
  Command received;
  TickClock clock;
  std::uint64_t session = 0, tick = 0;
  bool has_peer = false, is_peer_gone = false, is_finished = false;
  bool has_report = false;
  Metrics controller_metrics;
  CycleTimes round_trips, jitter;
  std::array<std::byte, kMostMessageBytes> out{}, in{};
};

RemoteController::RemoteController(const RobotModel& robot, const LinkAddress& listen, const Settings& settings)
    : impl_(std::make_unique<Impl>(robot, listen, settings)) {}

RemoteController::~RemoteController() { impl_->finish(FinishReason::interrupted); }

LinkAddress RemoteController::address() const { return impl_->socket.address(); }
const CommandGate& RemoteController::gate() const { return impl_->gate; }
const CycleTimes& RemoteController::round_trips() const { return impl_->round_trips; }
const CycleTimes& RemoteController::jitter() const { return impl_->jitter; }

bool RemoteController::Impl::is_welcome(const UdpSocket::Received& datagram, std::string& name) {
  const std::span<const std::byte> bytes = std::span(in).first(datagram.size);
  MessageHeader hello_header;
  const MessageFault fault = read_header(bytes, hello_header);
  if (fault == MessageFault::other_version) refuse(RefusalReason::other_version, datagram.from);
  if (fault != MessageFault::none || hello_header.kind != MessageKind::hello) return false;
  const Hello hello = read_hello(bytes);
  if (hello.robot.joints_digest != robot_identity.joints_digest ||
      hello.robot.num_joints != robot_identity.num_joints) {
    refuse(RefusalReason::other_robot, datagram.from);
    return false;
  }
  name = hello.controller;
  return true;
}

std::string RemoteController::wait_for_controller() {
  const double until = TickClock::now_s() + impl_->settings.wait_s;
  std::string name;
  while (TickClock::now_s() < until) {
    check_interrupt();
    const UdpSocket::Received datagram = impl_->socket.receive(impl_->in, kSlice_s);
    if (datagram.outcome != UdpSocket::Outcome::received || !impl_->is_welcome(datagram, name)) continue;
    impl_->session = draw_session();
    impl_->socket.connect_to(datagram.from);
    impl_->has_peer = true;
    impl_->send_welcome();
    impl_->clock = TickClock(kControlPeriod);
    return name;
  }
  throw InvalidValue(
      fmt::format("no controller came to {} within {:g} s; start `aplomb control --robot {} --controller "
                  "KIND --connect {}`, or give it longer with --wait",
                  address().text(), impl_->settings.wait_s, impl_->robot_identity.name, address().text()));
}

bool RemoteController::Impl::take(double timeout_s) {
  const UdpSocket::Received datagram = socket.receive(in, timeout_s);
  if (datagram.outcome == UdpSocket::Outcome::peer_gone) is_peer_gone = true;
  if (datagram.outcome != UdpSocket::Outcome::received) return false;
  is_peer_gone = false;
  const std::span<const std::byte> bytes = std::span(in).first(datagram.size);
  MessageHeader head;
  if (read_header(bytes, head) != MessageFault::none || head.num_joints != robot_identity.num_joints) return true;
  if (head.kind == MessageKind::hello) send_welcome();  // it has not heard the first one
  if (head.session != session) return true;
  if (head.kind == MessageKind::command) {
    const std::uint64_t answers = read_command(bytes, received);
    gate.offer(answers, received);
  } else if (head.kind == MessageKind::finished) {
    gate.controller_left();
  } else if (head.kind == MessageKind::report && is_finished) {
    controller_metrics = read_report(bytes);
    has_report = true;
  }
  return true;
}

/// Until the command that answers this tick's readings is there.
void RemoteController::Impl::await_command() {
  const double begin = TickClock::now_s();
  const double until = begin + (settings.is_lockstep ? kPatience_s : 0.5 * kControlPeriod);
  const std::int64_t refused = gate.counts().refused;
  while (gate.last_answered() < tick && !gate.is_damping() && !is_peer_gone) {
    if (settings.is_lockstep && gate.counts().refused > refused) return;  // an answer, though not one to apply
    const double left = until - TickClock::now_s();
    if (is_interrupted()) break;
    if (left <= 0.0) {
      // A controller that has stopped answers no other tick either: the robot does not wait ten seconds for each.
      is_peer_gone = settings.is_lockstep;
      break;
    }
    take(std::min(left, kSlice_s));
  }
  if (gate.last_answered() >= tick) round_trips.add(TickClock::now_s() - begin);
}

const Command& RemoteController::step(const SensorReadings& readings) {
  Impl& my = *impl_;
  ++my.tick;
  if (!my.settings.is_lockstep) my.jitter.add(my.clock.wait());
  if (!my.socket.send(std::span(my.out).first(write_reading(my.header(MessageKind::reading), readings, my.out)))) {
    my.is_peer_gone = true;
  }
  my.await_command();
  return my.gate.pass(my.tick, readings.state);
}

void RemoteController::Impl::finish(FinishReason reason) {
  if (is_finished || !has_peer) return;
  is_finished = true;
  const std::size_t size = write_finished(header(MessageKind::finished), reason, out);
  for (int slice = 0; slice < kReportSlices && !has_report && !is_peer_gone; ++slice) {
    if (!socket.send(std::span(out).first(size)) || reason == FinishReason::interrupted) return;
    const double until = TickClock::now_s() + kSlice_s;
    while (!has_report && !is_peer_gone && TickClock::now_s() < until) take(until - TickClock::now_s());
  }
}

ControllerReport RemoteController::report() const {
  impl_->finish(FinishReason::ended);
  const CommandGate::Counts& counts = impl_->gate.counts();
  const std::uint64_t damped = impl_->gate.damped_since();
  const auto seconds = [](std::uint64_t tick) { return static_cast<double>(tick - 1) * kControlPeriod; };
  ControllerReport report;
  report.metrics = impl_->controller_metrics;
  report.metrics.set("link_damped", damped != 0);
  report.metrics.set("link_damped_at_s", damped != 0 ? MetricValue(seconds(damped)) : MetricValue{});
  const std::uint64_t answered = impl_->gate.last_answered();
  report.metrics.set("link_last_command_s", answered != 0 ? MetricValue(seconds(answered)) : MetricValue{});
  report.metrics.set("link_late_commands", counts.late);
  report.metrics.set("link_limited_commands", counts.limited);
  report.metrics.set("link_refused_commands", counts.refused);
  if (damped != 0) {
    report.faults.push_back({.name = "command_lost",
                             .start_s = seconds(damped),
                             .fallback = "joints damped: no usable command came from the controller's process"});
  }
  if (!impl_->has_report) report.notes.emplace_back("the controller's process sent no report: its metrics are missing");
  return report;
}

void RemoteController::add_timing(Metrics& timing) const {
  impl_->round_trips.add_to(timing, "round_trip");
  impl_->jitter.add_to(timing, "jitter");
}

}  // namespace aplomb
