#include "aplomb/control/task_priority.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/control/joints/straight_legs.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;         // [s] between two ticks
constexpr double kTrackRate = 50.0;      // [1/s] at which an error of the CoM is closed
constexpr double kFeetRate = 150.0;      // [1/s] and of the feet, which fast joints turn by more than J q̇ dt says
constexpr double kLagging = 0.02;        // of the CoM's height: a reference that is so far away is not followed
constexpr double kReachShare = 0.5;      // of the soles' half size: where a CoM reference may be
constexpr double kStill = 1e-3;          // [rad/s] of joints: what is missing less than this, is met
constexpr double kUnmet = 0.2;           // of a row's velocity: when so much is missing, less is asked for,
constexpr double kLeastPatience = 0.05;  // down to this share,
constexpr double kGiveUp = 0.02, kTryAgain = 0.3;  // falling and rising with these time constants [s]

Eigen::VectorXd joints_of(const RobotState& state) { return state.q.tail(state.q.size() - 7); }

Eigen::Vector3d flat(const Eigen::Vector3d& v) { return {v.x(), v.y(), 0.0}; }
Eigen::Vector3d upright(const Eigen::Vector3d& v) { return {0.0, 0.0, v.z()}; }

double sole_length(const RobotModel& model) {
  const Sole& sole = *model.description().soles[kRight];
  return sole.x_max - sole.x_min;
}

std::vector<TaskSpec> with_trunk(const TaskPriority::Settings& settings, const RobotModel& model) {
  std::vector<TaskSpec> specs = settings.tasks;
  const Roles& roles = model.description().roles;
  if (!settings.is_trunk_upright) return specs;
  const std::string& trunk = !roles.trunk.empty() ? roles.trunk : model.tree().bodies.front().link;
  for (TaskSpec& spec : specs) {  // one that turns the trunk takes its place
    if (spec.link != trunk || spec.kind == TaskSpec::Kind::position || spec.kind == TaskSpec::Kind::joint) continue;
    spec.level = 0;
    return specs;
  }
  specs.push_back({.kind = TaskSpec::Kind::orientation, .link = trunk, .level = 0});
  return specs;
}

ZmpFeedback::Sway sway_of(const RobotModel& model, const ServoGains& servo, double height) {
  const BodySpring spring = BodySpring::of(model, servo);
  return ZmpFeedback::Sway::of_body(model.mass(), height, spring.stiffness, spring.damping);
}

ZmpFeedback::Gains gains_for(const TaskPriority::Settings& settings, double height, const ZmpFeedback::Sway& sway) {
  ZmpFeedback::Gains gains = ZmpFeedback::Gains::for_body(height, sway);
  gains.kp = settings.has_zmp_feedback ? settings.gain_scale * settings.zmp_kp.value_or(gains.kp) : 0.0;
  gains.kd_s = settings.zmp_kd_s.value_or(gains.kd_s);
  gains.bandwidth = settings.zmp_bandwidth.value_or(gains.bandwidth);
  return gains;
}

}  // namespace

TaskPriority::TaskPriority(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      settings_(settings),
      kinematics_(model, start, frames_of(with_trunk(settings, model), model)),
      height_(std::max(kinematics_.com().z() - kinematics_.sole_centre(kRight).z(), 1e-2)),
      servo_(ServoGains::for_robot(model, start, height_)),
      com_task_({.rate_per_s = kTrackRate, .speed = 0.3 * std::sqrt(kGravity * height_)}),
      load_cells_(model),
      zmp_feedback_(gains_for(settings, height_, sway_of(model, servo_, height_)), height_),
      com_way_({.speed = 0.15 * std::sqrt(kGravity * height_),
                .acceleration = 0.15 * sole_length(model) * kGravity / height_},
               flat(kinematics_.com())),
      com_height_({.speed = 0.15 * std::sqrt(kGravity * height_), .acceleration = 0.1 * kGravity},
                  upright(kinematics_.com())),
      bounds_(model, joints_of(start), settings.joint_margin, settings.joint_acceleration),
      hierarchy_(0, {}),
      problem_(0, {}),
      static_torque_(model),
      rates_(Eigen::VectorXd::Zero(model.num_joints())),
      increment_(model.num_joints()),
      comfort_(Eigen::VectorXd::Zero(model.num_joints())),
      comfort_angles_(joints_of(start)),
      comfort_factor_(model.num_joints()),
      drift_(model.num_joints()),
      strain_(model.num_joints()),
      pull_(Eigen::VectorXd::Zero(model.num_joints())),
      load_(Eigen::VectorXd::Zero(model.num_joints())),
      carries_body_(carries_body(model)),
      command_(model.num_joints()) {
  for (int side : {kLeft, kRight}) {
    const TaskGains move{.rate_per_s = kFeetRate, .speed = 0.3 * std::sqrt(kGravity * height_)};
    start_feet_[side] = kinematics_.pose(kinematics_.foot(side));
    foot_tasks_[side] =
        std::make_unique<PoseTask>(PoseTask::Part::pose, kinematics_.foot(side), std::nullopt, PoseTask::Reference{},
                                   kinematics_, move, TaskGains{.rate_per_s = kFeetRate, .speed = 2.0}, height_);
  }
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    const bool is_endless = !std::isfinite(joint.upper - joint.lower);
    const double range = is_endless ? 2.0 * std::numbers::pi : std::max(joint.upper - joint.lower, 1e-3);
    comfort_factor_[i] = std::min(2.0 * settings.comfort_gain / (range * range), 0.1 / kPeriod);
    if (settings.comfort == Comfort::middle && !is_endless) comfort_angles_[i] = 0.5 * (joint.upper + joint.lower);
  }
  for (const StraightLeg& leg : straight_legs(model, start))
    bounds_.keep_bent(leg.joint, leg.angle, start.q[7 + leg.joint]);
  add_levels();
  set_drives();
}

