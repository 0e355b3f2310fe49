#include "aplomb/human/fit/skin_drift.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kSmooth = 0.1;    // [s] half width of the moving average over the drift
constexpr double kLargest = 0.04;  // [m] largest skin motion; more is a wrong label

/// Skin motion depends on the joints at both ends of a segment: drift = mean + slopes · angles, learnt from the frames
/// in which the segment is complete. Ridge regression keeps the slopes small.
class PostureDrift {
 public:
  PostureDrift(const SubjectModel& subject, const RobotModel& robot, const HumanMotion& motion)
      : skeleton_(subject.skeleton), robot_(robot), motion_(motion) {}

  void learn(int segment, const std::vector<char>& is_complete) {
    // The part that the angles do not explain changes slowly: closer frames are not independent samples.
    constexpr double kIndependentHz = 10.0;
    const auto stride = std::max<std::size_t>(1, static_cast<std::size_t>(motion_.rate_hz / kIndependentHz));
    used_.clear();
    for (std::size_t i = 0; i < is_complete.size(); i += stride) {
      if (is_complete[i] != 0) used_.push_back(i);
    }
    take_angles(segment);
    if (used_.empty()) return;
    features_.resize(angles_.rows(), static_cast<Eigen::Index>(used_.size()));
    for (std::size_t k = 0; k < used_.size(); ++k) features_.col(as_index(k)) = angles_.col(as_index(used_[k]));
    const Eigen::VectorXd mean = features_.rowwise().mean();
    features_.colwise() -= mean;
    angles_.colwise() -= mean;
    // Clamps the angles to the range of the complete frames, since a joint may be unobserved in the others.
    const Eigen::VectorXd least = features_.rowwise().minCoeff(), most = features_.rowwise().maxCoeff();
    for (auto angles : angles_.colwise()) angles = angles.cwiseMax(least).cwiseMin(most).eval();
    constexpr double kDeviation = 0.002;  // [m] residual of the drift about its linear model
    constexpr double kSlope = 0.02;       // [m/rad] prior standard deviation of the slopes
    Eigen::MatrixXd normal = features_ * features_.transpose();
    normal.diagonal().array() += (kDeviation / kSlope) * (kDeviation / kSlope);
    factor_.compute(normal);
  }

  /// The drift that the angles explain, in every frame; `drift(frame)` is called for complete frames only.
  template <typename Drift>
  Eigen::Matrix3Xd explained(const Drift& drift) const {
    if (used_.empty()) return Eigen::Matrix3Xd::Zero(3, angles_.cols());
    Eigen::Matrix3Xd known(3, features_.cols());
    for (std::size_t k = 0; k < used_.size(); ++k) known.col(as_index(k)) = drift(used_[k]);
    const Eigen::Vector3d mean = known.rowwise().mean();
    const Eigen::MatrixXd slopes = factor_.solve(features_ * (known.colwise() - mean).transpose());
    return (slopes.transpose() * angles_).colwise() + mean;
  }

 private:
  static Eigen::Index as_index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  void take_angles(int segment) {
    std::vector<int> joints;
    for (std::size_t i = 0; i < skeleton_.segments.size(); ++i) {
      const Segment& other = skeleton_.segments[i];
      if (static_cast<int>(i) != segment && other.parent != segment) continue;
      for (const Coordinate& angle : other.coordinates) joints.push_back(robot_.joint(angle.name));
    }
    angles_.resize(as_index(joints.size()), motion_.q.cols());
    for (std::size_t k = 0; k < joints.size(); ++k) angles_.row(as_index(k)) = motion_.q.row(7 + joints[k]);
  }

  const Skeleton& skeleton_;
  const RobotModel& robot_;
  const HumanMotion& motion_;
  Eigen::MatrixXd angles_;  ///< angles of the segment's joints less their means [rad], one column per frame
  std::vector<std::size_t> used_;
  Eigen::MatrixXd features_;  ///< `angles_` of the frames in `used_`
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

}  // namespace

