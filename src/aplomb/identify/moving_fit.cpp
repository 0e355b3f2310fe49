#include "aplomb/identify/moving_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/identify/estimate/entropic_prior.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"

namespace aplomb {
namespace {

constexpr int kBlocks = 5;  // contiguous blocks of time for the hold-out: 80 % of the data for each estimate
constexpr std::size_t kMinInstants = 50;
constexpr double kTolerance = 1e-5;  // relative singular value below which a combination counts as unidentifiable
constexpr double kMinLoad = 10.0;    // [N]: a smaller load would make the moment of a CoP appear exact
// [rad/s] v_s of tanh(v/v_s). Rates below 2.5 v_s, where tanh < 0.99, are not used: their sign is within the noise of a
// differentiated encoder.
constexpr double kStictionRate = 0.05;

/// The equations of one instant, K φ = known + Sᵀτ, and their base rows W φ = y, whitened and with the directions of
/// unmeasured forces projected out.
class Instant {
 public:
  Instant(const RobotModel& cad, const Sensors& sensors, const RegressorColumns& columns, const MeasurementNoise& noise)
      : cad_(cad),
        sensors_(sensors),
        columns_(columns),
        noise_(noise),
        motions_(cad),
        K_(cad.nv(), columns.size()),
        known_(cad.nv()),
        direction_(cad.nv()) {}

  void compute(const Posture& instant) {
    motions_.update(instant.state, instant.acceleration);
    write_regressor(motions_, columns_, K_);
    known_.setZero();
    covariance_.setZero();
    unmeasured_.resize(6, 0);
    for (std::size_t i = 0; i < sensors_.contacts.size(); ++i) {
      if (sensors_.contacts[i].kind == ContactSensor::Kind::wrench) add_wrench_sensor(i, instant);
      if (sensors_.contacts[i].kind == ContactSensor::Kind::cop) add_cop_sensor(i, instant);
    }
  }

  void add_base_rows(NormalEquations& equations) const {
    const Eigen::MatrixXd N = directions_beside(unmeasured_);
    const Eigen::LLT<Eigen::MatrixXd> factor(N.transpose() * covariance_ * N);
    equations.add(factor.matrixL().solve(N.transpose() * K_.topRows<6>()),
                  factor.matrixL().solve(N.transpose() * known_.head<6>()));
  }
  const Eigen::MatrixXd& regressor() const { return K_; }
  const Eigen::VectorXd& known() const { return known_; }

 private:
  void add_wrench_sensor(std::size_t index, const Posture& instant) {
    const FrameId link = sensors_.contacts[index].link;
    const Eigen::Isometry3d T = motions_.link_pose(link);
    add_wrench(motions_, cad_.tree().links[static_cast<std::size_t>(link)].body, T.translation(),
               T.linear() * instant.contacts[index].head<3>(), T.linear() * instant.contacts[index].tail<3>(), known_);
    covariance_.diagonal().head<3>().array() += noise_.force_n * noise_.force_n;
    covariance_.diagonal().tail<3>().array() += noise_.moment_nm * noise_.moment_nm;
  }

  /// Adds a CoP sensor, which does not measure the friction forces and the moment about the normal.
  void add_cop_sensor(std::size_t index, const Posture& instant) {
    const ContactSensor& sensor = sensors_.contacts[index];
    const Vector6d& reading = instant.contacts[index];
    const Eigen::Isometry3d T = sensor.is_plate ? Eigen::Isometry3d::Identity() : motions_.link_pose(sensor.link);
    const int body = sensor.is_plate ? 0 : cad_.tree().links[static_cast<std::size_t>(sensor.link)].body;
    const Eigen::Vector3d point = T * Eigen::Vector3d(reading[0], reading[1], sensor.sole_z);
    const Eigen::Vector3d none = Eigen::Vector3d::Zero();
    add_wrench(motions_, body, point, reading[2] * T.linear().col(2), none, known_);
    const auto along = [&](int axis, bool is_moment) -> Vector6d {
      direction_.setZero();
      const Eigen::Vector3d axis_in_world = T.linear().col(axis);
      add_wrench(motions_, body, point, is_moment ? none : axis_in_world, is_moment ? axis_in_world : none, direction_);
      return direction_.head<6>();
    };
    unmeasured_.conservativeResize(6, unmeasured_.cols() + 3);
    unmeasured_.rightCols<3>() << along(0, false), along(1, false), along(2, true);
    const Vector6d force = noise_.vertical_force_n * along(2, false);
    covariance_ += force * force.transpose();
    for (int axis : {0, 1}) {
      const Vector6d moment = std::max(reading[2], kMinLoad) * noise_.cop_m * along(axis, true);
      covariance_ += moment * moment.transpose();
    }
  }

