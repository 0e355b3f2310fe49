#include "aplomb/sim/mujoco/engine_terms.hpp"

#include "aplomb/sim/mujoco/engine.hpp"

namespace aplomb {

struct EngineTerms::Work {
  explicit Work(const RobotModel& robot) : engine(robot, World{}, 1e-3) {}
  Engine engine;
};

EngineTerms::EngineTerms(const RobotModel& robot) : work_(std::make_unique<Work>(robot)) {}
EngineTerms::~EngineTerms() = default;

double EngineTerms::mass() const { return mj_getTotalmass(&work_->engine.model()); }

void EngineTerms::update(const RobotState& state) {
  Engine& engine = work_->engine;
  engine.set_state(state);
  mj_forward(&engine.model(), engine.data.get());
  const Eigen::Index nv = state.v.size();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(nv, nv);
  mj_fullM(&engine.model(), engine.data.get(), M.data());
  // From world-frame to base-frame linear velocity of the base: v_engine = T v, so M = Tᵀ M_engine T.
  const Eigen::Matrix3d R_world_base = Eigen::Quaterniond(state.q.segment<4>(3)).toRotationMatrix();
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(nv, nv);
  T.topLeftCorner<3, 3>() = R_world_base;
  mass_matrix_ = T.transpose() * M * T;
  // v̇ = 0 in base axes is an acceleration R (ω × v) in world axes: h = Tᵀ h_engine + M (ω × v; 0).
  bias_ = T.transpose() * Eigen::Map<const Eigen::VectorXd>(engine.data->qfrc_bias, nv);
  Eigen::VectorXd turning = Eigen::VectorXd::Zero(nv);
  turning.head<3>() = state.v.segment<3>(3).cross(state.v.head<3>());
  bias_ += mass_matrix_ * turning;
  com_ = vector3(engine.data->subtree_com);
}

}  // namespace aplomb
