#include "aplomb/identify/moving_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/identify/link_parameters.hpp"

namespace aplomb {
namespace {

constexpr int kBlocks = 5;
constexpr std::size_t kFewestInstants = 50;
constexpr double kSlow = 0.05;  // [rad/s] v_s: below 2.5 of it the sign of friction is not certain

/// The equations of one instant: K φ = known + Sᵀτ.
class Instant {
 public:
  Instant(const RobotModel& cad, const Sensors& sensors, const RegressorColumns& columns)
      : cad_(cad),
        sensors_(sensors),
        columns_(columns),
        motions_(cad),
        K_(cad.nv(), columns.size()),
        known_(cad.nv()) {}

  void compute(const Posture& instant) {
    motions_.update(instant.state, instant.acceleration);
    write_regressor(motions_, columns_, K_);
    known_.setZero();
    for (std::size_t i = 0; i < sensors_.contacts.size(); ++i) {
      const ContactSensor& sensor = sensors_.contacts[i];
      const Eigen::Isometry3d T = motions_.T_world_link(sensor.link);
      add_wrench(motions_, cad_.tree().links[static_cast<std::size_t>(sensor.link)].body, T.translation(),
                 T.linear() * instant.contacts[i].head<3>(), T.linear() * instant.contacts[i].tail<3>(), known_);
    }
  }
  const Eigen::MatrixXd& K() const { return K_; }
  const Eigen::VectorXd& known() const { return known_; }

 private:
  const RobotModel& cad_;
  const Sensors& sensors_;
  const RegressorColumns& columns_;
  BodyMotions motions_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd known_;
};

void refuse_partial(const PostureSet& set) {
  for (const ContactSensor& sensor : set.sensors.contacts) {
    if (sensor.kind == ContactSensor::Kind::wrench) continue;
    throw FileError({set.file.string(), 1},
                    fmt::format("moving data need the whole wrench of each contact; '{}' has a CoP", sensor.name));
  }
  if (set.postures.size() < kFewestInstants) {
    throw InvalidValue(fmt::format("{} has {} instants; moving data need at least {}", set.file.string(),
                                   set.postures.size(), kFewestInstants));
  }
}

std::size_t block_of(std::size_t instant, std::size_t count) { return instant * kBlocks / count; }

NormalEquations sum_of_all_but(const std::vector<NormalEquations>& blocks, int left_out) {
  NormalEquations sum(static_cast<int>(blocks.front().Atb.size()));
  for (int i = 0; i < kBlocks; ++i) {
    if (i == left_out) continue;
    const NormalEquations& block = blocks[static_cast<std::size_t>(i)];
    sum.AtA += block.AtA;
    sum.Atb += block.Atb;
    sum.btb += block.btb;
    sum.num_rows += block.num_rows;
  }
  return sum;
}

double squared_error(const NormalEquations& block, const Eigen::VectorXd& phi) {
  return std::max(0.0, phi.dot(block.AtA * phi) - 2.0 * phi.dot(block.Atb) + block.btb);
}

/// Friction of one joint: normal equations of (tanh(v/v_s), v, 1), with both coefficients kept at zero or above.
struct FrictionSum {
  Eigen::Matrix3d AtA = Eigen::Matrix3d::Zero();
  Eigen::Vector3d Atb = Eigen::Vector3d::Zero();
  double btb = 0.0, count = 0.0, ahead = 0.0, back = 0.0;

  void add(double rate, double residual) {
    if (std::abs(rate) < 2.5 * kSlow) return;
    const Eigen::Vector3d row(std::tanh(rate / kSlow), rate, 1.0);
    AtA += row * row.transpose();
    Atb += row * residual;
    btb += residual * residual;
    (rate > 0.0 ? ahead : back) += 1.0;
    count += 1.0;
  }

