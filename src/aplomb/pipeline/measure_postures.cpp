#include "aplomb/pipeline/measure_postures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/identify/postures.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/kinematics/stance.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// Uniform and normal numbers that are the same with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double within(double low, double high) { return low + (high - low) * unit(); }
  double normal(double deviation) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
    return deviation * radius * std::cos(2.0 * std::numbers::pi * unit());
  }
  double sign() { return unit() < 0.5 ? -1.0 : 1.0; }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  std::mt19937_64 engine_;
};

/// A joint that is moved, one a side, and how far.
struct Mover {
  std::vector<int> joints;
  double low = 0.0, high = 0.0;  ///< [rad]
};

/// From the half-sitting angle: `back` against its sign, the rest of `range` along it, inside the limits.
Mover mover(const RobotModel& robot, const RobotState& start, const std::vector<int>& joints, double range,
            double back) {
  Mover found{.joints = joints};
  const Joint& joint = robot.joints()[static_cast<std::size_t>(found.joints.front())];
  const double angle = start.q[7 + found.joints.front()];
  const double ends[] = {angle - std::copysign(back, angle), angle + std::copysign(range - back, angle)};
  constexpr double kFromLimit = 0.01;
  found.low = std::max(std::min(ends[0], ends[1]), joint.lower + kFromLimit);
  found.high = std::min(std::max(ends[0], ends[1]), joint.upper - kFromLimit);
  // A limit on one side: the range goes on at the other.
  if (found.high - found.low < range) found.low = std::max(joint.lower + kFromLimit, found.high - range);
  if (found.high - found.low < range) found.high = std::min(joint.upper - kFromLimit, found.low + range);
  return found;
}

std::vector<std::string> table_columns(const RobotModel& robot, bool has_torques) {
  std::vector<std::string> columns = {"posture"};
  for (const Joint& joint : robot.joints()) columns.push_back(angle_column(joint));
  if (has_torques) {
    for (const Joint& joint : robot.joints()) columns.push_back(torque_column(joint));
  }
  for (const char* foot : {"left_foot", "right_foot"}) {
    for (const char* part : {"cop_x_m", "cop_y_m", "fz_n"}) columns.push_back(fmt::format("{}_{}", foot, part));
  }
  return columns;
}

class Session {
 public:
  Session(const RobotModel& robot, const PostureExperiment& options)
      : robot_(robot),
        cad_(robot.has_cad() ? std::make_unique<const RobotModel>(robot.cad()) : nullptr),
        believed_(cad_ ? *cad_ : robot),
        options_(options),
        dice_(options.seed),
        start_(robot.posture("half_sitting")),
        terms_(believed_, {}) {
    const std::vector<std::vector<int>> joints = sagittal_joints(robot, start_);  // ankles, knees, hips, none, waist
    for (const std::vector<int>& sides : joints) sagittal_.insert(sagittal_.end(), sides.begin(), sides.end());
    movers_ = {mover(robot, start_, joints[2], 1.47, 0.10), mover(robot, start_, joints[1], 1.69, 0.10),
               mover(robot, start_, joints[0], 0.56, 0.28)};
    if (joints.size() > 4) movers_.push_back(mover(robot, start_, joints[4], 0.56, 0.28));
    zero_ = Eigen::VectorXd::Zero(robot.num_joints());
    // Both legs err alike: a bias that differs between the sides shows in the lateral CoP.
    for (const Mover& one : movers_) {
      const double bias = options.joint_zero_rad * dice_.sign();
      for (int joint : one.joints) zero_[joint] = bias;
    }
  }

  Log record(const std::function<void(double)>& on_progress) {
    Log log(table_columns(robot_, options_.measures_torques));
    int tries = 0, tries_here = 0;
    while (static_cast<int>(log.num_rows()) < options_.postures) {
      if (++tries > 400 * options_.postures) {
        throw InvalidValue(fmt::format("{} holds only {} postures of {} that were tried: its balance is too delicate",
                                       robot_.name(), log.num_rows(), tries));
      }
      // Each posture has its own part of the knees' range, so that deep ones are not drowned by those that stand
      // easily.
      part_ = ++tries_here > 200 ? dice_.within(0.0, 1.0)
                                 : (static_cast<double>(log.num_rows()) + dice_.within(0.0, 1.0)) / options_.postures;
      check_interrupt();
      const std::optional<RobotState> posture = draw();
      if (!posture || !hold(*posture)) continue;
      log.append(row(static_cast<double>(log.num_rows())));
      tries_here = 0;
      if (on_progress) on_progress(static_cast<double>(log.num_rows()));
    }
    return log;
  }

