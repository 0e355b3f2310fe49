#include "aplomb/identify/identification.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/identify/estimate/entropic_prior.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/model/sagittal_model.hpp"
#include "aplomb/identify/model/static_problem.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMinPostures = 8;  // one to hold out, and enough for the five most important combinations
// Relative singular values below which a parameter combination counts as unidentifiable. In the sagittal model, noise
// of the joints outside the plane causes values of 1e-7 (0.2 degrees about another axis change a link's length by
// 1e-5), and combinations that the postures excite have 1e-4 and above. In the spatial model the noise of every joint
// moves every body a little, so that only larger values are information.
constexpr double kPlanarTolerance = 1e-5;
constexpr double kSpatialTolerance = 5e-3;
constexpr double kMinRange = 0.05;  // [rad]: a joint with a smaller range counts as fixed; encoder noise alone has 0.02

RobotState mean_posture(const RobotModel& cad, const PostureSet& set) {
  RobotState mean = cad.neutral_state();
  joint_positions(mean.q).setZero();
  for (const Posture& posture : set.postures) {
    joint_positions(mean.q) += joint_positions(posture.state.q) / static_cast<double>(set.postures.size());
  }
  return mean;
}

/// Largest roll of the base over the postures; 0 when its orientation is not measured. [rad]
double max_roll(const PostureSet& set) {
  double most = 0.0;
  if (!set.sensors.has_orientation) return most;
  for (const Posture& posture : set.postures) {
    const Eigen::Quaterniond R_world_base(Eigen::Vector4d(posture.state.q.segment<4>(3)));
    most = std::max(most, std::asin(std::min(1.0, std::abs((R_world_base * Eigen::Vector3d::UnitY()).z()))));
  }
  return most;
}

/// Name of the first joint outside the sagittal plane that moves; empty when none does.
std::string mover_outside_plane(const RobotModel& cad, const SagittalModel& model, const PostureSet& set) {
  std::vector<int> inside;
  for (const SagittalModel::Link& link : model.links())
    inside.insert(inside.end(), link.frame_bodies.begin(), link.frame_bodies.end());
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    if (std::ranges::find(inside, joint + 1) != inside.end()) continue;
    double low = 1e9, high = -1e9;
    for (const Posture& posture : set.postures) {
      low = std::min(low, posture.state.q[7 + joint]);
      high = std::max(high, posture.state.q[7 + joint]);
    }
    if (high - low > kMinRange) return cad.joints()[static_cast<std::size_t>(joint)].name;
  }
  return {};
}

void choose_model(const RobotModel& cad, const PostureSet& set, const IdentifyOptions& options, Identification& found) {
  using Model = IdentifyOptions::Model;
  found.model = "spatial";
  if (options.model == Model::spatial) return;
  try {
    found.sagittal = std::make_shared<const SagittalModel>(cad, mean_posture(cad, set));
  } catch (const InvalidValue& error) {
    if (options.model == Model::sagittal) throw;
    found.why_model = error.what();
    return;
  }
  found.model = "sagittal";
  if (options.model == Model::sagittal) return;
  const std::string mover = mover_outside_plane(cad, *found.sagittal, set);
  const double roll = max_roll(set);
  found.why_model = "no joint outside the sagittal plane moves";
  if (mover.empty() && roll < kMinRange) return;
  found.model = "spatial";
  found.sagittal.reset();
  found.why_model = mover.empty() ? fmt::format("the base rolls by up to {:.2g} rad", roll)
                                  : fmt::format("joint '{}' moves outside the sagittal plane", mover);
}

/// Scale of the columns from the CAD: a link's mass for m, that mass times a typical link size for h.
Eigen::VectorXd column_scale(const StaticProblem& problem) {
  Eigen::VectorXd scale(problem.num_parameters());
  constexpr double kLinkSize = 0.2;  // [m]; only a scale: half or twice of it changes no estimate beyond the tolerance
  double mass = 1.0;
  for (int i = 0; i < problem.num_parameters(); ++i) {
    if (problem.mass[i] != 0.0) mass = problem.cad[i];
    scale[i] = problem.mass[i] != 0.0 ? mass : kLinkSize * mass;
  }
  return scale;
}

