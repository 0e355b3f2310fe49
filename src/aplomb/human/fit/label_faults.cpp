#include "aplomb/human/fit/label_faults.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "aplomb/human/fit/marker_fit.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

constexpr double kFarOff = 0.06;    // [m] beyond any motion of skin over the bone: a wrong label
constexpr double kSuspect = 0.02;   // [m] residual above which a swap with a nearby marker is tried
constexpr double kBetter = 0.5;     // a swap is accepted when it reduces the residuals below this fraction
constexpr std::size_t kBridge = 5;  // most frames between two runs that count as one fault

using Key = std::pair<std::size_t, std::optional<std::size_t>>;

class FaultFinder {
 public:
  FaultFinder(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track, const MotionFit& fit)
      : subject_(subject),
        track_(track),
        fit_(fit),
        refit_(subject, robot, {}),
        tree_(robot),
        bodies_(segment_bodies(subject.skeleton, robot)) {}

  std::vector<LabelFault> find() {
    for (std::size_t frame = 0; frame < track_.num_frames(); ++frame) look_at(frame);
    for (auto& [key, open] : open_) done_.push_back(open);
    std::ranges::sort(done_, {}, [](const LabelFault& fault) { return std::pair(fault.first_frame, fault.label); });
    return done_;
  }

 private:
  Eigen::Vector3d model(std::size_t marker) const {
    const BodyMarker& at = subject_.markers[marker];
    return tree_.point(bodies_[static_cast<std::size_t>(at.segment)], at.offset);
  }

  void look_at(std::size_t frame) {
    std::vector<std::size_t> suspects;
    for (std::size_t i = 0; i < track_.num_markers; ++i) {
      if (fit_.residual(frame, i) > kSuspect) suspects.push_back(i);
    }
    if (suspects.empty()) {
      last_good_ = frame;
      return;
    }
    tree_.update(fit_.motion.q.col(static_cast<Eigen::Index>(frame)));
    const auto seen = track_.frame(frame);
    std::vector<bool> is_explained(track_.num_markers, false);
    for (std::size_t a = 0; a < suspects.size(); ++a) {
      for (std::size_t b = a + 1; b < suspects.size(); ++b) {
        const std::size_t i = suspects[a], k = suspects[b];
        const double crossed = std::hypot((seen[i] - model(k)).norm(), (seen[k] - model(i)).norm());
        const double straight = std::hypot(fit_.residual(frame, i), fit_.residual(frame, k));
        if (crossed > kBetter * straight) continue;
        is_explained[i] = is_explained[k] = true;
        note({i, k}, frame, straight);
      }
    }
    for (const std::size_t i : suspects) {
      if (is_explained[i] || fit_.residual(frame, i) <= kFarOff) continue;
      const std::optional<std::size_t> other = swapped_on_segment(frame, i);
      if (other) is_explained[*other] = true;
      note({other ? std::min(i, *other) : i, other ? std::optional(std::max(i, *other)) : other}, frame,
           fit_.residual(frame, i));
    }
  }

  /// Two swapped markers of one segment can rotate it (those of a wrist rotate the forearm), so that only one of them
  /// has a large residual: the posture is fitted again with each pair swapped.
  std::optional<std::size_t> swapped_on_segment(std::size_t frame, std::size_t marker) {
    const auto seen = track_.frame(frame);
    std::vector<Eigen::Vector3d> tried(seen.begin(), seen.end());
    Eigen::VectorXd q = fit_.motion.q.col(static_cast<Eigen::Index>(frame));
    double best = kBetter * refit_.fit(tried, q).cost;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (i == marker || subject_.markers[i].segment != subject_.markers[marker].segment) continue;
      if (!seen[i].allFinite()) continue;
      std::swap(tried[i], tried[marker]);
      // The wrong posture may be far from the right one: start from the last good one.
      q = fit_.motion.q.col(static_cast<Eigen::Index>(last_good_));
      const double cost = refit_.fit(tried, q).cost;
      if (cost < best) {
        best = cost;
        found = i;
      }
      std::swap(tried[i], tried[marker]);
    }
    return found;
  }

  void note(const Key& key, std::size_t frame, double distance) {
    auto open = open_.find(key);
    if (open != open_.end() && frame > open->second.last_frame + kBridge + 1) {
      done_.push_back(open->second);
      open_.erase(open);
      open = open_.end();
    }
    if (open == open_.end()) {
      LabelFault fault{.label = subject_.markers[key.first].label, .first_frame = frame};
      if (key.second) fault.other = subject_.markers[*key.second].label;
      open = open_.emplace(key, fault).first;
    }
    open->second.last_frame = frame;
    open->second.distance_m = std::max(open->second.distance_m, distance);
  }

  const SubjectModel& subject_;
  const MarkerTrack& track_;
  const MotionFit& fit_;
  MarkerFit refit_;
  TreeKinematics tree_;
  std::vector<int> bodies_;
  std::size_t last_good_ = 0;
  std::map<Key, LabelFault> open_;
  std::vector<LabelFault> done_;
};

}  // namespace

std::vector<LabelFault> find_label_faults(const SubjectModel& subject, const RobotModel& robot,
                                          const MarkerTrack& track, const MotionFit& fit) {
  return FaultFinder(subject, robot, track, fit).find();
}

void undo_swaps(const std::vector<LabelFault>& faults, const SubjectModel& subject, MarkerTrack& track) {
  const auto index = [&](const std::string& label) {
    return static_cast<std::size_t>(std::ranges::find(subject.markers, label, &BodyMarker::label) -
                                    subject.markers.begin());
  };
  for (const LabelFault& fault : faults) {
    if (fault.other.empty()) continue;
    const std::size_t one = index(fault.label), other = index(fault.other);
    for (std::size_t frame = fault.first_frame; frame <= fault.last_frame; ++frame) {
      std::swap(track.positions[frame * track.num_markers + one], track.positions[frame * track.num_markers + other]);
    }
  }
}

}  // namespace aplomb