 private:
  std::optional<RobotState> draw() {
    RobotState state = start_;
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      const Mover& one = movers_[i];
      const double angle = i == kKnee ? one.low + part_ * (one.high - one.low) : dice_.within(one.low, one.high);
      for (int joint : one.joints) state.q[7 + joint] = angle;
    }
    if (options_.is_spatial) move_the_rest(state);
    robot_.stand_on_soles(state);
    if (options_.is_spatial && !lean(state)) return std::nullopt;
    const Eigen::Vector3d up = Eigen::Quaterniond(state.q.segment<4>(3)) * Eigen::Vector3d::UnitZ();
    if (up.z() < std::cos(kMostBend)) return std::nullopt;
    terms_.update(state);
    const auto& sole = robot_.description().soles[kLeft];
    const double half_length = 0.5 * (sole->x_max - sole->x_min) - options_.edge_margin_m;
    if (std::abs(terms_.com().x()) > half_length) return std::nullopt;  // the origin is midway between the soles
    return state;
  }

  /// Trunk, head and arms: within two thirds of their limits about half sitting, at most 0.8 rad.
  void move_the_rest(RobotState& state) {
    for (int joint = 0; joint < robot_.num_joints(); ++joint) {
      bool is_of_leg = std::ranges::find(sagittal_, joint) != sagittal_.end();
      for (const std::string& foot : robot_.description().roles.foot) {
        const std::vector<int> chain = robot_.joint_chain(robot_.frame(foot));
        is_of_leg = is_of_leg || std::ranges::find(chain, joint) != chain.end();
      }
      const Joint& limits = robot_.joints()[static_cast<std::size_t>(joint)];
      double& angle = state.q[7 + joint];
      const double low = std::max(0.67 * limits.lower, angle - 0.8), high = std::min(0.67 * limits.upper, angle + 0.8);
      if (!is_of_leg && low < high) angle = dice_.within(low, high);
    }
  }

  bool lean(RobotState& state) {
    terms_.update(state);
    Stance stance;
    const std::vector<Eigen::Isometry3d> soles = sole_poses(believed_, state);
    for (std::size_t side : {std::size_t{0}, std::size_t{1}}) stance.feet[side] = {.T_world_sole = soles[side]};
    stance.com = Eigen::Vector2d(terms_.com().x(), dice_.within(-0.05, 0.05));
    try {
      take_stance(believed_, stance, state);
    } catch (const InvalidValue&) {
      return false;
    }
    return true;
  }

  /// Holds the posture until the robot has been at rest for a while, and averages its sensors over that time. False
  /// when it tips, creeps or stands on an edge.
  bool hold(const RobotState& posture) {
    Simulation simulation(robot_, World{});
    JointPd controller(
        believed_, posture,
        {.leg_stiffness = kLegStiffness, .leg_damping = kLegDamping, .branch_frequency = kBranchFrequency});
    simulation.start(posture);
    SensorReadings readings;
    int quiet = 0;
    for (int tick = 0; tick < kMostTicks && quiet < kReadTicks; ++tick) {
      simulation.read(readings);
      const double speed = simulation.state().v.cwiseAbs().maxCoeff();
      if (tick > kSettleTicks && !(speed < kFall)) return false;
      quiet = tick >= kSettleTicks && speed < kRest ? quiet + 1 : 0;
      if (quiet < 2) clear_sums();
      if (quiet > 0) add(readings, simulation.joint_torque());
      simulation.step(controller.step(readings));
      if (!simulation.is_finite()) return false;
    }
    return quiet == kReadTicks && is_inside_soles() && simulation.touches_only_with_soles() &&
           simulation.num_warnings() == 0;
  }

  void clear_sums() {
    sum_q_ = Eigen::VectorXd::Zero(robot_.num_joints());
    sum_torque_ = Eigen::VectorXd::Zero(robot_.num_joints());
    for (auto& wrench : sum_wrench_) wrench = {};
  }

  void add(const SensorReadings& readings, const Eigen::VectorXd& torque) {
    sum_q_ += joint_positions(readings.state.q) / kReadTicks;
    sum_torque_ += torque / kReadTicks;
    for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      sum_wrench_[side].force += readings.foot_wrench[side].force / kReadTicks;
      sum_wrench_[side].moment += readings.foot_wrench[side].moment / kReadTicks;
    }
  }

  /// Whether the CoP of each foot keeps the margin to heel and toe: a foot on its edge is not level.
  bool is_inside_soles() const {
    for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const auto& sole = robot_.description().soles[side];
      const double x = centre_of_pressure(sum_wrench_[side], sole->z).x();
      if (!(x > sole->x_min + options_.edge_margin_m && x < sole->x_max - options_.edge_margin_m)) return false;
    }
    return true;
  }

  std::vector<double> row(double id) {
    std::vector<double> row = {id};
    for (int joint = 0; joint < robot_.num_joints(); ++joint) {
      row.push_back(sum_q_[joint] + zero_[joint] + dice_.normal(options_.joint_noise_rad));
    }
    if (options_.measures_torques) {
      for (int joint = 0; joint < robot_.num_joints(); ++joint) {
        row.push_back(sum_torque_[joint] + dice_.normal(options_.torque_noise_nm));
      }
    }
    // Two feet of equal load and independent noise: the net CoP has 1/√2 of one foot's deviation, the force √2.
    const double cop_noise = std::numbers::sqrt2 * options_.cop_noise_m,
                 force_noise = options_.force_noise_n / std::numbers::sqrt2;
    for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      Wrench wrench = sum_wrench_[side];
      wrench.moment.y() += options_.foot_moment_offset_nm;
      const Eigen::Vector2d cop = centre_of_pressure(wrench, robot_.description().soles[side]->z);
      row.push_back(cop.x() + dice_.normal(cop_noise));
      row.push_back(cop.y() + dice_.normal(cop_noise));
      row.push_back(wrench.force.z() + dice_.normal(force_noise));
    }
    return row;
  }

  static constexpr double kMostBend = 1.2;  // [rad], of the pelvis
  // Stiff joints, of the CAD's m g h and ω0: 40 N m of torque that the CAD lacks bend an ankle by 5 mrad, and a robot
  // that weighs half as much again still sways at four times the rate of its fall, well damped, so that it soon rests.
  static constexpr double kLegStiffness = 15.0, kLegDamping = 0.3, kBranchFrequency = 12.0;
  static constexpr int kSettleTicks = 250, kReadTicks = 100, kMostTicks = 2000;  // [ms]
  // Rates while the sensors are read: the CoM's mean acceleration is then below 0.04 m/s², the CoP within 4 mm of it at
  // the very worst.
  static constexpr double kRest = 0.002;   // [rad/s], [m/s]
  static constexpr double kFall = 0.1;     // [rad/s], [m/s]: a robot that is as fast after `kSettleTicks` tips
  static constexpr std::size_t kKnee = 1;  // of movers_
  const RobotModel& robot_;                ///< what stands in the laboratory
  std::unique_ptr<const RobotModel> cad_;  ///< nullptr when the robot names none
  const RobotModel& believed_;             ///< what postures are chosen and held with
  const PostureExperiment& options_;
  Dice dice_;
  double part_ = 0.0;  ///< of the knees' range, for the next posture
  RobotState start_;
  RobotTerms terms_;
  std::vector<Mover> movers_;
  std::vector<int> sagittal_;
  Eigen::VectorXd zero_, sum_q_, sum_torque_;
  std::array<Wrench, 2> sum_wrench_;
};

}  // namespace

