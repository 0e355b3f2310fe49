#include "aplomb/identify/sensor_bias.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/identify/model/sagittal_model.hpp"

namespace aplomb {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kOffset = 3.0;  // [N m]: typical zero drift of a six-axis foot sensor, and the prior deviation
constexpr int kRounds = 3;       // linearisations; the remaining error is far below the noise

/// A hypothetical constant error: `add` adds the given number of units of it to the readings of a posture.
struct Candidate {
  std::string name, unit;
  double size = 1.0;  ///< size of one unit, in `unit`
  std::function<void(Posture&, double)> add;
};

class BiasTrial {
 public:
  BiasTrial(const RobotModel& cad, const PostureSet& set, const Identification& found, const IdentifyOptions& options,
            Eigen::VectorXd phi)
      : cad_(cad), set_(set), found_(found), noise_(options.noise), phi_(std::move(phi)) {
    noise_.joint_rad = 0.0;  // the same row weights with and without the error, from the force sensors alone
    before_ = make_problem(cad, found, set, noise_);
  }

  const StaticProblem& before() const { return before_; }
  Eigen::VectorXd residual(std::size_t k) const { return before_.rows[k].W * phi() - before_.rows[k].y; }
  const Eigen::VectorXd& phi() const { return phi_; }

  /// δ: change of each posture's residuals by one unit of the error.
  std::vector<Eigen::VectorXd> effect(const Candidate& candidate) const {
    const StaticProblem after = make_problem(cad_, found_, disturbed(cad_, set_, candidate, 1.0), noise_);
    std::vector<Eigen::VectorXd> change;
    for (std::size_t k = 0; k < before_.rows.size(); ++k)
      change.emplace_back(after.rows[k].W * phi() - after.rows[k].y - residual(k));
    return change;
  }

  SensorBias judge(const Candidate& candidate) const {
    // The parameter change dφ that absorbs most of δ: min |W dφ + δ|².
    const std::vector<Eigen::VectorXd> change = effect(candidate);
    NormalEquations hiding(before_.num_parameters());
    double squares = 0.0;
    for (std::size_t k = 0; k < change.size(); ++k) {
      hiding.add(before_.rows[k].W, -change[k]);
      squares += residual(k).squaredNorm();
    }
    const LeastSquares hidden = least_squares(hiding, found_.plain.scale, 1e-5);
    const double left = std::max(0.0, hidden.variance * static_cast<double>(hidden.freedom));
    SensorBias bias{.name = fmt::format("{}, {:g} {}", candidate.name, candidate.size, candidate.unit)};
    bias.visible = hiding.btb > 0.0 ? std::sqrt(std::min(1.0, left / hiding.btb)) : 0.0;
    bias.residual_growth = std::sqrt((squares + left) / squares);
    double sum = 0.0;
    for (const CopPrediction& cop : before_.cops) {
      const double mass = before_.mass.dot(phi()), com = cop.moments.row(0).dot(phi()) / mass;
      sum += std::pow((cop.moments.row(0) - com * before_.mass).dot(hidden.phi) / mass, 2);
    }
    bias.com_shift_m = std::sqrt(sum / static_cast<double>(before_.cops.size()));
    return bias;
  }

  static PostureSet disturbed(const RobotModel& cad, const PostureSet& set, const Candidate& candidate, double units) {
    PostureSet biased = set;
    for (Posture& posture : biased.postures) {
      candidate.add(posture, units);
      place_base(cad, set.sensors.has_orientation, posture.state);
    }
    return biased;
  }

 private:
  const RobotModel& cad_;
  const PostureSet& set_;
  const Identification& found_;
  MeasurementNoise noise_;
  Eigen::VectorXd phi_;
  StaticProblem before_;
};

/// Joints whose zero may be wrong: those between the sagittal links, both sides together, or else each joint that
/// moves.
std::vector<std::vector<int>> tried_joints(const RobotModel& cad, const PostureSet& set, const Identification& found) {
  std::vector<std::vector<int>> tried;
  if (found.sagittal) {
    for (const SagittalModel::Link& link : found.sagittal->links()) {
      if (link.frame_bodies.front() == 0) continue;
      tried.emplace_back();
      for (int body : link.frame_bodies) tried.back().push_back(body - 1);
    }
    return tried;
  }
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    double low = 1e9, high = -1e9;
    for (const Posture& posture : set.postures) {
      low = std::min(low, posture.state.q[7 + joint]);
      high = std::max(high, posture.state.q[7 + joint]);
    }
    if (high - low > 0.3) tried.push_back({joint});
  }
  return tried;
}