  JointFriction solve(int joint) const {
    JointFriction friction{.joint = joint, .is_seen = ahead > 5.0 && back > 5.0};
    if (!friction.is_seen) return friction;
    // A breath of a prior to zero: Coulomb and viscous friction look alike at one speed.
    const Eigen::Matrix3d ridge = 1e-6 * AtA.trace() * Eigen::Matrix3d::Identity();
    Eigen::Vector3d x = (AtA + ridge).ldlt().solve(Atb);
    for (int held : {0, 1}) {
      if (x[held] >= 0.0) continue;
      Eigen::Matrix3d A = AtA + ridge;
      Eigen::Vector3d b = Atb;
      A.row(held).setZero();
      A.col(held).setZero();
      A(held, held) = 1.0;
      b[held] = 0.0;
      x = A.ldlt().solve(b);
    }
    friction.coulomb = std::max(0.0, x[0]);
    friction.viscous = std::max(0.0, x[1]);
    friction.offset = x[2];
    return friction;
  }
};

void fit_friction(const PostureSet& set, Instant& instant, MovingFit& fit) {
  const std::vector<int>& joints = set.sensors.torque_joints;
  std::vector<FrictionSum> sums(joints.size());
  for (const Posture& posture : set.postures) {
    instant.compute(posture);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const int row = 6 + joints[i];
      const double rigid = instant.K().row(row).dot(fit.estimate.phi) - instant.known()[row];
      sums[i].add(posture.state.v[row], posture.torque[static_cast<Eigen::Index>(i)] - rigid);
    }
  }
  double square = 0.0, count = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    fit.friction.push_back(sums[i].solve(joints[i]));
    const Eigen::Vector3d x(fit.friction[i].coulomb, fit.friction[i].viscous, fit.friction[i].offset);
    square += std::max(0.0, x.dot(sums[i].AtA * x) - 2.0 * x.dot(sums[i].Atb) + sums[i].btb);
    count += sums[i].count;
  }
  fit.torque_rms = count > 0.0 ? std::sqrt(square / count) : 0.0;
}

/// The best weight by blocks left out, and the errors there.
void choose_weight(const std::vector<NormalEquations>& blocks, const EntropicPrior& prior, const Eigen::VectorXd& cad,
                   double row_scale, MovingFit& fit) {
  for (double exponent = 3.0; exponent > -3.1; exponent -= 1.0) fit.choice.weights.push_back(std::pow(10.0, exponent));
  fit.choice.errors.assign(fit.choice.weights.size(), 0.0);
  double cad_error = 0.0, rows = 0.0;
  for (int left_out = 0; left_out < kBlocks; ++left_out) {
    const NormalEquations training = sum_of_all_but(blocks, left_out);
    const NormalEquations& test = blocks[static_cast<std::size_t>(left_out)];
    Eigen::VectorXd phi = cad;
    for (std::size_t w = 0; w < fit.choice.weights.size(); ++w) {
      phi = entropic_estimate(training, prior, fit.choice.weights[w], phi).phi;
      fit.choice.errors[w] += squared_error(test, phi);
    }
    cad_error += squared_error(test, cad);
    rows += static_cast<double>(test.num_rows);
  }
  const auto best = std::ranges::min_element(fit.choice.errors);
  fit.choice.weight = fit.choice.weights[static_cast<std::size_t>(best - fit.choice.errors.begin())];
  fit.wrench_rms = row_scale * std::sqrt(*best / rows);
  fit.cad_wrench_rms = row_scale * std::sqrt(cad_error / rows);
}

}  // namespace

MovingFit fit_moving(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise) {
  refuse_partial(set);
  MovingFit fit;
  fit.columns = {.bodies = massive_bodies(cad), .per_body = kDynamicParameters};
  EntropicPrior prior;
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    prior.add_full(fit.columns.first(slot),
                   cad.tree().bodies[static_cast<std::size_t>(fit.columns.bodies[slot])].inertia);
  }
  // Forces and moments with one weight each: the sensors' own deviation, √ of their number.
  const double contacts = std::sqrt(static_cast<double>(set.sensors.contacts.size()));
  Vector6d weight;
  weight << Eigen::Vector3d::Constant(1.0 / (contacts * noise.force_n)),
      Eigen::Vector3d::Constant(1.0 / (contacts * noise.moment_nm));
  Instant instant(cad, set.sensors, fit.columns);
  std::vector<NormalEquations> blocks(kBlocks, NormalEquations(fit.columns.size()));
  for (std::size_t k = 0; k < set.postures.size(); ++k) {
    instant.compute(set.postures[k]);
    blocks[block_of(k, set.postures.size())].add(weight.asDiagonal() * instant.K().topRows<6>(),
                                                 weight.cwiseProduct(instant.known().head<6>()));
  }
  const Eigen::VectorXd start = parameters_of(cad, fit.columns);
  choose_weight(blocks, prior, start, contacts * noise.force_n, fit);
  fit.estimate = entropic_estimate(sum_of_all_but(blocks, -1), prior, fit.choice.weight, start);
  fit_friction(set, instant, fit);
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    fit.body_inertias[fit.columns.bodies[slot]] =
        to_inertia(LinkParameters(fit.estimate.phi.segment<10>(fit.columns.first(slot))));
  }
  return fit;
}

}  // namespace aplomb
