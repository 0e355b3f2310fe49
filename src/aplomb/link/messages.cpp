#include "aplomb/link/messages.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "aplomb/link/message_bytes.hpp"

namespace aplomb {
namespace {

constexpr std::uint32_t kMagic = 0x4B4C5041;  // "APLK"
constexpr std::size_t kHeaderBytes = 40;
constexpr std::size_t kChecksumAt = 12;
constexpr std::size_t kIdentityBytes = 64 + 8;
constexpr std::size_t kMetricBytes = 64 + 8 + 8 + 64;
constexpr std::size_t kMostMetrics = (kMostMessageBytes - kHeaderBytes - 8) / kMetricBytes;

enum class MetricForm : std::uint64_t { null, flag, count, number, text };

constexpr std::uint64_t kHasFootMotion = std::uint64_t{1} << 63;  // in the flags of a reading; the others: lost sensors

std::size_t body_bytes(MessageKind kind, int num_joints, std::uint64_t num_metrics) {
  const auto joints = static_cast<std::size_t>(num_joints);
  switch (kind) {
    case MessageKind::hello:
      return kIdentityBytes + 64;
    case MessageKind::welcome:
      return kIdentityBytes + 64 + 8 + 8;
    case MessageKind::refusal:
      return kIdentityBytes + 8;
    case MessageKind::reading:
      // Time, flags, q and v, wrenches of feet, hands, seat and ankles, inertial units, load cells, motion of the feet.
      return 8 * (2 + (13 + 2 * joints) + 7 * 6 + 6 + 12 + 8 + 12);
    case MessageKind::command:
      return 8 * (2 + 5 * joints + 4);
    case MessageKind::finished:
      return 8;
    case MessageKind::report:
      return 8 + num_metrics * kMetricBytes;
  }
  return 0;
}

/// The header, with a checksum of zero until `seal` has written it.
MessageWriter begin(const MessageHeader& header, std::span<std::byte> out, std::uint64_t num_metrics = 0) {
  MessageWriter bytes(out);
  bytes.u32(kMagic);
  bytes.u16(kLinkVersion);
  bytes.u16(static_cast<std::uint16_t>(header.kind));
  bytes.u32(static_cast<std::uint32_t>(kHeaderBytes + body_bytes(header.kind, header.num_joints, num_metrics)));
  bytes.u32(0);
  bytes.u64(header.session);
  bytes.u64(header.sequence);
  bytes.u32(static_cast<std::uint32_t>(header.num_joints));
  bytes.u32(0);
  return bytes;
}

/// CRC of the datagram with zeros in the place of the checksum.
std::uint32_t checksum(std::span<const std::byte> datagram) {
  constexpr std::byte kZeros[4] = {};
  std::uint32_t crc = crc32(datagram.first(kChecksumAt));
  crc = crc32(kZeros, crc);
  return crc32(datagram.subspan(kChecksumAt + 4), crc);
}

std::size_t seal(std::span<std::byte> out, const MessageWriter& bytes) {
  const std::uint32_t crc = checksum(out.first(bytes.size()));
  MessageWriter(out.subspan(kChecksumAt)).u32(crc);
  return bytes.size();
}

MessageReader body(std::span<const std::byte> datagram) {
  MessageReader bytes(datagram);
  bytes.skip(kHeaderBytes);
  return bytes;
}

void write(MessageWriter& bytes, const RobotIdentity& robot) {
  bytes.text64(robot.name);
  bytes.u64(robot.joints_digest);
}

RobotIdentity read_identity(MessageReader& bytes, std::span<const std::byte> datagram) {
  MessageHeader header;
  read_header(datagram, header);
  RobotIdentity robot;
  robot.name = bytes.text64();
  robot.joints_digest = bytes.u64();
  robot.num_joints = header.num_joints;
  return robot;
}

void write(MessageWriter& bytes, const Wrench& wrench) {
  bytes.f64s(wrench.force);
  bytes.f64s(wrench.moment);
}

void read(MessageReader& bytes, Wrench& wrench) {
  bytes.f64s(wrench.force);
  bytes.f64s(wrench.moment);
}

void write_metric(MessageWriter& bytes, std::string_view name, const MetricValue& value) {
  bytes.text64(name);
  MetricForm form = MetricForm::null;
  double number = 0.0;
  std::string_view text;
  if (const auto* flag = std::get_if<bool>(&value)) {
    form = MetricForm::flag;
    number = *flag ? 1.0 : 0.0;
  } else if (const auto* count = std::get_if<std::int64_t>(&value)) {
    form = MetricForm::count;
    number = static_cast<double>(*count);
  } else if (const auto* real = std::get_if<double>(&value)) {
    form = MetricForm::number;
    number = *real;
  } else if (const auto* words = std::get_if<std::string>(&value)) {
    form = MetricForm::text;
    text = *words;
  }
  bytes.u64(static_cast<std::uint64_t>(form));
  bytes.f64(number);
  bytes.text64(text);
}

MetricValue read_value(std::uint64_t form, double number, std::string text) {
  switch (static_cast<MetricForm>(form)) {
    case MetricForm::flag:
      return number != 0.0;
    case MetricForm::count:
      // Beyond 2^53 a double does not count any more.
      return std::abs(number) <= 9007199254740992.0 ? MetricValue(static_cast<std::int64_t>(number)) : MetricValue{};
    case MetricForm::number:
      return std::isfinite(number) ? MetricValue(number) : MetricValue{};
    case MetricForm::text:
      return text;
    default:
      return {};
  }
}

}  // namespace

std::string_view to_string(MessageFault fault) {
  switch (fault) {
    case MessageFault::none:
      return "none";
    case MessageFault::too_short:
      return "shorter than a header";
    case MessageFault::not_ours:
      return "not a message of aplomb";
    case MessageFault::other_version:
      return "another version";
    case MessageFault::unknown_kind:
      return "unknown kind";
    case MessageFault::wrong_size:
      return "wrong size";
    case MessageFault::wrong_checksum:
      return "wrong checksum";
  }
  return "";
}

std::uint16_t stated_version(std::span<const std::byte> datagram) {
  if (datagram.size() < 8) return 0;
  MessageReader bytes(datagram);
  return bytes.u32() == kMagic ? bytes.u16() : std::uint16_t{0};
}

MessageFault read_header(std::span<const std::byte> datagram, MessageHeader& header) {
  if (datagram.size() < kHeaderBytes) return MessageFault::too_short;
  MessageReader bytes(datagram);
  if (bytes.u32() != kMagic) return MessageFault::not_ours;
  if (bytes.u16() != kLinkVersion) return MessageFault::other_version;
  const std::uint16_t kind = bytes.u16();
  if (kind < static_cast<std::uint16_t>(MessageKind::hello) || kind > static_cast<std::uint16_t>(MessageKind::report)) {
    return MessageFault::unknown_kind;
  }
  const std::uint32_t size = bytes.u32();
  const std::uint32_t stated_checksum = bytes.u32();
  header.kind = static_cast<MessageKind>(kind);
  header.session = bytes.u64();
  header.sequence = bytes.u64();
  const std::uint32_t joints = bytes.u32();
  if (joints > static_cast<std::uint32_t>(kMostLinkJoints)) return MessageFault::wrong_size;
  header.num_joints = static_cast<int>(joints);
  std::uint64_t num_metrics = 0;
  if (header.kind == MessageKind::report) {
    if (datagram.size() < kHeaderBytes + 8) return MessageFault::wrong_size;
    num_metrics = body(datagram).u64();
    if (num_metrics > kMostMetrics) return MessageFault::wrong_size;
  }
  const std::size_t expected = kHeaderBytes + body_bytes(header.kind, header.num_joints, num_metrics);
  if (size != expected || datagram.size() != expected) return MessageFault::wrong_size;
  return checksum(datagram) == stated_checksum ? MessageFault::none : MessageFault::wrong_checksum;
}

std::size_t write_hello(const MessageHeader& header, const Hello& hello, std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  write(bytes, hello.robot);
  bytes.text64(hello.controller);
  return seal(out, bytes);
}

std::size_t write_welcome(const MessageHeader& header, const Welcome& welcome, std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  write(bytes, welcome.robot);
  bytes.text64(welcome.scenario);
  bytes.f64(welcome.control_period_s);
  bytes.u64(welcome.is_lockstep ? 1 : 0);
  return seal(out, bytes);
}

std::size_t write_refusal(const MessageHeader& header, const Refusal& refusal, std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  write(bytes, refusal.robot);
  bytes.u64(static_cast<std::uint64_t>(refusal.reason));
  return seal(out, bytes);
}

std::size_t write_reading(const MessageHeader& header, const SensorReadings& readings, std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  bytes.f64(readings.time_s);
  std::uint64_t flags = readings.has_foot_motion ? kHasFootMotion : 0;
  for (std::size_t i = 0; i < readings.is_lost.size(); ++i) flags |= std::uint64_t{readings.is_lost[i]} << i;
  bytes.u64(flags);
  bytes.f64s(readings.state.q);
  bytes.f64s(readings.state.v);
  for (const Wrench& wrench : readings.foot_wrench) write(bytes, wrench);
  for (const Wrench& wrench : readings.hand_wrench) write(bytes, wrench);
  write(bytes, readings.seat_wrench);
  for (const Wrench& wrench : readings.ankle_wrench) write(bytes, wrench);
  bytes.f64s(readings.imu_acceleration);
  bytes.f64s(readings.imu_angular_velocity);
  for (const Eigen::Vector3d& acceleration : readings.foot_acceleration) bytes.f64s(acceleration);
  for (const Eigen::Vector3d& rate : readings.foot_angular_velocity) bytes.f64s(rate);
  for (const auto& cells : readings.load_cells) {
    for (const double force : cells) bytes.f64(force);
  }
  for (const FootMotion& motion : readings.foot_motion) {
    bytes.f64s(motion.velocity);
    bytes.f64s(motion.acceleration);
  }
  return seal(out, bytes);
}

void read_reading(std::span<const std::byte> datagram, SensorReadings& readings) {
  MessageReader bytes = body(datagram);
  readings.time_s = bytes.f64();
  const std::uint64_t flags = bytes.u64();
  for (std::size_t i = 0; i < readings.is_lost.size(); ++i) readings.is_lost[i] = ((flags >> i) & 1U) != 0;
  readings.has_foot_motion = (flags & kHasFootMotion) != 0;
  bytes.f64s(readings.state.q);
  bytes.f64s(readings.state.v);
  for (Wrench& wrench : readings.foot_wrench) read(bytes, wrench);
  for (Wrench& wrench : readings.hand_wrench) read(bytes, wrench);
  read(bytes, readings.seat_wrench);
  for (Wrench& wrench : readings.ankle_wrench) read(bytes, wrench);
  bytes.f64s(readings.imu_acceleration);
  bytes.f64s(readings.imu_angular_velocity);
  for (Eigen::Vector3d& acceleration : readings.foot_acceleration) bytes.f64s(acceleration);
  for (Eigen::Vector3d& rate : readings.foot_angular_velocity) bytes.f64s(rate);
  for (auto& cells : readings.load_cells) {
    for (double& force : cells) force = bytes.f64();
  }
  for (FootMotion& motion : readings.foot_motion) {
    bytes.f64s(motion.velocity);
    bytes.f64s(motion.acceleration);
  }
}

std::size_t write_command(const MessageHeader& header, std::uint64_t answers, const Command& command,
                          std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  bytes.u64(answers);
  bytes.u64(static_cast<std::uint64_t>(command.status));
  bytes.f64s(command.torque);
  bytes.f64s(command.position);
  bytes.f64s(command.velocity);
  bytes.f64s(command.stiffness);
  bytes.f64s(command.damping);
  for (const Eigen::Vector2d& cop : command.foot_cop) bytes.f64s(cop);
  return seal(out, bytes);
}

std::uint64_t read_command(std::span<const std::byte> datagram, Command& command) {
  MessageReader bytes = body(datagram);
  const std::uint64_t answers = bytes.u64();
  // A status of a later version is one that this version does not know: the least good one.
  const std::uint64_t status = bytes.u64();
  const bool is_known = status <= static_cast<std::uint64_t>(CommandStatus::deadline_missed);
  command.status = is_known ? static_cast<CommandStatus>(status) : CommandStatus::solve_failed;
  bytes.f64s(command.torque);
  bytes.f64s(command.position);
  bytes.f64s(command.velocity);
  bytes.f64s(command.stiffness);
  bytes.f64s(command.damping);
  for (Eigen::Vector2d& cop : command.foot_cop) bytes.f64s(cop);
  return answers;
}

std::size_t write_finished(const MessageHeader& header, FinishReason reason, std::span<std::byte> out) {
  MessageWriter bytes = begin(header, out);
  bytes.u64(static_cast<std::uint64_t>(reason));
  return seal(out, bytes);
}

std::size_t write_report(const MessageHeader& header, const Metrics& metrics, std::span<std::byte> out) {
  const auto is_sent = [](const auto& entry) { return !std::holds_alternative<std::vector<double>>(entry.second); };
  const auto sent = static_cast<std::size_t>(std::ranges::count_if(metrics.entries(), is_sent));
  std::size_t left = std::min(sent, kMostMetrics);
  MessageWriter bytes = begin(header, out, left);
  bytes.u64(left);
  for (const auto& entry : metrics.entries()) {
    if (left == 0 || !is_sent(entry)) continue;
    write_metric(bytes, entry.first, entry.second);
    --left;
  }
  return seal(out, bytes);
}

Hello read_hello(std::span<const std::byte> datagram) {
  MessageReader bytes = body(datagram);
  Hello hello;
  hello.robot = read_identity(bytes, datagram);
  hello.controller = bytes.text64();
  return hello;
}

Welcome read_welcome(std::span<const std::byte> datagram) {
  MessageReader bytes = body(datagram);
  Welcome welcome;
  welcome.robot = read_identity(bytes, datagram);
  welcome.scenario = bytes.text64();
  welcome.control_period_s = bytes.f64();
  welcome.is_lockstep = bytes.u64() != 0;
  return welcome;
}

Refusal read_refusal(std::span<const std::byte> datagram) {
  MessageReader bytes = body(datagram);
  Refusal refusal;
  refusal.robot = read_identity(bytes, datagram);
  refusal.reason = bytes.u64() == static_cast<std::uint64_t>(RefusalReason::other_version)
                       ? RefusalReason::other_version
                       : RefusalReason::other_robot;
  return refusal;
}

FinishReason read_finished(std::span<const std::byte> datagram) {
  const std::uint64_t reason = body(datagram).u64();
  return reason == static_cast<std::uint64_t>(FinishReason::ended)         ? FinishReason::ended
         : reason == static_cast<std::uint64_t>(FinishReason::interrupted) ? FinishReason::interrupted
                                                                           : FinishReason::controller_left;
}

Metrics read_report(std::span<const std::byte> datagram) {
  MessageReader bytes = body(datagram);
  Metrics metrics;
  for (std::uint64_t left = bytes.u64(); left > 0; --left) {
    const std::string name = bytes.text64();
    const std::uint64_t form = bytes.u64();
    const double number = bytes.f64();
    metrics.set(name, read_value(form, number, bytes.text64()));
  }
  return metrics;
}

}  // namespace aplomb