SkinDrift::SkinDrift(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track,
                     const MotionFit& fit)
    : num_markers_(track.num_markers), num_frames_(track.num_frames()) {
  find_complete_frames(subject, track);
  if (!is_needed_) return;
  drift_.assign(track.positions.size(), Eigen::Vector3d::Zero());
  const std::vector<int> bodies = segment_bodies(subject.skeleton, robot);
  TreeKinematics tree(robot);
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    tree.update(fit.motion.q.col(static_cast<Eigen::Index>(frame)));
    for (std::size_t i = 0; i < num_markers_; ++i) {
      const BodyMarker& marker = subject.markers[i];
      const int body = bodies[static_cast<std::size_t>(marker.segment)];
      const Eigen::Vector3d away =
          tree.rotation(body).transpose() * (track.frame(frame)[i] - tree.point(body, marker.offset));
      if (away.allFinite() && away.norm() < kLargest) drift_[frame * num_markers_ + i] = away;
    }
  }
  PostureDrift by_posture(subject, robot, fit.motion);
  for (std::size_t i = 0; i < num_markers_; ++i) {
    const int segment = subject.markers[i].segment;
    const std::vector<char>& is_complete = complete_[static_cast<std::size_t>(segment)];
    by_posture.learn(segment, is_complete);
    const Eigen::Matrix3Xd explained = by_posture.explained([&](std::size_t frame) { return at(frame, i); });
    add(i, -explained);
    fill(i, is_complete);
    add(i, explained);
    smooth(i, static_cast<std::size_t>(std::lround(kSmooth * track.rate_hz)));
  }
}

void SkinDrift::find_complete_frames(const SubjectModel& subject, const MarkerTrack& track) {
  complete_.assign(subject.skeleton.segments.size(), std::vector<char>(num_frames_, 1));
  for (std::size_t i = 0; i < num_markers_; ++i) {
    std::vector<char>& is_complete = complete_[static_cast<std::size_t>(subject.markers[i].segment)];
    std::size_t seen = 0;
    for (std::size_t frame = 0; frame < num_frames_; ++frame) seen += track.frame(frame)[i].allFinite() ? 1 : 0;
    if (seen == 0) continue;  // the recording lacks this marker
    for (std::size_t frame = 0; frame < num_frames_; ++frame) {
      if (track.frame(frame)[i].allFinite()) continue;
      is_complete[frame] = 0;
      is_needed_ = true;
    }
  }
}

void SkinDrift::add(std::size_t marker, const Eigen::Matrix3Xd& shifts) {
  for (std::size_t frame = 0; frame < num_frames_; ++frame)
    drift_[frame * num_markers_ + marker] += shifts.col(static_cast<Eigen::Index>(frame));
}

/// Interpolates linearly between complete frames; constant beyond the first and the last one, zero when there is none.
void SkinDrift::fill(std::size_t marker, const std::vector<char>& is_complete) {
  const auto value = [&](std::size_t frame) -> Eigen::Vector3d& { return drift_[frame * num_markers_ + marker]; };
  std::size_t before = num_frames_;
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    if (is_complete[frame] != 0) {
      before = frame;
      continue;
    }
    std::size_t after = frame;
    while (after < num_frames_ && is_complete[after] == 0) ++after;
    const bool has_before = before < num_frames_, has_after = after < num_frames_;
    for (std::size_t i = frame; i < after; ++i) {
      if (has_before && has_after) {
        const double part = static_cast<double>(i - before) / static_cast<double>(after - before);
        value(i) = (1.0 - part) * value(before) + part * value(after);
      } else {
        value(i) = has_before ? value(before) : has_after ? value(after) : Eigen::Vector3d::Zero().eval();
      }
    }
    frame = after - 1;
  }
}

void SkinDrift::smooth(std::size_t marker, std::size_t reach) {
  std::vector<Eigen::Vector3d> sums(num_frames_ + 1, Eigen::Vector3d::Zero());
  for (std::size_t frame = 0; frame < num_frames_; ++frame) sums[frame + 1] = sums[frame] + at(frame, marker);
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    // A symmetric window does not delay the drift.
    const std::size_t side = std::min({reach, frame, num_frames_ - 1 - frame});
    drift_[frame * num_markers_ + marker] =
        (sums[frame + side + 1] - sums[frame - side]) / static_cast<double>(2 * side + 1);
  }
}

}  // namespace aplomb
