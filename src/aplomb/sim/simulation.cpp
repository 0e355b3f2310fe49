#include "aplomb/sim/simulation.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/sim/mujoco/contact_reader.hpp"
#include "aplomb/sim/mujoco/drive_model.hpp"
#include "aplomb/sim/mujoco/engine.hpp"
#include "aplomb/sim/mujoco/event_player.hpp"
#include "aplomb/sim/mujoco/joint_drives.hpp"
#include "aplomb/sim/mujoco/spring_contacts.hpp"

namespace aplomb {
namespace {

// Largest displacement of the base that may be needed for ground and seat to carry the robot [m], [rad]; contacts are
// compressed by fractions of a millimetre.
constexpr double kLargestShift = 5e-3;
constexpr int kMostSubsteps = 1000;  // for one control tick: bounds the time of a run

}  // namespace

struct Simulation::Parts {
  Parts(const RobotModel& robot, const World& world, const SimulationEvents& events, double timestep)
      : engine(robot, world, timestep),
        springs(robot, world, engine.built),
        player(robot, events, engine.built),
        contacts(robot, world, engine.built) {}

  Engine engine;
  SpringContacts springs;
  EventPlayer player;
  ContactReader contacts;
  std::optional<DriveModel> drives;  ///< absent: ideal
};

Simulation::Simulation(const RobotModel& robot, const World& world, const SimulationEvents& events, int substeps)
    : robot_(&robot),
      world_(world),
      parts_(std::make_unique<Parts>(robot, world_, events, kControlPeriod / substeps)),
      substeps_(substeps),
      state_(robot.neutral_state()),
      joint_torque_(Eigen::VectorXd::Zero(robot.num_joints())),
      notes_(parts_->engine.built.notes) {}

Simulation::~Simulation() = default;

double Simulation::time_s() const {
  // The engine adds up its steps, and the rounding of each: 4.99999999999995 s after five seconds. Ticks are counted.
  constexpr double kTicksPerSecond = 1000.0;
  static_assert(kControlPeriod * kTicksPerSecond == 1.0);
  return std::round(kTicksPerSecond * parts_->engine.data->time) / kTicksPerSecond;
}
double Simulation::total_mass() const {
  return parts_->engine.model().body_subtreemass[parts_->engine.built.body_of_tree.front()];
}
Eigen::Vector3d Simulation::push_force() const { return parts_->player.push_force(parts_->engine); }

int Simulation::num_warnings() const {
  int count = 0;
  for (const mjWarningStat& warning : parts_->engine.data->warning) count += warning.number;
  return count;
}

void Simulation::physics_step() {
  Engine& engine = parts_->engine;
  engine.move_supports(world_);
  parts_->player.apply(engine, parts_->springs);
  if (!parts_->springs.is_needed()) {
    mj_step(&engine.model(), engine.data.get());
    return;
  }
  mj_step1(&engine.model(), engine.data.get());
  parts_->springs.apply(engine);
  mj_step2(&engine.model(), engine.data.get());
}

void Simulation::set_drive_errors(const DriveErrors& errors, std::uint64_t seed) {
  if (errors == DriveErrors{}) return;
  parts_->drives.emplace(*robot_, errors, seed);
  parts_->drives->prepare(parts_->engine);
}

void Simulation::step(const Command& command) {
  const bool is_ideal = !parts_->drives;
  command_drives(*robot_, is_ideal ? command : parts_->drives->apply(command, state_, parts_->engine), parts_->engine);
  for (int i = 0; i < substeps_; ++i) physics_step();
  read_engine();
}

void Simulation::read_engine() {
  parts_->engine.get_state(state_);
  joint_torque_ = Eigen::Map<const Eigen::VectorXd>(parts_->engine.data->actuator_force, robot_->num_joints());
  const ContactWrenches wrenches = parts_->contacts.read(parts_->engine, parts_->springs);
  foot_wrench_ = wrenches.foot;
  hand_wrench_ = wrenches.hand;
  load_cells_ = wrenches.load_cells;
  seat_wrench_ = wrenches.seat;
  touches_only_with_soles_ = wrenches.only_soles;
}

void Simulation::read(SensorReadings& readings) const {
  readings.time_s = time_s();
  readings.state = state_;
  readings.foot_wrench = foot_wrench_;
  readings.hand_wrench = hand_wrench_;
  readings.seat_wrench = seat_wrench_;
  readings.load_cells = load_cells_;
  const mjtNum* sensors = parts_->engine.data->sensordata;
  readings.imu_acceleration = vector3(sensors + parts_->engine.built.imu_data[0]);
  readings.imu_angular_velocity = vector3(sensors + parts_->engine.built.imu_data[1]);
}

void Simulation::start(const RobotState& state) {
  Engine& engine = parts_->engine;
  mj_resetData(&engine.model(), engine.data.get());
  engine.set_state(state);
  engine.move_supports(world_);
  mj_forward(&engine.model(), engine.data.get());
  if (parts_->springs.is_needed()) {
    const double stable = parts_->springs.stable_step(engine);
    const double needed = std::ceil(kControlPeriod / stable);
    if (!(needed <= kMostSubsteps)) {
      throw InvalidValue(
          fmt::format("the contact springs are too stiff for a robot of {:.3g} kg: they need {:.3g} physics steps a "
                      "millisecond, and at most {} are made; lower stiffness_n_per_m or damping_n_s_per_m of floor, "
                      "walls or boxes",
                      robot_->mass(), needed, kMostSubsteps));
    }
    substeps_ = std::max(substeps_, static_cast<int>(needed));
    engine.model().opt.timestep = kControlPeriod / substeps_;
  }
  preload(state);
  std::fill_n(engine.data->qfrc_applied, engine.model().nv, 0.0);
  read_engine();
  joint_torque_.setZero();
  note_overlaps();
}

void Simulation::note_overlaps() {
  const mjModel& model = parts_->engine.model();
  const mjData& data = *parts_->engine.data;
  std::map<std::string, double> depths;  // by thing of the world
  for (int i = 0; i < data.ncon; ++i) {
    for (int geom : data.contact[i].geom) {
      const char* name = mj_id2name(&model, mjOBJ_GEOM, geom);
      const bool is_world = model.geom_bodyid[geom] < parts_->engine.built.body_of_tree.front();
      if (is_world && name != nullptr) depths[name] = std::max(depths[name], -data.contact[i].dist);
    }
  }
  for (const auto& [name, depth] : depths) {
    if (depth < kLargestShift) continue;
    notes_.push_back(
        fmt::format("the robot starts {:.0f} mm inside {}: the contact will push it out", 1e3 * depth, name));
  }
}

void Simulation::hold_still(const RobotState& state, const SeatOverlap& seat) {
  RobotTerms terms(*robot_, sole_frames(*robot_));
  terms.update(state);
  std::array<double, 2> shares{};
  double feet_x = 0.0;
  for (int side : {kLeft, kRight}) {
    if (!robot_->description().soles[side]) continue;
    const Eigen::Isometry3d T_world_foot =
        terms.frame(robot_->frame(robot_->description().roles.foot[side])).T_world_frame;
    const Eigen::Vector3d sole = T_world_foot * robot_->description().soles[side]->centre();
    if (std::abs((world_.ground_at(side, 0.0).inverse() * sole).z()) >= 2e-3) continue;
    shares[side] = 1.0;  // it touches
    feet_x += sole.x();
  }
  const double num_feet = shares[kLeft] + shares[kRight];
  if (num_feet == 0.0 && seat.count == 0) return;
  double on_feet = num_feet > 0.0 ? 1.0 / num_feet : 0.0;
  if (num_feet > 0.0 && seat.count > 0) {
    // A lever with the CoM between seat and feet.
    const double from_seat = terms.com().x() - seat.x, span = feet_x / num_feet - seat.x;
    on_feet *= span > 0.0 ? std::clamp(from_seat / span, 0.0, 1.0) : 1.0;
  }
  StaticTorque statics(*robot_);
  const Eigen::VectorXd torque = statics.compute(terms, {on_feet * shares[kLeft], on_feet * shares[kRight]});
  for (int i = 0; i < robot_->num_joints(); ++i) {
    parts_->engine.data->qfrc_applied[parts_->engine.built.joint_v[static_cast<std::size_t>(i)]] = torque[i];
  }
}

Eigen::Vector3d Simulation::base_acceleration(const RobotState& state, const Eigen::Vector3d& shift) {
  Engine& engine = parts_->engine;
  RobotState placed = state;
  placed.q[2] += shift[0];
  const Eigen::Quaterniond R_world_base(state.q.segment<4>(3));
  const Eigen::Quaterniond tilt =
      Eigen::AngleAxisd(shift[1], Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(shift[2], Eigen::Vector3d::UnitY());
  placed.q.segment<4>(3) = (tilt * R_world_base).coeffs();
  engine.set_state(placed);
  std::fill_n(engine.data->xfrc_applied, 6 * engine.model().nbody, 0.0);
  parts_->springs.release();
  mj_forward(&engine.model(), engine.data.get());
  if (parts_->springs.is_needed()) {
    parts_->springs.apply(engine);
    mj_forward(&engine.model(), engine.data.get());
  }
  const mjtNum* acceleration = engine.data->qacc + engine.built.base_v;
  const Eigen::Vector3d angular = R_world_base * vector3(acceleration + 3);
  return {acceleration[2], angular.x(), angular.y()};
}

RobotState Simulation::raised_onto_seat(RobotState state) {
  for (int i = 0; i < 10; ++i) {
    base_acceleration(state, Eigen::Vector3d::Zero());
    const double depth = parts_->contacts.seat_overlap(parts_->engine).depth;
    if (depth < kLargestShift) break;
    state.q[2] += depth;
  }
  return state;
}

void Simulation::preload(RobotState state) {
  // With the joints held by the torques of standing still, the base's acceleration (up, roll, pitch) depends on how
  // deep each corner is pressed in; Newton's method finds where it vanishes.
  if (world_.chair) state = raised_onto_seat(state);
  Eigen::Vector3d shift(-kLargestShift, 0.0, 0.0);
  base_acceleration(state, shift);
  hold_still(state, parts_->contacts.seat_overlap(parts_->engine));
  const bool touches = parts_->engine.data->ncon > 0 || !parts_->springs.on_feet()[kLeft].force.isZero() ||
                       !parts_->springs.on_feet()[kRight].force.isZero();
  // First the depth alone, by bisection: the deeper, the more it is pushed up.
  double deep = -kLargestShift, high = 0.0;
  for (int i = 0; touches && i < 40; ++i) {
    shift[0] = 0.5 * (deep + high);
    (base_acceleration(state, shift)[0] > 0.0 ? deep : high) = shift[0];
  }
  Eigen::Vector3d error = base_acceleration(state, shift);
  for (int iteration = 0; touches && iteration < 30 && error.norm() > 1e-6; ++iteration) {
    Eigen::Matrix3d jacobian;
    const double width = 1e-7;
    for (int i = 0; i < 3; ++i) {
      jacobian.col(i) = (base_acceleration(state, shift + width * Eigen::Vector3d::Unit(i)) - error) / width;
    }
    Eigen::Vector3d step = -jacobian.colPivHouseholderQr().solve(error);
    Eigen::Vector3d tried = base_acceleration(state, shift + step);
    // Half the step until it helps: a corner that leaves the ground bends the function.
    for (int halvings = 0; halvings < 10 && !(tried.norm() < error.norm()); ++halvings) {
      step *= 0.5;
      tried = base_acceleration(state, shift + step);
    }
    if (!(tried.norm() < error.norm())) break;
    shift += step;
    error = tried;
  }
  const bool found = touches && shift.cwiseAbs().maxCoeff() < kLargestShift;
  base_acceleration(state, found ? shift : Eigen::Vector3d::Zero());  // leaves the engine there
}

}  // namespace aplomb