  const RobotModel& cad_;
  const Sensors& sensors_;
  const RegressorColumns& columns_;
  const MeasurementNoise& noise_;
  BodyMotions motions_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd known_, direction_;
  Matrix6Xd unmeasured_;                    ///< directions of unmeasured forces, base rows
  Eigen::Matrix<double, 6, 6> covariance_;  ///< covariance of `known_`, base rows
};

bool has_all_wrenches(const Sensors& sensors) {
  return std::ranges::all_of(sensors.contacts,
                             [](const ContactSensor& sensor) { return sensor.kind == ContactSensor::Kind::wrench; });
}

void refuse_few(const PostureSet& set) {
  if (set.postures.size() >= kMinInstants) return;
  throw InvalidValue(fmt::format("{} has {} instants; moving data need at least {}", set.file.string(),
                                 set.postures.size(), kMinInstants));
}

/// Throws FileError when the joints did not move: the data then identify at most the ten parameters of one rigid body.
void refuse_stiff(const PostureSet& set, const LeastSquares& plain) {
  if (plain.rank > kDynamicParameters) return;
  throw FileError(
      {set.file.string()},
      fmt::format("the {} instants are all alike: {} of {} parameter combinations are seen, no more than of "
                  "one rigid body, so that mass distributions cannot be distinguished; move the joints",
                  set.postures.size(), plain.rank, plain.scale.size()));
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
    if (std::abs(rate) < 2.5 * kStictionRate) return;
    const Eigen::Vector3d row(std::tanh(rate / kStictionRate), rate, 1.0);
    AtA += row * row.transpose();
    Atb += row * residual;
    btb += residual * residual;
    (rate > 0.0 ? ahead : back) += 1.0;
    count += 1.0;
  }

  JointFriction solve(int joint) const {
    JointFriction friction{.joint = joint, .is_seen = ahead > 5.0 && back > 5.0};
    if (!friction.is_seen) return friction;
    // A weak ridge to zero: at a single speed Coulomb and viscous friction cannot be separated.
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
  // Unmeasured contact forces would appear in the torques as friction.
  if (!has_all_wrenches(set.sensors)) return;
  const std::vector<int>& joints = set.sensors.torque_joints;
  std::vector<FrictionSum> sums(joints.size());
  for (const Posture& posture : set.postures) {
    instant.compute(posture);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const int row = 6 + joints[i];
      const double rigid = instant.regressor().row(row).dot(fit.estimate.phi) - instant.known()[row];
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

/// Chooses the prior weight with the smallest error on left-out blocks, and stores the errors.
void choose_weight(const std::vector<NormalEquations>& blocks, const EntropicPrior& prior, const Eigen::VectorXd& cad,
                   double row_scale, MovingFit& fit) {
  for (int decade = 3; decade >= -3; --decade) fit.choice.weights.push_back(std::pow(10.0, decade));
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

/// Scale of the columns: a link's mass for m, times its size for h, times its size squared for the inertia.
Eigen::VectorXd column_scale(const RobotModel& cad, const RegressorColumns& columns) {
  constexpr double kLinkSize = 0.2;  // [m]
  Eigen::VectorXd scale(columns.size());
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const double mass = cad.tree().bodies[static_cast<std::size_t>(columns.bodies[slot])].inertia.mass;
    scale.segment<10>(columns.first(slot)) << mass, Eigen::Vector3d::Constant(kLinkSize * mass),
        Eigen::Matrix<double, 6, 1>::Constant(kLinkSize * kLinkSize * mass);
  }
  return scale;
}

/// Adds the names of the parameters, and the prior of each link from its CAD.
void add_links(const RobotModel& cad, MovingFit& fit, EntropicPrior& prior) {
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    const RigidBody& body = cad.tree().bodies[static_cast<std::size_t>(fit.columns.bodies[slot])];
    for (const char* part : {"m", "hx", "hy", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"})
      fit.names.push_back(fmt::format("{}.{}", body.link, part));
    prior.add_full(fit.columns.first(slot), body.inertia);
  }
}

}  // namespace

MovingFit fit_moving(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise) {
  refuse_few(set);
  MovingFit fit;
  fit.columns = {.bodies = massive_bodies(cad), .per_body = kDynamicParameters};
  EntropicPrior prior;
  add_links(cad, fit, prior);
  Instant instant(cad, set.sensors, fit.columns, noise);
  std::vector<NormalEquations> blocks(kBlocks, NormalEquations(fit.columns.size()));
  for (std::size_t k = 0; k < set.postures.size(); ++k) {
    instant.compute(set.postures[k]);
    instant.add_base_rows(blocks[block_of(k, set.postures.size())]);
  }
  fit.cad = parameters_of(cad, fit.columns);
  const double force = has_all_wrenches(set.sensors) ? noise.force_n : noise.vertical_force_n;
  const NormalEquations all = sum_of_all_but(blocks, -1);
  fit.plain = least_squares(all, column_scale(cad, fit.columns), kTolerance);
  refuse_stiff(set, fit.plain);
  choose_weight(blocks, prior, fit.cad, force * std::sqrt(static_cast<double>(set.sensors.contacts.size())), fit);
  fit.estimate = entropic_estimate(all, prior, fit.choice.weight, fit.cad);
  if (!fit.estimate.is_converged)
    throw InvalidValue("the estimate did not converge; are the stated noise levels right?");
  fit_friction(set, instant, fit);
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    const LinkParameters link = fit.estimate.phi.segment<10>(fit.columns.first(slot));
    fit.body_inertias[fit.columns.bodies[slot]] = to_inertia(link);
    fit.num_infeasible += is_feasible(link) ? 0 : 1;
  }
  return fit;
}

}  // namespace aplomb
