#include "aplomb/human/subject/subject_scaling.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

/// A frame that is used for scaling: measured markers and fitted posture.
struct Frame {
  std::span<const Eigen::Vector3d> seen;
  Eigen::VectorXd q;
};

class Scaling {
 public:
  Scaling(const SubjectModel& start, const ScalingSettings& settings)
      : settings_(settings),
        subject_(start),
        robot_(human_robot(start.skeleton)),
        bodies_(segment_bodies(start.skeleton, robot_)),
        fit_(start, robot_, {.tolerance = 1e-5}),
        parameters_(start, start.skeleton.segments.front().scale.x(), deviations(settings)) {}

  /// Adds `count` frames, evenly spaced; frames with few markers are left out.
  void add_frames(const MarkerTrack& track, int count) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < track.num_frames(); ++i) most = std::max(most, track.num_seen(i));
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < track.num_frames(); ++i) {
      if (track.num_seen(i) >= std::max<std::size_t>(6, most * 4 / 5)) good.push_back(i);
    }
    const std::size_t taken = std::min(good.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < taken; ++i) {
      const std::size_t at = taken == 1 ? 0 : i * (good.size() - 1) / (taken - 1);
      frames_.push_back({track.frame(good[at]), Eigen::VectorXd::Zero(robot_.nq())});
    }
  }

  ScalingOutcome run() {
    if (frames_.empty()) throw InvalidValue("no frame shows six of the known markers: the subject cannot be scaled");
    for (Frame& frame : frames_) find_posture(fit_, subject_, frame.seen, frame.q);
    place_free_markers();
    ScalingOutcome outcome{.rms_before_m = rms(), .frames = static_cast<int>(frames_.size())};
    sigma_ = 0.03 * std::sqrt(static_cast<double>(frames_.size()) / 65.0);
    double cost = refit();
    while (outcome.iterations < settings_.most_iterations) {
      check_interrupt();
      ++outcome.iterations;
      const Eigen::VectorXd step = gauss_newton_step();
      const double before = cost;
      cost = try_step(step, cost);
      if (before - cost < 1e-4 * before) break;
    }
    outcome.rms_m = rms();
    distribute_mass(subject_.skeleton);
    outcome.subject = std::move(subject_);
    return outcome;
  }

 private:
  static ScaleParameters::Deviations deviations(const ScalingSettings& settings) {
    ScaleParameters::Deviations chosen;
    if (settings.is_height_known) chosen.size = 0.01;
    return chosen;
  }

  /// Initialises markers without a landmark at their mean position on the segment in the postures so far.
  void place_free_markers() {
    std::vector<Eigen::Vector3d> sums(subject_.markers.size(), Eigen::Vector3d::Zero());
    std::vector<int> counts(subject_.markers.size(), 0);
    TreeKinematics tree = fit_.tree();
    for (const Frame& frame : frames_) {
      tree.update(frame.q);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (!subject_.markers[i].landmark.empty() || !frame.seen[i].allFinite()) continue;
        const int body = bodies_[static_cast<std::size_t>(subject_.markers[i].segment)];
        sums[i] += tree.rotation(body).transpose() * (frame.seen[i] - tree.origin(body));
        ++counts[i];
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (counts[i] > 0) subject_.markers[i].offset = sums[i] / counts[i];
    }
    parameters_ = ScaleParameters(subject_, subject_.skeleton.segments.front().scale.x(), deviations(settings_));
    parameters_.apply(subject_);
    fit_.resize(subject_);
  }

  /// Fits all postures with the current π; returns the total cost.
  double refit() {
    double sum = 0.0;
    for (Frame& frame : frames_) sum += fit_.fit(frame.seen, frame.q).cost;
    return sum / (sigma_ * sigma_) + parameters_.prior_cost();
  }

  double try_step(const Eigen::VectorXd& step, double cost) {
    const Eigen::VectorXd from = parameters_.values();
    std::vector<Eigen::VectorXd> postures;
    for (const Frame& frame : frames_) postures.push_back(frame.q);
    for (double part = 1.0; part > 0.05; part *= 0.5) {
      use(from + part * step);
      const double now = refit();
      if (now <= cost) return now;
      for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i].q = postures[i];
    }
    use(from);
    return cost;
  }
  void use(const Eigen::VectorXd& values) {
    parameters_.set_values(values);
    parameters_.apply(subject_);
    fit_.resize(subject_);
  }

  Eigen::VectorXd gauss_newton_step() {
    const Eigen::Index num = parameters_.num();
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(num, num);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(num);
    for (const Frame& frame : frames_) add_frame(frame, hessian, gradient);
    hessian /= sigma_ * sigma_;
    gradient /= sigma_ * sigma_;
    parameters_.add_prior(hessian, gradient);
    const Eigen::LDLT<Eigen::MatrixXd> factor(hessian.selfadjointView<Eigen::Lower>());
    return -factor.solve(gradient);
  }

  /// Adds a frame to the normal equations of the parameters, with its posture eliminated: C − Bᵀ A⁻¹ B.
  void add_frame(const Frame& frame, Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) {
    const Eigen::MatrixXd A = fit_.curvature(frame.seen, frame.q).selfadjointView<Eigen::Lower>();
    const auto rows = static_cast<Eigen::Index>(3 * subject_.markers.size());
    Eigen::MatrixXd of_pose = Eigen::MatrixXd::Zero(rows, A.cols());
    Eigen::MatrixXd of_size = Eigen::MatrixXd::Zero(rows, parameters_.num());
    Eigen::VectorXd error = Eigen::VectorXd::Zero(rows);
    Eigen::MatrixXd all(3, fit_.tree().nv());
    const JointCouplings& couplings = fit_.couplings();
    for (std::size_t i = 0; i < subject_.markers.size(); ++i) {
      if (!frame.seen[i].allFinite()) continue;
      const auto row = static_cast<Eigen::Index>(3 * i);
      const BodyMarker& marker = subject_.markers[i];
      const double root = std::sqrt(marker.weight * fit_.outlier_weight(fit_.residuals()[i]));
      fit_.tree().point_jacobian(bodies_[static_cast<std::size_t>(marker.segment)], fit_.positions()[i], all);
      of_pose.block(row, 0, 3, 6) = root * all.leftCols(6);
      for (std::size_t k = 0; k < couplings.column.size(); ++k) {
        of_pose.block(row, couplings.column[k], 3, 1) +=
            root * couplings.ratio[k] * all.col(6 + static_cast<Eigen::Index>(k));
      }
      auto size_rows = of_size.middleRows(row, 3);
      parameters_.add_jacobian(subject_, i, fit_.tree(), bodies_, size_rows);
      size_rows *= root;
      error.segment<3>(row) = root * (fit_.positions()[i] - frame.seen[i]);
    }
    const Eigen::MatrixXd B = of_pose.transpose() * of_size;
    const Eigen::LLT<Eigen::MatrixXd> factor(A);
    const Eigen::MatrixXd half = factor.matrixL().solve(B);
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(of_size.transpose());
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(half.transpose(), -1.0);
    gradient += of_size.transpose() * error;
  }

  double rms() {
    double sum = 0.0;
    int count = 0;
    for (Frame& frame : frames_) {
      fit_.fit(frame.seen, frame.q);
      for (const double residual : fit_.residuals()) {
        if (!std::isfinite(residual)) continue;
        sum += residual * residual;
        ++count;
      }
    }
    return std::sqrt(sum / std::max(1, count));
  }

  ScalingSettings settings_;
  SubjectModel subject_;
  RobotModel robot_;
  std::vector<int> bodies_;
  MarkerFit fit_;
  ScaleParameters parameters_;
  std::vector<Frame> frames_;
  double sigma_ = 0.03;
};

}  // namespace

