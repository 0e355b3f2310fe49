#include "aplomb/sim/simulation.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "aplomb/robot/statics.hpp"
#include "aplomb/sim/mujoco_model.hpp"

namespace aplomb {

struct Simulation::Engine {
  Engine(const RobotModel& robot, const World& world, double timestep)
      : built(build_mujoco_model(robot, world, timestep)), data(mj_makeData(built.model.get())) {}

  MujocoModel built;
  DataPtr data;
  std::vector<int> pushed_body;             ///< of each push
  std::vector<Eigen::Vector3d> push_point;  ///< of each push, in that body's frame
  std::array<Eigen::Isometry3d, 2> T_body_foot{Eigen::Isometry3d::Identity(), Eigen::Isometry3d::Identity()};
};

namespace {

Eigen::Map<const Eigen::Vector3d> vector3(const mjtNum* at) { return Eigen::Map<const Eigen::Vector3d>(at); }

Eigen::Matrix3d rotation(const mjtNum* row_major) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(row_major);
}

const LinkPlacement& placement_of(const RobotModel& robot, const std::string& link) {
  return robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
}

}  // namespace

Simulation::Simulation(const RobotModel& robot, const World& world, std::vector<Push> pushes, int substeps)
    : robot_(&robot),
      engine_(std::make_unique<Engine>(robot, world, kControlPeriod / substeps)),
      pushes_(std::move(pushes)),
      substeps_(substeps),
      state_(robot.neutral_state()),
      joint_torque_(Eigen::VectorXd::Zero(robot.num_joints())) {
  for (const Push& push : pushes_) {
    const LinkPlacement& placement = placement_of(robot, push.link);
    engine_->pushed_body.push_back(engine_->built.body_of_tree[static_cast<std::size_t>(placement.body)]);
    const Eigen::Vector3d point = push.point_in_link.value_or(robot.urdf().link(push.link).inertia.com);
    engine_->push_point.push_back(placement.T_body_link * point);
  }
  for (int side : {kLeft, kRight}) {
    if (!robot.description().soles[side]) continue;
    engine_->T_body_foot[side] = placement_of(robot, robot.description().roles.foot[side]).T_body_link;
  }
}

Simulation::~Simulation() = default;

double Simulation::time_s() const { return engine_->data->time; }
double Simulation::total_mass() const { return mj_getTotalmass(engine_->built.model.get()); }

int Simulation::num_warnings() const {
  int count = 0;
  for (const mjWarningStat& warning : engine_->data->warning) count += warning.number;
  return count;
}

void Simulation::set_state(const RobotState& state) {
  mjData& data = *engine_->data;
  const Eigen::Quaterniond R_world_base(state.q.segment<4>(3));
  Eigen::Map<Eigen::Vector3d>(data.qpos) = state.q.head<3>();
  data.qpos[3] = R_world_base.w();
  Eigen::Map<Eigen::Vector3d>(data.qpos + 4) = R_world_base.vec();
  // The engine wants the base's linear velocity in world axes, the angular one in its own.
  Eigen::Map<Eigen::Vector3d>(data.qvel) = R_world_base * state.v.head<3>();
  Eigen::Map<Eigen::Vector3d>(data.qvel + 3) = state.v.segment<3>(3);
  for (int i = 0; i < robot_->num_joints(); ++i) {
    data.qpos[engine_->built.joint_q[static_cast<std::size_t>(i)]] = state.q[7 + i];
    data.qvel[engine_->built.joint_v[static_cast<std::size_t>(i)]] = state.v[6 + i];
  }
}

void Simulation::read_state() {
  const mjData& data = *engine_->data;
  const Eigen::Quaterniond R_world_base(data.qpos[3], data.qpos[4], data.qpos[5], data.qpos[6]);
  state_.q.head<3>() = vector3(data.qpos);
  state_.q.segment<4>(3) = R_world_base.normalized().coeffs();
  state_.v.head<3>() = R_world_base.conjugate() * vector3(data.qvel);
  state_.v.segment<3>(3) = vector3(data.qvel + 3);
  for (int i = 0; i < robot_->num_joints(); ++i) {
    state_.q[7 + i] = data.qpos[engine_->built.joint_q[static_cast<std::size_t>(i)]];
    state_.v[6 + i] = data.qvel[engine_->built.joint_v[static_cast<std::size_t>(i)]];
  }
  joint_torque_ = Eigen::Map<const Eigen::VectorXd>(data.actuator_force, robot_->num_joints());
}