std::vector<Candidate> candidates(const RobotModel& cad, const PostureSet& set, const Identification& found) {
  std::vector<Candidate> all;
  for (const std::vector<int>& joints : tried_joints(cad, set, found)) {
    std::string name = "zero of " + cad.joints()[static_cast<std::size_t>(joints.front())].name;
    if (joints.size() > 1) name += " and " + cad.joints()[static_cast<std::size_t>(joints.back())].name;
    all.push_back({.name = name, .unit = "degree", .add = [joints](Posture& posture, double units) {
                     for (int joint : joints) posture.state.q[7 + joint] += units * kDegree;
                   }});
  }
  for (std::size_t k = 0; k < set.sensors.contacts.size(); ++k) {
    const bool is_wrench = set.sensors.contacts[k].kind == ContactSensor::Kind::wrench;
    all.push_back({.name = "pitch moment of " + set.sensors.contacts[k].name,
                   .unit = "N m",
                   .size = kOffset,
                   .add = [k, is_wrench](Posture& posture, double units) {
                     Vector6d& reading = posture.contacts[k];
                     if (is_wrench) reading[4] += units * kOffset;
                     if (!is_wrench) reading[0] -= units * kOffset / reading[2];
                   }});
  }
  return all;
}

/// Equations of a step in (φ, units of each candidate) over the postures in use. The prior has the standard deviations
/// `scale` about the initial values; `gone` is the sum of the steps so far.
NormalEquations step_equations(const BiasTrial& trial, const std::vector<std::vector<Eigen::VectorXd>>& effects,
                               const std::vector<std::size_t>& postures, const Eigen::VectorXd& scale,
                               const Eigen::VectorXd& gone) {
  const int num_phi = trial.before().num_parameters(), count = static_cast<int>(effects.size());
  NormalEquations equations(num_phi + count);
  for (const std::size_t k : postures) {
    const Eigen::MatrixXd& W = trial.before().rows[k].W;
    Eigen::MatrixXd A(W.rows(), num_phi + count);
    A.leftCols(num_phi) = W;
    for (int i = 0; i < count; ++i) A.col(num_phi + i) = effects[static_cast<std::size_t>(i)][k];
    equations.add(A, -trial.residual(k));
  }
  equations.add(Eigen::MatrixXd(scale.cwiseInverse().asDiagonal()), -gone.cwiseQuotient(scale));
  return equations;
}

}  // namespace

std::vector<SensorBias> sensor_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                      const IdentifyOptions& options) {
  const BiasTrial trial(cad, set, found, options, found.estimate.phi);
  std::vector<SensorBias> biases;
  for (const Candidate& candidate : candidates(cad, set, found)) biases.push_back(trial.judge(candidate));
  return biases;
}

CorrectedPostures without_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                 const IdentifyOptions& options) {
  CorrectedPostures corrected{.set = set};
  std::vector<Candidate> visible;
  const BiasTrial as_read(cad, set, found, options, found.estimate.phi);
  for (const Candidate& candidate : candidates(cad, set, found)) {
    if (as_read.judge(candidate).is_estimable()) visible.push_back(candidate);
  }
  if (visible.empty()) return corrected;
  const Eigen::Index num_phi = found.problem.num_parameters(), count = static_cast<Eigen::Index>(visible.size());
  Eigen::VectorXd gone = Eigen::VectorXd::Zero(num_phi + count), scale = Eigen::VectorXd::Ones(num_phi + count);
  Eigen::VectorXd deviation = Eigen::VectorXd::Zero(count);
  scale.head(num_phi) = found.plain.scale;
  const std::vector<std::size_t> postures = all_but(set.postures.size(), found.held_out);
  for (int round = 0; round < kRounds; ++round) {
    const BiasTrial trial(cad, corrected.set, found, options, found.estimate.phi + gone.head(num_phi));
    std::vector<std::vector<Eigen::VectorXd>> effects;
    for (const Candidate& candidate : visible) effects.push_back(trial.effect(candidate));
    const NormalEquations equations = step_equations(trial, effects, postures, scale, gone);
    const Eigen::LDLT<Eigen::MatrixXd> factor(equations.AtA);
    const Eigen::VectorXd step = factor.solve(equations.Atb);
    const Eigen::MatrixXd covariance = factor.solve(Eigen::MatrixXd::Identity(step.size(), step.size()));
    deviation = covariance.diagonal().tail(count).cwiseSqrt();
    gone += step;
    for (Eigen::Index i = 0; i < count; ++i)
      corrected.set = BiasTrial::disturbed(cad, corrected.set, visible[static_cast<std::size_t>(i)], step[num_phi + i]);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const Candidate& candidate = visible[static_cast<std::size_t>(i)];
    corrected.biases.push_back({.name = candidate.name,
                                .unit = candidate.unit,
                                .value = -gone[num_phi + i] * candidate.size,
                                .deviation = deviation[i] * candidate.size});
  }
  return corrected;
}

}  // namespace aplomb