/// Largest range of a joint over the postures. [rad]
double widest_range(const RobotModel& cad, const PostureSet& set) {
  Eigen::VectorXd low = joint_positions(set.postures.front().state.q), high = low;
  for (const Posture& posture : set.postures) {
    low = low.cwiseMin(joint_positions(posture.state.q));
    high = high.cwiseMax(joint_positions(posture.state.q));
  }
  return cad.num_joints() > 0 ? (high - low).maxCoeff() : 0.0;
}

void refuse_alike(const PostureSet& set, const StaticProblem& problem, const LeastSquares& plain, double range) {
  // Any single posture already identifies the weight and one moment per coordinate.
  const int seen_at_once = 1 + problem.num_coordinates();
  if (plain.rank > seen_at_once && range > kMinRange) return;
  throw FileError(
      {set.file.string()},
      fmt::format("the {} postures are all alike: no joint moves by more than {:.3g} rad, and {} of {} parameter "
                  "combinations are seen "
                  "(one posture alone shows {}), so that mass distributions cannot be distinguished; move hips, knees, "
                  "ankles and trunk through their ranges",
                  set.postures.size(), range, plain.rank, problem.num_parameters(), seen_at_once));
}

struct Fitter {
  const StaticProblem& problem;
  const IdentifyOptions& options;
  Eigen::VectorXd scale;
  double tolerance;

  Estimate fit(std::span<const std::size_t> postures, WeightChoice* choice) const {
    WeightChoice own;
    WeightChoice& chosen = choice != nullptr ? *choice : own;
    chosen.weight = options.prior_weight.value_or(0.0);
    if (!options.prior_weight) chosen = choose_prior_weight(problem, postures, options.folds);
    return entropic_estimate(normal_equations(problem, postures), *problem.prior, chosen.weight,
                             mass_scaled_cad(problem, postures));
  }
  LeastSquares fit_plain(std::span<const std::size_t> postures) const {
    return least_squares(normal_equations(problem, postures), scale, tolerance);
  }

  /// Scores over all folds, each predicted by an estimate from the other folds.
  CopScores cross_validate(const std::vector<std::vector<std::size_t>>& folds,
                           std::vector<Eigen::Vector2d>* predicted = nullptr) const {
    std::array<CopScore, 4> sums;
    double count = 0.0;
    for (const auto& fold : folds) {
      const std::vector<std::size_t> training = all_but(problem.rows.size(), fold);
      const std::array<Eigen::VectorXd, 4> phis = {fit(training, nullptr).phi, fit_plain(training).phi, problem.cad,
                                                   mass_scaled_cad(problem, training)};
      if (predicted != nullptr) {
        for (const std::size_t k : fold) {
          const Eigen::VectorXd com = problem.cops[k].moments * phis[0] / problem.mass.dot(phis[0]);
          (*predicted)[k].head(com.size()) = com;
        }
      }
      const auto size = static_cast<double>(fold.size());
      for (std::size_t i = 0; i < phis.size(); ++i) {
        const CopScore one = score(problem, phis[i], fold);
        sums[i].forward += size * one.forward * one.forward;
        if (one.lateral) sums[i].lateral = sums[i].lateral.value_or(0.0) + size * *one.lateral * *one.lateral;
      }
      count += size;
    }
    for (CopScore& sum : sums) {
      sum.forward = std::sqrt(sum.forward / count);
      if (sum.lateral) sum.lateral = std::sqrt(*sum.lateral / count);
    }
    return {.identified = sums[0], .least_squares = sums[1], .cad = sums[2], .scaled_cad = sums[3]};
  }
};

std::map<int, Inertia> spatial_inertias(const RobotModel& cad, const RegressorColumns& columns,
                                        const Eigen::VectorXd& phi) {
  std::map<int, Inertia> inertias;
  for (std::size_t slot = 0; slot < columns.bodies.size(); ++slot) {
    const int body = columns.bodies[slot];
    const double mass = phi[columns.first(slot)];
    inertias[body] = with_moved_mass(cad.tree().bodies[static_cast<std::size_t>(body)].inertia, mass,
                                     phi.segment<3>(columns.first(slot) + 1) / mass);
  }
  return inertias;
}

}  // namespace