void TaskPriority::add_levels() {
  levels_.push_back({.tasks = {{foot_tasks_[kLeft].get(), 1.0}}, .rows = 6});
  levels_.push_back({.tasks = {{&com_task_, 1.0}}, .rows = 3});
  std::vector<TaskSpec> specs = with_trunk(settings_, *model_);
  std::ranges::stable_sort(specs, {}, &TaskSpec::level);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (i == 0 || specs[i].level != specs[i - 1].level) levels_.push_back({});
    user_tasks_.push_back(make_task(specs[i], *model_, kinematics_, height_));
    levels_.back().tasks.emplace_back(user_tasks_.back().get(), std::sqrt(specs[i].weight));
    levels_.back().rows += user_tasks_.back()->num_rows();
  }
  for (Level& level : levels_) level.patience = Eigen::VectorXd::Ones(level.rows);
  const int n = model_->num_joints();
  std::vector<HierarchyLevelSize> sizes = {{.bounded_rows = n}};
  for (const Level& level : levels_) sizes.push_back({.equality_rows = level.rows});
  problem_ = HierarchyProblem(n, sizes);
  problem_.levels[0].C.setIdentity();
  hierarchy_ = TaskHierarchy(n, sizes, {.rank_tolerance = kRankTolerance});
}

void TaskPriority::set_drives() {
  command_.stiffness = servo_.stiffness;
  command_.damping = servo_.damping;
  for (int i = 0; i < model_->num_joints(); ++i) {
    strain_[i] = command_.stiffness[i] / std::max(model_->joints()[static_cast<std::size_t>(i)].effort, 1e-9);
    drift_[i] = 0.05 + 3.0 * model_->joints()[static_cast<std::size_t>(i)].effort / command_.stiffness[i];
  }
  command_.position = kinematics_.joints();
}

const Command& TaskPriority::step(const SensorReadings& readings) {
  tick_.time_s = readings.time_s;
  load_cells_.update(readings);
  follow_references(readings.time_s);
  regulate_zmp(readings);
  want_comfort();
  if (solve(readings)) {
    increment_ = kPeriod * rates_;
    kinematics_.move(increment_);
    command_.status = CommandStatus::solved;
  } else {
    rates_.setZero();
    command_.status = CommandStatus::held_last_command;
  }
  write_command();
  report_.add(tick_);
  return command_;
}

void TaskPriority::follow_references(double time_s) {
  const int side = settings_.steps.reference_side(time_s, kinematics_.reference_side());
  if (side != kinematics_.reference_side()) kinematics_.stand_on(side);
  const int other = 1 - side;
  tick_.reference_side = side;
  StandingFeet feet;
  for (int i : {kLeft, kRight}) {
    const StepPlan::Foot planned = settings_.steps.at(i, time_s);
    is_lifted_[i] = planned.is_lifted;
    feet.midpoint += 0.5 * kinematics_.sole_centre(i);
    if (i != other) continue;
    Eigen::Isometry3d target = start_feet_[i];
    target.translation() += planned.offset;
    foot_tasks_[i]->track(target, planned.velocity);
  }
  levels_[0].tasks[0].first = foot_tasks_[other].get();

  ComTarget target = settings_.com_reference.at(time_s, feet);
  const Eigen::Vector2d inside = inside_support(target.position.head<2>(), kReachShare);
  tick_.is_out_of_reach = (inside - target.position.head<2>()).norm() > kLagging * height_;
  if (const Eigen::Vector2d beyond = target.position.head<2>() - inside; beyond.norm() > 0.0) {
    // What stays behind at the support's edge does not move outward either.
    const Eigen::Vector2d outward = beyond.normalized();
    target.velocity.head<2>() -= std::max(outward.dot(target.velocity.head<2>()), 0.0) * outward;
  }
  target.position.head<2>() = inside;
  const Eigen::Vector3d last_velocity = com_way_.velocity();
  const double ease = keep_within_means(target);
  com_way_.follow(flat(target.position), flat(target.velocity), kPeriod, ease);
  com_height_.follow(upright(target.position), upright(target.velocity), kPeriod, ease);
  tick_.reference_lag = std::hypot(com_way_.lag(), com_height_.lag());
  tick_.is_jumping = tick_.reference_lag > kLagging * height_;
  // The ZMP of that motion: p = c − h/g c̈.
  const Eigen::Vector3d acceleration = (com_way_.velocity() - last_velocity) / kPeriod;
  zmp_reference_ = (com_way_.position() - height_ / kGravity * acceleration).head<2>();
}

