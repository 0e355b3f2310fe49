#include "aplomb/human/fit/marker_variance.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr double kSkin = 0.01;    ///< [m] motion of a skin marker over the bone, standard deviation
constexpr double kAngle = 0.35;   ///< [rad] standard deviation of the angles of an unseen joint
constexpr double kFarAway = 1.0;  ///< [m] standard deviation of a root that no marker sees

/// Tree of the segments with the markers that are seen in one frame.
class SeenTree {
 public:
  SeenTree(const MarkerTrack& track, const SubjectModel& subject)
      : track_(track), subject_(subject), num_on_(subject.skeleton.segments.size()), num_beyond_(num_on_.size()) {}

  void look(std::size_t frame) {
    std::ranges::fill(num_on_, 0);
    for (std::size_t i = 0; i < track_.num_markers; ++i) {
      if (track_.frame(frame)[i].allFinite()) ++num_on_[static_cast<std::size_t>(subject_.markers[i].segment)];
    }
    num_beyond_ = num_on_;
    for (std::size_t k = num_beyond_.size(); k-- > 1;) num_beyond_[parent(k)] += num_beyond_[k];
  }

  int num_on(std::size_t segment) const { return num_on_[segment]; }
  bool is_unseen(std::size_t segment) const { return num_beyond_[segment] == 0; }
  bool is_first_unseen(std::size_t segment) const {
    return is_unseen(segment) && (segment == 0 || !is_unseen(parent(segment)));
  }
  std::size_t parent(std::size_t segment) const {
    return static_cast<std::size_t>(subject_.skeleton.segments[segment].parent);
  }

 private:
  const MarkerTrack& track_;
  const SubjectModel& subject_;
  std::vector<int> num_on_, num_beyond_;
};

/// Mass and CoM of every segment together with all beyond it, in one frame.
struct Branches {
  Branches(const SubjectModel& subject, const SegmentMotion& segments, Eigen::Index frame)
      : mass(subject.skeleton.segments.size(), 0.0), moment(mass.size(), Eigen::Vector3d::Zero()) {
    const std::vector<Segment>& all = subject.skeleton.segments;
    for (std::size_t k = all.size(); k-- > 0;) {
      mass[k] += all[k].inertia.mass;
      moment[k] += all[k].inertia.mass * (segments.pose(static_cast<int>(k), frame) * all[k].inertia.com);
      if (k == 0) continue;
      mass[static_cast<std::size_t>(all[k].parent)] += mass[k];
      moment[static_cast<std::size_t>(all[k].parent)] += moment[k];
    }
  }
  std::vector<double> mass;             ///< [kg]
  std::vector<Eigen::Vector3d> moment;  ///< Σ m x [kg m]
};

/// Variance of the CoM of a branch about its joint, for small random turns: kAngle² (|r|² − r_i²) along axis i, and the
/// mean fall of the lever's end.
Eigen::Vector3d turned_variance(const Eigen::Vector3d& lever) {
  const Eigen::Vector3d squares = lever.cwiseAbs2();
  const double fall = 0.5 * kAngle * kAngle;
  return kAngle * kAngle * (Eigen::Vector3d::Constant(squares.sum()) - squares) + fall * fall * squares;
}

}  // namespace

Matrix3Xd marker_variance(const MarkerTrack& track, const SubjectModel& subject, const SegmentMotion& segments) {
  Matrix3Xd variance = Matrix3Xd::Zero(3, segments.num_frames());
  SeenTree seen(track, subject);
  const std::vector<Segment>& all = subject.skeleton.segments;
  for (Eigen::Index frame = 0; frame < segments.num_frames(); ++frame) {
    seen.look(static_cast<std::size_t>(frame));
    const Branches branches(subject, segments, frame);
    const double body = branches.mass[0];
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double own = all[k].inertia.mass / body, branch = branches.mass[k] / body;
      if (!seen.is_unseen(k)) {
        // A segment without markers of its own is held by those beyond it: as by one marker.
        variance.col(frame).array() += own * own * kSkin * kSkin / std::max(1, seen.num_on(k));
      } else if (k == 0) {
        variance.col(frame).array() += kFarAway * kFarAway;
      } else if (seen.is_first_unseen(k) && branches.mass[k] > 0.0) {
        const Eigen::Vector3d joint = segments.pose(static_cast<int>(k), frame).translation();
        variance.col(frame) += branch * branch * turned_variance(branches.moment[k] / branches.mass[k] - joint);
      }
    }
  }
  return variance;
}

std::vector<std::string> unseen_segments(const MarkerTrack& track, const SubjectModel& subject) {
  std::vector<std::size_t> count(subject.skeleton.segments.size(), 0);
  SeenTree seen(track, subject);
  for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
    seen.look(frame);
    for (std::size_t k = 0; k < count.size(); ++k) count[k] += seen.is_first_unseen(k) ? 1 : 0;
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (2 * count[k] > track.num_frames()) names.push_back(subject.skeleton.segments[k].name);
  }
  return names;
}

}  // namespace aplomb