CopScore score(const StaticProblem& problem, const Eigen::VectorXd& phi, std::span<const std::size_t> postures) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (const std::size_t k : postures) {
    const CopPrediction& cop = problem.cops[k];
    const Eigen::VectorXd com = cop.moments * phi / problem.mass.dot(phi);
    for (Eigen::Index i = 0; i < com.size(); ++i) sum[i] += std::pow(com[i] - cop.cop[i], 2);
  }
  sum = (sum / static_cast<double>(postures.size())).cwiseSqrt();
  CopScore result{.forward = sum.x()};
  if (problem.num_coordinates() == 2) result.lateral = sum.y();
  return result;
}

StaticProblem make_problem(const RobotModel& cad, const Identification& found, const PostureSet& set,
                           const MeasurementNoise& noise) {
  return found.sagittal ? sagittal_problem(cad, *found.sagittal, set, noise) : spatial_problem(cad, set, noise);
}

Eigen::MatrixXd moments_at(const Identification& found, const RobotModel& cad, const Eigen::VectorXd& q) {
  BodyMotions motions(cad);
  motions.place(q);
  if (found.sagittal) return found.sagittal->moment_row(motions, /*feet_are_level=*/true);
  return com_rows(motions, found.columns).topRows<2>();
}

Identification identify(const RobotModel& cad, const PostureSet& set, const IdentifyOptions& options) {
  if (set.postures.size() < kMinPostures) {
    throw InvalidValue(fmt::format("{} postures of {} are usable; at least {} are needed to fit and to validate{}",
                                   set.postures.size(), set.file.string(), kMinPostures,
                                   set.dropped.empty() ? "" : "; dropped: " + set.dropped.front()));
  }
  Identification found;
  choose_model(cad, set, options, found);
  if (!found.sagittal) found.columns = {.bodies = massive_bodies(cad), .per_body = kStaticParameters};
  found.problem = make_problem(cad, found, set, options.noise);
  const StaticProblem& problem = found.problem;
  found.tolerance = found.sagittal ? kPlanarTolerance : kSpatialTolerance;
  const Fitter fitter{
      .problem = problem, .options = options, .scale = column_scale(problem), .tolerance = found.tolerance};
  const std::vector<std::size_t> all = all_but(problem.rows.size(), {});
  found.plain = fitter.fit_plain(all);
  refuse_alike(set, problem, found.plain, widest_range(cad, set));
  const int parts = std::max(2, static_cast<int>(std::lround(1.0 / options.holdout_share)));
  found.held_out = make_folds(all.size(), parts, options.seed).front();
  std::ranges::sort(found.held_out);
  found.holdout = fitter.cross_validate({found.held_out});
  found.predicted.assign(all.size(), Eigen::Vector2d::Zero());
  found.folds = fitter.cross_validate(make_folds(all.size(), options.folds, options.seed), &found.predicted);
  found.estimate = fitter.fit(all, &found.choice);
  if (!found.estimate.is_converged)
    throw InvalidValue("the estimate did not converge; are the stated noise levels right?");
  found.num_infeasible = problem.prior->num_infeasible(found.estimate.phi);
  found.body_inertias = found.sagittal ? found.sagittal->body_inertias(found.estimate.phi)
                                       : spatial_inertias(cad, found.columns, found.estimate.phi);
  return found;
}

IdentifiedRobot identify(const Log& postures, RobotModel cad, const IdentifyOptions& options,
                         const std::string& source) {
  auto shared_cad = std::make_shared<const RobotModel>(std::move(cad));
  PostureSet set = read_postures(TableFile{.file = source, .table = postures}, *shared_cad);
  Identification found = identify(*shared_cad, set, options);
  RobotModel model = with_body_inertias(*shared_cad, found.body_inertias);
  return {std::move(shared_cad), std::move(set), std::move(found), std::move(model)};
}

}  // namespace aplomb
