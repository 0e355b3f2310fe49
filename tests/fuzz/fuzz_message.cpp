#include "fuzz/fuzz_message.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "aplomb/link/message_bytes.hpp"
#include "aplomb/link/messages.hpp"

namespace aplomb::test {
namespace {

using Bytes = std::vector<std::byte>;

std::span<std::byte> room() {
  static std::array<std::byte, kMostMessageBytes> out{};
  return out;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_message: %s\n", what);
  std::abort();
}

void read(std::span<const std::byte> datagram) {
  stated_version(datagram);
  MessageHeader header;
  if (read_header(datagram, header) != MessageFault::none) return;
  switch (header.kind) {
    case MessageKind::hello:
      read_hello(datagram);
      break;
    case MessageKind::welcome:
      read_welcome(datagram);
      break;
    case MessageKind::refusal:
      read_refusal(datagram);
      break;
    case MessageKind::reading: {
      SensorReadings readings;
      readings.state.q.resize(7 + header.num_joints);
      readings.state.v.resize(6 + header.num_joints);
      read_reading(datagram, readings);
      // All its doubles, whatever their bits, are written as they were read.
      const std::size_t size = write_reading(header, readings, room());
      require(size == datagram.size() && std::ranges::equal(room().subspan(56, size - 56), datagram.subspan(56)),
              "another reading is written than was read");
      break;
    }
    case MessageKind::command: {
      Command command(header.num_joints);
      const std::uint64_t answers = read_command(datagram, command);
      const std::size_t size = write_command(header, answers, command, room());
      require(size == datagram.size() && std::ranges::equal(room().subspan(56, size - 56), datagram.subspan(56)),
              "another command is written than was read");
      break;
    }
    case MessageKind::finished:
      read_finished(datagram);
      break;
    case MessageKind::report: {
      const Metrics metrics = read_report(datagram);
      write_report(header, metrics, room());
      break;
    }
  }
}

}  // namespace

void fuzz_message(std::string_view bytes) {
  // Of exactly this size, so that a sanitizer sees a look beyond the end.
  Bytes datagram(bytes.size());
  std::ranges::transform(bytes, datagram.begin(), [](char byte) { return static_cast<std::byte>(byte); });
  read(datagram);
  if (datagram.size() < 40) return;
  MessageWriter(std::span(datagram).subspan(8)).u32(static_cast<std::uint32_t>(datagram.size()));
  MessageWriter(std::span(datagram).subspan(12)).u32(0);
  const std::uint32_t checksum = crc32(datagram);
  MessageWriter(std::span(datagram).subspan(12)).u32(checksum);
  read(datagram);
}

std::vector<std::string> message_seeds() {
  std::vector<std::string> seeds;
  constexpr int kJoints = 3;
  MessageHeader header{.session = 5, .sequence = 6, .num_joints = kJoints};
  const auto add = [&](std::size_t size) { seeds.emplace_back(reinterpret_cast<const char*>(room().data()), size); };
  const auto of = [&](MessageKind kind) {
    header.kind = kind;
    return header;
  };
  const RobotIdentity robot{.name = "robot", .joints_digest = 7, .num_joints = kJoints};
  add(write_hello(of(MessageKind::hello), {robot, "mine"}, room()));
  add(write_welcome(of(MessageKind::welcome), {robot, "stand", 0.001, true}, room()));
  add(write_refusal(of(MessageKind::refusal), {RefusalReason::other_robot, robot}, room()));
  SensorReadings readings;
  readings.state.q = Eigen::VectorXd::Constant(7 + kJoints, 0.5);
  readings.state.v = Eigen::VectorXd::Constant(6 + kJoints, -0.5);
  readings.is_lost[3] = true;
  add(write_reading(of(MessageKind::reading), readings, room()));
  add(write_command(of(MessageKind::command), 6, Command(kJoints), room()));
  add(write_finished(of(MessageKind::finished), FinishReason::ended, room()));
  Metrics metrics;
  metrics.set("fell", false);
  metrics.set("count", std::int64_t{3});
  metrics.set("law", std::string("full"));
  add(write_report(of(MessageKind::report), metrics, room()));
  return seeds;
}

}  // namespace aplomb::test
