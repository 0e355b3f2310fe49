#include "aplomb/human/fit/motion_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/human/fit/skin_drift.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kFewestForStart = 6, kFewestForFrame = 3;

/// Puts the base upright at the mean of the pelvis markers, with the yaw from left and right markers; keeps the joints.
void place(const SubjectModel& subject, std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q) {
  Eigen::Vector3d all = Eigen::Vector3d::Zero(), pelvis = Eigen::Vector3d::Zero();
  Eigen::Vector2d left = Eigen::Vector2d::Zero();
  int num_all = 0, num_pelvis = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].allFinite()) continue;
    all += seen[i];
    ++num_all;
    if (subject.markers[i].segment == 0) {
      pelvis += seen[i];
      ++num_pelvis;
    }
  }
  const Eigen::Vector3d middle = all / num_all;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].allFinite()) continue;
    const std::string& name = subject.skeleton.segments[static_cast<std::size_t>(subject.markers[i].segment)].name;
    const std::string& mark = subject.markers[i].landmark.empty() ? name : subject.markers[i].landmark;
    if (mark.starts_with("left_")) left += (seen[i] - middle).head<2>();
    if (mark.starts_with("right_")) left -= (seen[i] - middle).head<2>();
  }
  const double yaw = left.norm() > 0.0 ? std::atan2(left.y(), left.x()) - std::atan2(1.0, 0.0) : 0.0;
  q.head<3>() = num_pelvis > 0 ? Eigen::Vector3d(pelvis / num_pelvis) : middle;
  q.segment<4>(3) = Eigen::Vector4d(0.0, 0.0, std::sin(0.5 * yaw), std::cos(0.5 * yaw));
}

/// Neck angles that keep the head upright in the world, with the yaw of the chest:
///   R_chest R_y(flexion) R_x(bending) R_z(rotation) = R_z(yaw of the chest)
Eigen::Vector3d upright_head(const Eigen::Matrix3d& R_chest) {
  const double yaw = std::atan2(R_chest(1, 0), R_chest(0, 0));
  const Eigen::Matrix3d wanted = Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d R = R_chest.transpose() * wanted;
  const double bending = std::asin(std::clamp(-R(1, 2), -1.0, 1.0));
  return {std::atan2(R(0, 2), R(2, 2)), bending, std::atan2(R(1, 0), R(1, 1))};
}

/// Sets the neck's angles, distributed equally over its joints.
class HeadHolder {
 public:
  HeadHolder(const Skeleton& skeleton, const RobotModel& robot) {
    const bool is_light = skeleton.size == SkeletonSize::light;
    const std::string chest = is_light ? "thorax" : "T1";
    chest_ = segment_bodies(skeleton, robot)[static_cast<std::size_t>(skeleton.segment(chest))];
    for (int i = 0; i < robot.num_joints(); ++i) {
      const std::string& name = robot.joints()[static_cast<std::size_t>(i)].name;
      if (!name.starts_with("head_") && !name.starts_with("C") && !name.starts_with("skull_")) continue;
      const int kind = name.ends_with("_flexion") ? 0 : name.ends_with("_bending") ? 1 : 2;
      joints_.emplace_back(i, kind);
    }
    share_ = 3.0 / static_cast<double>(joints_.size());
    for (int kind = 0; kind < 3; ++kind) {
      lower_[kind] = robot.joints()[static_cast<std::size_t>(joints_.front().first)].lower;
      upper_[kind] = robot.joints()[static_cast<std::size_t>(joints_.front().first)].upper;
    }
  }
  void hold(TreeKinematics& tree, Eigen::VectorXd& q) const {
    tree.update(q);
    const Eigen::Vector3d angles = share_ * upright_head(tree.rotation(chest_));
    for (const auto& [joint, kind] : joints_) q[7 + joint] = std::clamp(angles[kind], lower_[kind], upper_[kind]);
  }

 private:
  int chest_ = 0;
  double share_ = 1.0;
  double lower_[3] = {}, upper_[3] = {};
  std::vector<std::pair<int, int>> joints_;
};

class WholeFit {
 public:
  WholeFit(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track)
      : subject_(subject),
        track_(track),
        bodies_(segment_bodies(subject.skeleton, robot)),
        fit_(subject, robot, {}),
        holder_(subject.skeleton, robot),
        tree_(robot) {
    result_.num_markers = track.num_markers;
    result_.residuals.assign(track.positions.size(), std::numeric_limits<double>::quiet_NaN());
    result_.motion = {.rate_hz = track.rate_hz, .start_s = track.start_s};
    result_.motion.q.resize(robot.nq(), static_cast<Eigen::Index>(track.num_frames()));
  }