void Simulation::read_contacts() {
  const mjModel& model = *engine_->built.model;
  const mjData& data = *engine_->data;
  std::array<Wrench, 2> in_world;  // about the foot's origin
  touches_only_with_soles_ = true;
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    if (contact.efc_address < 0) continue;
    mjtNum force_in_contact[6];
    mj_contactForce(&model, &data, i, force_in_contact);
    const Eigen::Vector3d force = rotation(contact.frame).transpose() * vector3(force_in_contact);
    bool is_sole = false;
    for (int side : {kLeft, kRight}) {
      const int foot = engine_->built.foot_body[side];
      const bool is_second = model.geom_bodyid[contact.geom[1]] == foot;
      if (!is_second && model.geom_bodyid[contact.geom[0]] != foot) continue;
      is_sole = true;
      // The engine's force is what the first geom does to the second.
      const Eigen::Vector3d on_foot = is_second ? force : Eigen::Vector3d(-force);
      const Eigen::Vector3d origin =
          vector3(data.xpos + 3 * foot) + rotation(data.xmat + 9 * foot) * engine_->T_body_foot[side].translation();
      in_world[side].force += on_foot;
      in_world[side].moment += (vector3(contact.pos) - origin).cross(on_foot);
    }
    if (!is_sole) touches_only_with_soles_ = false;
  }
  for (int side : {kLeft, kRight}) {
    const int foot = std::max(engine_->built.foot_body[side], 0);
    const Eigen::Matrix3d R_world_foot = rotation(data.xmat + 9 * foot) * engine_->T_body_foot[side].linear();
    foot_wrench_[side].force = R_world_foot.transpose() * in_world[side].force;
    foot_wrench_[side].moment = R_world_foot.transpose() * in_world[side].moment;
  }
}

Eigen::Vector3d Simulation::push_force() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const Eigen::Vector3d force = pushes_[i].force_at(time_s());
    const bool is_in_world = pushes_[i].frame == Push::Frame::world;
    sum += is_in_world ? force : Eigen::Vector3d(rotation(engine_->data->xmat + 9 * engine_->pushed_body[i]) * force);
  }
  return sum;
}

void Simulation::apply_pushes() {
  mjData& data = *engine_->data;
  std::fill_n(data.xfrc_applied, 6 * engine_->built.model->nbody, 0.0);
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const int body = engine_->pushed_body[i];
    const Eigen::Matrix3d R_world_body = rotation(data.xmat + 9 * body);
    // The middle of the step decides, so that a push of n steps has n steps of impulse whatever the rounding.
    Eigen::Vector3d force = pushes_[i].force_at(data.time + 0.5 * engine_->built.model->opt.timestep);
    if (pushes_[i].frame == Push::Frame::link) force = R_world_body * force;
    const Eigen::Vector3d point = vector3(data.xpos + 3 * body) + R_world_body * engine_->push_point[i];
    Eigen::Map<Eigen::Vector3d>(data.xfrc_applied + 6 * body) += force;
    Eigen::Map<Eigen::Vector3d>(data.xfrc_applied + 6 * body + 3) +=
        (point - vector3(data.xipos + 3 * body)).cross(force);
  }
}

void Simulation::step(const Command& command) {
  mjModel& model = *engine_->built.model;
  mjData& data = *engine_->data;
  const bool is_servo = robot_->description().actuation.kind == Actuation::Kind::servo;
  for (int i = 0; i < robot_->num_joints(); ++i) {
    const double stiffness = is_servo ? robot_->description().actuation.stiffness : command.stiffness[i];
    const double damping = is_servo ? robot_->description().actuation.damping : command.damping[i];
    const double feed_forward = is_servo ? 0.0 : command.torque[i] + damping * command.velocity[i];
    model.actuator_biasprm[i * mjNBIAS + 1] = -stiffness;
    model.actuator_biasprm[i * mjNBIAS + 2] = -damping;
    data.ctrl[i] = feed_forward + stiffness * command.position[i];
  }
  for (int i = 0; i < substeps_; ++i) {
    apply_pushes();
    mj_step(&model, &data);
  }
  read_state();
  read_contacts();
}