double guess_height(const SubjectModel& generic, const MarkerTrack& track) {
  double highest = 0.0;
  for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
    double low = 1e9, high = -1e9, model_low = 1e9, model_high = -1e9;
    for (std::size_t i = 0; i < generic.markers.size(); ++i) {
      const Eigen::Vector3d& seen = track.frame(frame)[i];
      if (!seen.allFinite() || generic.markers[i].landmark.empty()) continue;
      const double z =
          generic.skeleton.generic_origin(generic.markers[i].segment).z() + generic.markers[i].generic_offset.z();
      low = std::min(low, seen.z());
      high = std::max(high, seen.z());
      model_low = std::min(model_low, z);
      model_high = std::max(model_high, z);
    }
    if (model_high - model_low > 0.3)
      highest = std::max(highest, kGenericHeight * (high - low) / (model_high - model_low));
  }
  return std::clamp(highest, 0.8, 2.4);
}

ScalingOutcome scale_subject(const SubjectModel& start, const MarkerTrack* still, const MarkerTrack& motion,
                             const ScalingSettings& settings) {
  Scaling scaling(start, settings);
  if (still != nullptr) scaling.add_frames(*still, settings.still_frames);
  scaling.add_frames(motion, settings.motion_frames);
  ScalingOutcome outcome = scaling.run();
  if (still == nullptr) {
    outcome.notes.emplace_back(
        "no static trial: joint centres are estimated from the motion and mean body proportions; ankles and shoulders "
        "may be off by 2 to 3 cm");
  }
  return outcome;
}

}  // namespace aplomb