  /// `drift` shifts the markers on the body, frame by frame; nullptr: none.
  MotionFit run(const std::function<void(double)>& on_progress, const SkinDrift* drift) {
    drift_ = drift;
    const std::size_t count = track_.num_frames();
    const std::size_t first = best_frame();
    q_ = Eigen::VectorXd::Zero(result_.motion.q.rows());
    if (!find_posture(fit_, subject_, track_.frame(first), q_)) {
      throw InvalidValue("no frame shows six of the known markers: no posture can be found");
    }
    const Eigen::VectorXd start = q_;
    std::size_t done = 0;
    const auto one = [&](std::size_t frame) {
      fit_frame(frame);
      if (++done % 64 == 0 && on_progress) on_progress(static_cast<double>(done) / static_cast<double>(count));
    };
    for (std::size_t frame = first; frame < count; ++frame) one(frame);
    q_ = start;
    for (std::size_t frame = first; frame-- > 0;) one(frame);
    return std::move(result_);
  }

 private:
  std::size_t best_frame() const {
    std::size_t best = 0, most = 0;
    double highest = -1e9;
    for (std::size_t frame = 0; frame < track_.num_frames(); ++frame) {
      const std::size_t seen = track_.num_seen(frame);
      double height = 0.0;
      for (const Eigen::Vector3d& position : track_.frame(frame)) {
        if (position.allFinite()) height += position.z() / static_cast<double>(std::max<std::size_t>(1, seen));
      }
      if (seen > most || (seen == most && height > highest)) {
        best = frame;
        most = seen;
        highest = height;
      }
    }
    return best;
  }

  void fit_frame(std::size_t frame) {
    if (track_.num_seen(frame) < kFewestForFrame) {
      ++result_.unseen_frames;
    } else {
      if (drift_ != nullptr) {
        for (std::size_t i = 0; i < track_.num_markers; ++i) {
          fit_.set_offset(i, subject_.markers[i].offset + drift_->at(frame, i));
        }
      }
      if (!fit_.fit(track_.frame(frame), q_, track_.frame_trust(frame)).converged) ++result_.unconverged_frames;
      keep_residuals(frame);
      if (!fit_.sees_head()) holder_.hold(tree_, q_);
    }
    result_.motion.q.col(static_cast<Eigen::Index>(frame)) = q_;
  }

  /// Stores the distances of the measured markers from the model's, without drift.
  void keep_residuals(std::size_t frame) {
    for (std::size_t i = 0; i < track_.num_markers; ++i) {
      const BodyMarker& marker = subject_.markers[i];
      const int body = bodies_[static_cast<std::size_t>(marker.segment)];
      result_.residuals[frame * track_.num_markers + i] =
          (fit_.tree().point(body, marker.offset) - track_.frame(frame)[i]).norm();
    }
  }

  const SubjectModel& subject_;
  const MarkerTrack& track_;
  const SkinDrift* drift_ = nullptr;
  std::vector<int> bodies_;
  MarkerFit fit_;
  HeadHolder holder_;
  TreeKinematics tree_;
  MotionFit result_;
  Eigen::VectorXd q_;
};

}  // namespace

bool find_posture(MarkerFit& fit, const SubjectModel& subject, std::span<const Eigen::Vector3d> seen,
                  Eigen::VectorXd& q) {
  const auto count = std::ranges::count_if(seen, [](const Eigen::Vector3d& x) { return x.allFinite(); });
  if (static_cast<std::size_t>(count) < kFewestForStart) return false;
  double best_cost = std::numeric_limits<double>::infinity();
  Eigen::VectorXd best = q;
  for (const double bend : {0.1, 0.8, 1.5}) {  // hips and knees: standing, in between, sitting
    Eigen::VectorXd trial = Eigen::VectorXd::Zero(q.size());
    place(subject, seen, trial);
    for (const char* side : {"left_", "right_"}) {
      trial[7 + fit.joint(std::string(side) + "hip_flexion")] = bend;
      trial[7 + fit.joint(std::string(side) + "knee_flexion")] = bend;
      trial[7 + fit.joint(std::string(side) + "elbow_flexion")] = 0.3;
    }
    fit.fit_plain(seen, trial);
    const double cost = fit.fit(seen, trial).cost;
    if (cost < best_cost) {
      best_cost = cost;
      best = trial;
    }
  }
  q = best;
  return true;
}

MotionFit fit_motion(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track,
                     const std::function<void(double)>& on_progress) {
  MotionFit fit = WholeFit(subject, robot, track).run(on_progress, nullptr);
  const SkinDrift drift(subject, robot, track, fit);
  return drift.is_needed() ? WholeFit(subject, robot, track).run(on_progress, &drift) : std::move(fit);
}

}  // namespace aplomb
