#include "aplomb/link/messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "aplomb/link/message_bytes.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

constexpr int kJoints = 5;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Datagram {
  std::array<std::byte, kMostMessageBytes> bytes{};
  std::size_t size = 0;
  std::span<const std::byte> span() const { return std::span(bytes).first(size); }
  MessageFault fault() const {
    MessageHeader header;
    return read_header(span(), header);
  }
};

MessageHeader header(MessageKind kind) {
  return {.kind = kind, .session = 0x1234567890ABCDEF, .sequence = 42, .num_joints = kJoints};
}

Command random_command() {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Command command(kJoints);
  for (Eigen::VectorXd* values :
       {&command.torque, &command.position, &command.velocity, &command.stiffness, &command.damping}) {
    for (double& value : *values) value = normal(random);
  }
  command.status = CommandStatus::deadline_missed;
  command.foot_cop[kRight] = {0.1, -0.2};
  return command;
}

SensorReadings random_readings() {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  SensorReadings readings;
  readings.time_s = 1.25;
  readings.state.q = Eigen::VectorXd::NullaryExpr(7 + kJoints, [&] { return normal(random); });
  readings.state.v = Eigen::VectorXd::NullaryExpr(6 + kJoints, [&] { return normal(random); });
  for (auto* wrenches : {&readings.foot_wrench, &readings.hand_wrench, &readings.ankle_wrench}) {
    for (Wrench& wrench : *wrenches) {
      wrench.force = Eigen::Vector3d::NullaryExpr([&] { return normal(random); });
      wrench.moment = Eigen::Vector3d::NullaryExpr([&] { return normal(random); });
    }
  }
  readings.seat_wrench.force = {1.0, 2.0, 3.0};
  readings.imu_acceleration = {4.0, 5.0, 6.0};
  readings.imu_angular_velocity = {7.0, kNan, -std::numeric_limits<double>::infinity()};
  readings.foot_acceleration[kRight] = {8.0, 9.0, 10.0};
  readings.foot_angular_velocity[kLeft] = {11.0, 12.0, 13.0};
  for (auto& cells : readings.load_cells) cells = {14.0, 15.0, 16.0, normal(random)};
  readings.is_lost[0] = readings.is_lost[20] = true;
  readings.foot_motion[kRight] = {{17.0, 18.0, 19.0}, {20.0, 21.0, 22.0}};
  readings.has_foot_motion = true;
  return readings;
}

Datagram reading() {
  Datagram datagram;
  datagram.size = write_reading(header(MessageKind::reading), random_readings(), datagram.bytes);
  return datagram;
}

TEST(Messages, AReadingArrivesAsItWasSent) {
  const SensorReadings sent = random_readings();
  const Datagram datagram = reading();
  MessageHeader head;
  ASSERT_EQ(read_header(datagram.span(), head), MessageFault::none);
  EXPECT_EQ(head.kind, MessageKind::reading);
  EXPECT_EQ(head.session, 0x1234567890ABCDEF);
  EXPECT_EQ(head.sequence, 42u);
  ASSERT_EQ(head.num_joints, kJoints);
  SensorReadings read;
  read.state.q.resize(7 + kJoints);
  read.state.v.resize(6 + kJoints);
  read_reading(datagram.span(), read);
  EXPECT_EQ(read.time_s, sent.time_s);
  EXPECT_EQ(read.is_lost, sent.is_lost);
  EXPECT_EQ(read.state.q, sent.state.q);
  EXPECT_EQ(read.state.v, sent.state.v);
  for (const int side : {kLeft, kRight}) {
    EXPECT_EQ(read.foot_wrench[side].force, sent.foot_wrench[side].force);
    EXPECT_EQ(read.foot_wrench[side].moment, sent.foot_wrench[side].moment);
    EXPECT_EQ(read.hand_wrench[side].force, sent.hand_wrench[side].force);
    EXPECT_EQ(read.ankle_wrench[side].moment, sent.ankle_wrench[side].moment);
    EXPECT_EQ(read.foot_acceleration[side], sent.foot_acceleration[side]);
    EXPECT_EQ(read.foot_angular_velocity[side], sent.foot_angular_velocity[side]);
    EXPECT_EQ(read.load_cells[side], sent.load_cells[side]);
    EXPECT_EQ(read.foot_motion[side].velocity, sent.foot_motion[side].velocity);
    EXPECT_EQ(read.foot_motion[side].acceleration, sent.foot_motion[side].acceleration);
  }
  EXPECT_TRUE(read.has_foot_motion);
  EXPECT_EQ(read.seat_wrench.force, sent.seat_wrench.force);
  EXPECT_EQ(read.imu_acceleration, sent.imu_acceleration);
  EXPECT_TRUE(std::isnan(read.imu_angular_velocity.y()));  // a faulty sensor's NaN is a reading
  EXPECT_TRUE(std::isinf(read.imu_angular_velocity.z()));
}

TEST(Messages, ACommandArrivesAsItWasSent) {
  const Command sent = random_command();
  Datagram datagram;
  datagram.size = write_command(header(MessageKind::command), 41, sent, datagram.bytes);
  ASSERT_EQ(datagram.fault(), MessageFault::none);
  Command read(kJoints);
  EXPECT_EQ(read_command(datagram.span(), read), 41u);
  EXPECT_EQ(read.torque, sent.torque);
  EXPECT_EQ(read.position, sent.position);
  EXPECT_EQ(read.velocity, sent.velocity);
  EXPECT_EQ(read.stiffness, sent.stiffness);
  EXPECT_EQ(read.damping, sent.damping);
  EXPECT_EQ(read.status, sent.status);
  EXPECT_TRUE(std::isnan(read.foot_cop[kLeft].x()));
  EXPECT_EQ(read.foot_cop[kRight], sent.foot_cop[kRight]);
}