void Simulation::read(SensorReadings& readings) const {
  readings.time_s = time_s();
  readings.state = state_;
  readings.foot_wrench = foot_wrench_;
}

void Simulation::start(const RobotState& state) {
  mj_resetData(engine_->built.model.get(), engine_->data.get());
  set_state(state);
  const bool stands =
      std::ranges::all_of(robot_->description().soles, [](const auto& sole) { return sole.has_value(); });
  if (stands) preload(state);
  mj_forward(engine_->built.model.get(), engine_->data.get());
  std::fill_n(engine_->data->qfrc_applied, engine_->built.model->nv, 0.0);
  read_state();
  read_contacts();
  joint_torque_.setZero();
}

void Simulation::hold_still(const RobotState& state) {
  RobotTerms terms(*robot_, sole_frames(*robot_));
  terms.update(state);
  StaticTorque statics(*robot_);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  for (int i = 0; i < robot_->num_joints(); ++i) {
    engine_->data->qfrc_applied[engine_->built.joint_v[static_cast<std::size_t>(i)]] = torque[i];
  }
}

Eigen::Vector3d Simulation::base_acceleration(const RobotState& state, const Eigen::Vector3d& shift) {
  RobotState placed = state;
  placed.q[2] += shift[0];
  const Eigen::Quaterniond R_world_base(state.q.segment<4>(3));
  const Eigen::Quaterniond tilt =
      Eigen::AngleAxisd(shift[1], Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(shift[2], Eigen::Vector3d::UnitY());
  placed.q.segment<4>(3) = (tilt * R_world_base).coeffs();
  set_state(placed);
  mj_forward(engine_->built.model.get(), engine_->data.get());
  const Eigen::Vector3d angular = R_world_base * vector3(engine_->data->qacc + 3);
  return {engine_->data->qacc[2], angular.x(), angular.y()};
}

void Simulation::preload(const RobotState& state) {
  // With the joints held by the torques of standing still on both feet, the base's acceleration (up, roll, pitch)
  // depends on how deep each corner is pressed in; Newton's method finds where it vanishes.
  constexpr double kLargestShift = 2e-3;  // [m], [rad]: a robot that needs more does not stand here
  hold_still(state);
  Eigen::Vector3d shift(-1e-4, 0.0, 0.0);
  Eigen::Vector3d error = base_acceleration(state, shift);
  const bool touches = engine_->data->ncon > 0;
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

Eigen::MatrixXd Simulation::mass_matrix_at(const RobotState& state) {
  set_state(state);
  mj_forward(engine_->built.model.get(), engine_->data.get());
  const int nv = robot_->nv();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(nv, nv);
  mj_fullM(engine_->built.model.get(), engine_->data.get(), M.data());
  // From world-frame to base-frame linear velocity of the base: v_engine = T v, M = Tᵀ M_engine T.
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(nv, nv);
  T.topLeftCorner<3, 3>() = Eigen::Quaterniond(state.q.segment<4>(3)).toRotationMatrix();
  return T.transpose() * M * T;
}

Eigen::VectorXd Simulation::bias_at(const RobotState& state) {
  const Eigen::MatrixXd M = mass_matrix_at(state);  // leaves the engine at `state`
  const int nv = robot_->nv();
  Eigen::VectorXd h = Eigen::Map<const Eigen::VectorXd>(engine_->data->qfrc_bias, nv);
  const Eigen::Matrix3d R_world_base = Eigen::Quaterniond(state.q.segment<4>(3)).toRotationMatrix();
  h.head<3>() = R_world_base.transpose() * h.head<3>();
  // v̇ = 0 in base axes is an acceleration R (ω × v) in world axes: h = Tᵀ h_engine + M (ω × v; 0).
  Eigen::VectorXd extra = Eigen::VectorXd::Zero(nv);
  extra.head<3>() = state.v.segment<3>(3).cross(state.v.head<3>());
  return h + M * extra;
}

Eigen::Vector3d Simulation::com_at(const RobotState& state) {
  set_state(state);
  mj_forward(engine_->built.model.get(), engine_->data.get());
  return vector3(engine_->data->subtree_com);
}

}  // namespace aplomb
