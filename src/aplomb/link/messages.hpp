#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "aplomb/core/result.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

// The messages between a robot and a controller in a process of its own: one datagram each, of fixed layout, little
// endian, numbers as IEEE 754 doubles. docs/hardware.md has the layout byte by byte. Readers take untrusted bytes: a
// datagram is refused as a whole, or read without looking beyond its end. Nothing here allocates but read_report.

inline constexpr std::uint16_t kLinkVersion = 1;
inline constexpr std::size_t kMostMessageBytes = 61440;  ///< less than a UDP datagram can carry
inline constexpr int kMostLinkJoints = 256;

enum class MessageKind : std::uint16_t {
  hello = 1,     ///< controller: which robot it was made for
  welcome = 2,   ///< robot: accepted; the session that every later message carries
  refusal = 3,   ///< robot: not accepted, and why
  reading = 4,   ///< robot: what the sensors read in one tick; its sequence is the tick's number
  command = 5,   ///< controller: the joint command for one reading
  finished = 6,  ///< either: the last message of a session
  report = 7,    ///< controller: its metrics, in answer to `finished`
};

struct MessageHeader {
  MessageKind kind{};
  std::uint64_t session = 0;   ///< chosen by the robot; 0 in a hello
  std::uint64_t sequence = 0;  ///< counts up in each direction
  int num_joints = 0;
};

/// Why a datagram is not read.
enum class MessageFault { none, too_short, not_ours, other_version, unknown_kind, wrong_size, wrong_checksum };
std::string_view to_string(MessageFault fault);

/// Reads and checks the header: magic, version, kind, size (fixed by kind and number of joints), checksum.
MessageFault read_header(std::span<const std::byte> datagram, MessageHeader& header);
/// The version that a datagram of ours states, whatever else it is; 0 for bytes that are not ours.
std::uint16_t stated_version(std::span<const std::byte> datagram);

/// Which robot a message is about: two models of the same robot (other masses) have the same identity.
struct RobotIdentity {
  std::string name;                 ///< at most 63 bytes are sent
  std::uint64_t joints_digest = 0;  ///< of the joints' names, in order
  int num_joints = 0;
};

struct Hello {
  RobotIdentity robot;
  std::string controller;  ///< at most 63 bytes are sent
};

struct Welcome {
  RobotIdentity robot;
  std::string scenario;  ///< at most 63 bytes are sent
  double control_period_s = 0.0;
  bool is_lockstep = false;  ///< the robot waits for the answer to each reading
};

enum class RefusalReason : std::uint64_t { other_version = 1, other_robot = 2 };
struct Refusal {
  RefusalReason reason{};
  RobotIdentity robot;  ///< the one that is there
};

enum class FinishReason : std::uint64_t { ended = 1, interrupted = 2, controller_left = 3 };

// Each writes one datagram into `out`, which has room for kMostMessageBytes, and returns its size.
std::size_t write_hello(const MessageHeader& header, const Hello& hello, std::span<std::byte> out);
std::size_t write_welcome(const MessageHeader& header, const Welcome& welcome, std::span<std::byte> out);
std::size_t write_refusal(const MessageHeader& header, const Refusal& refusal, std::span<std::byte> out);
std::size_t write_reading(const MessageHeader& header, const SensorReadings& readings, std::span<std::byte> out);
/// `answers` is the sequence of the reading that the command was computed from.
std::size_t write_command(const MessageHeader& header, std::uint64_t answers, const Command& command,
                          std::span<std::byte> out);
std::size_t write_finished(const MessageHeader& header, FinishReason reason, std::span<std::byte> out);
/// Metrics that are lists are left out, and what does not fit.
std::size_t write_report(const MessageHeader& header, const Metrics& metrics, std::span<std::byte> out);

// Each reads a datagram whose header read_header has accepted, and whose kind is the function's.
Hello read_hello(std::span<const std::byte> datagram);
Welcome read_welcome(std::span<const std::byte> datagram);
Refusal read_refusal(std::span<const std::byte> datagram);
FinishReason read_finished(std::span<const std::byte> datagram);
Metrics read_report(std::span<const std::byte> datagram);
/// `readings.state` must have the sizes of the header's number of joints. Any double may be in it: a faulty sensor
/// reads NaN.
void read_reading(std::span<const std::byte> datagram, SensorReadings& readings);
/// `command` must have the sizes of the header's number of joints. Returns which reading it answers.
std::uint64_t read_command(std::span<const std::byte> datagram, Command& command);

}  // namespace aplomb