TEST(Messages, HelloWelcomeRefusalAndReportArriveAsTheyWereSent) {
  const RobotIdentity robot{.name = std::string(100, 'r'), .joints_digest = 77, .num_joints = kJoints};
  Datagram datagram;
  datagram.size = write_hello(header(MessageKind::hello), {.robot = robot, .controller = "mine\n"}, datagram.bytes);
  ASSERT_EQ(datagram.fault(), MessageFault::none);
  EXPECT_EQ(read_hello(datagram.span()).robot.name, std::string(63, 'r'));
  EXPECT_EQ(read_hello(datagram.span()).robot.num_joints, kJoints);
  EXPECT_EQ(read_hello(datagram.span()).controller, "mine?");  // what is printed is printable

  const Welcome welcome{.robot = robot, .scenario = "s", .control_period_s = 0.001, .is_lockstep = true};
  datagram.size = write_welcome(header(MessageKind::welcome), welcome, datagram.bytes);
  ASSERT_EQ(datagram.fault(), MessageFault::none);
  EXPECT_EQ(read_welcome(datagram.span()).control_period_s, 0.001);
  EXPECT_TRUE(read_welcome(datagram.span()).is_lockstep);
  EXPECT_EQ(read_welcome(datagram.span()).robot.joints_digest, 77u);

  datagram.size = write_refusal(header(MessageKind::refusal), {RefusalReason::other_robot, robot}, datagram.bytes);
  ASSERT_EQ(datagram.fault(), MessageFault::none);
  EXPECT_EQ(read_refusal(datagram.span()).reason, RefusalReason::other_robot);

  Metrics metrics;
  metrics.set("a_flag", true);
  metrics.set("a_count", std::int64_t{-5});
  metrics.set("a_number", 0.1);
  metrics.set("nothing", MetricValue{});
  metrics.set("a_text", std::string("word"));
  metrics.set("a_list", std::vector<double>{1.0});
  datagram.size = write_report(header(MessageKind::report), metrics, datagram.bytes);
  ASSERT_EQ(datagram.fault(), MessageFault::none);
  const Metrics read = read_report(datagram.span());
  EXPECT_EQ(read.find("a_list"), nullptr);
  for (const char* name : {"a_flag", "a_count", "a_number", "nothing", "a_text"}) {
    ASSERT_NE(read.find(name), nullptr) << name;
    EXPECT_EQ(*read.find(name), *metrics.find(name)) << name;
  }
}

TEST(Messages, AReportOfAnySizeFitsADatagram) {
  Metrics metrics;
  for (int i = 0; i < 2000; ++i) metrics.set("metric_" + std::to_string(i), 1.0 * i);
  Datagram datagram;
  datagram.size = write_report(header(MessageKind::report), metrics, datagram.bytes);
  EXPECT_EQ(datagram.fault(), MessageFault::none);
  EXPECT_GT(read_report(datagram.span()).entries().size(), 400u);
}

TEST(Messages, EveryChangedBitIsNoticed) {
  Datagram datagram = reading();
  for (std::size_t at = 0; at < datagram.size; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      datagram.bytes[at] ^= static_cast<std::byte>(1 << bit);
      EXPECT_NE(datagram.fault(), MessageFault::none) << at;
      datagram.bytes[at] ^= static_cast<std::byte>(1 << bit);
    }
  }
  EXPECT_EQ(datagram.fault(), MessageFault::none);
}

TEST(Messages, EveryOtherLengthIsRefused) {
  Datagram datagram = reading();
  const std::size_t size = datagram.size;
  for (datagram.size = 0; datagram.size < size + 50; ++datagram.size) {
    if (datagram.size != size) {
      EXPECT_NE(datagram.fault(), MessageFault::none) << datagram.size;
    }
  }
}

TEST(Messages, AnotherVersionIsNamedAsSuch) {
  Datagram datagram = reading();
  EXPECT_EQ(stated_version(datagram.span()), kLinkVersion);
  datagram.bytes[4] = std::byte{9};
  EXPECT_EQ(datagram.fault(), MessageFault::other_version);
  EXPECT_EQ(stated_version(datagram.span()), 9);
}

TEST(Messages, TheChecksumIsThatOfZlib) {
  constexpr std::string_view kText = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(kText.data(), kText.size()))), 0xCBF43926U);  // the check value of CRC-32
}

TEST(Messages, WritingAndReadingNeverAllocates) {
  SKIP_UNLESS_COUNTED();
  SensorReadings readings = random_readings();
  Command command = random_command();
  Datagram datagram;
  const test::AllocationCount allocations;
  datagram.size = write_reading(header(MessageKind::reading), readings, datagram.bytes);
  MessageHeader head;
  EXPECT_EQ(read_header(datagram.span(), head), MessageFault::none);
  read_reading(datagram.span(), readings);
  datagram.size = write_command(header(MessageKind::command), 1, command, datagram.bytes);
  EXPECT_EQ(read_header(datagram.span(), head), MessageFault::none);
  read_command(datagram.span(), command);
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