void TaskPriority::want_comfort() {
  // ε_j = −β 2 (q − q_med) / (q_max − q_min)²   (Galdeano et al. 2014, eq. 15, with the sign that attracts)
  comfort_ = comfort_factor_.cwiseProduct(comfort_angles_ - kinematics_.joints());
}

bool TaskPriority::solve(const SensorReadings& readings) {
  const auto joints = kinematics_.joints();
  bounds_.update(joints, rates_);
  const auto measured = readings.state.q.tail(joints.size());
  if (!readings.lost(Sensor::joint_position) && measured.allFinite()) {
    tick_.drift = (joints - measured).cwiseAbs().maxCoeff();
    pull_ = (joints - measured).cwiseProduct(strain_);
    tick_.strain = pull_.cwiseAbs().maxCoeff();
    bounds_.keep_near(joints, measured, drift_);
  }
  problem_.levels[0].lower = bounds_.lower() - comfort_;
  problem_.levels[0].upper = bounds_.upper() - comfort_;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    HierarchyLevel& level = problem_.levels[k + 1];
    int row = 0;
    for (const auto& [task, weight] : levels_[k].tasks) {
      const int rows = task->num_rows();
      task->write(kinematics_, readings.time_s, {level.A.middleRows(row, rows), level.b.segment(row, rows)});
      if (weight != 1.0) {
        level.A.middleRows(row, rows) *= weight;
        level.b.segment(row, rows) *= weight;
      }
      row += rows;
    }
    if (k > 0) level.b.array() *= levels_[k].patience.array();
    // The last level wants q̇ = comfort in what is left, and the hierarchy gives the shortest answer: so the unknown
    // is q̇ − comfort.
    level.b.noalias() -= level.A * comfort_;
  }
  if (hierarchy_.solve(problem_) != SolveStatus::solved) return false;
  rates_ = (hierarchy_.solution().x + comfort_).cwiseMax(bounds_.lower()).cwiseMin(bounds_.upper());
  for (std::size_t k = 1; k < levels_.size(); ++k) lose_patience(levels_[k], problem_.levels[k + 1], k + 1);
  tick_.damped_levels = tick_.active_bounds = 0;
  for (const HierarchyLevelReport& level : hierarchy_.solution().levels) tick_.damped_levels += level.damping > 0.0;
  for (BoundState state : hierarchy_.solution().levels[0].state) tick_.active_bounds += state != BoundState::free;
  return true;
}

/// What bounds or a lost rank keep from being met is asked for more and more gently: otherwise every joint that helps
/// ever so little would be driven to its bounds.
void TaskPriority::lose_patience(Level& level, const HierarchyLevel& rows, std::size_t index) {
  const Eigen::VectorXd& residual = hierarchy_.solution().levels[index].residual;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const double wanted = rows.b[i] + rows.A.row(i).dot(comfort_);
    const bool is_unmet = std::abs(residual[i]) > kUnmet * std::abs(wanted) + kStill * rows.A.row(i).norm();
    double& patience = level.patience[i];
    patience += is_unmet ? -kPeriod / kGiveUp * patience : kPeriod / kTryAgain * (1.0 - patience);
    patience = std::max(patience, kLeastPatience);
  }
}

void TaskPriority::write_command() {
  const double left = planned_left_share();
  const Eigen::VectorXd& torque = static_torque_.compute(kinematics_.terms(), {left, 1.0 - left});
  for (int i = 0; i < model_->num_joints(); ++i) {
    load_[i] =
        torque[i] / std::max(settings_.torque_scale * model_->joints()[static_cast<std::size_t>(i)].effort, 1e-9);
  }
  command_.position = kinematics_.joints();
  command_.velocity = rates_;
  if (model_->description().actuation.kind == Actuation::Kind::servo) {
    // τ = k (position − q) − d q̇ shall be the static torque at the commanded angle and speed.
    command_.position += (torque + command_.damping.cwiseProduct(rates_)).cwiseQuotient(command_.stiffness);
  } else {
    command_.torque = torque;
  }
}

LoopMargins TaskPriority::zmp_margins() const { return zmp_feedback_.margins(sway_of(*model_, servo_, height_)); }

}  // namespace aplomb