Log measure_postures(const RobotModel& robot, const PostureExperiment& options,
                     const std::function<void(double)>& on_progress) {
  return Session(robot, options).record(on_progress);
}

std::vector<RobotState> stand_up_path(const RobotModel& robot) {
  const RobotState end = robot.posture("half_sitting");
  RobotState begin = end;
  const std::vector<int> hips = sagittal_joints(robot, end)[2];
  const bool can_sit = robot.description().postures.contains("seated");
  if (can_sit) begin = robot.posture("seated");
  constexpr double kBend = 0.8;  // [rad] of trunk, at the middle of the way
  constexpr int kSteps = 50;
  std::vector<RobotState> path;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    const double s = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
    RobotState state = end;
    joint_positions(state.q) = (1.0 - s) * joint_positions(begin.q) + s * joint_positions(end.q);
    // Up to the middle and back, each half a minimum jerk: the bend is of the hips, so that the feet stay where they
    // are.
    const double half = t < 0.5 ? 2.0 * t : 2.0 - 2.0 * t;
    const double bend = kBend * half * half * half * (10.0 - 15.0 * half + 6.0 * half * half);
    for (int hip : hips) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(hip)];
      double& angle = state.q[7 + hip];
      angle = std::clamp(angle + std::copysign(bend, end.q[7 + hip]), joint.lower, joint.upper);
    }
    robot.stand_on_soles(state);
    path.push_back(state);
  }
  return path;
}

}  // namespace aplomb
