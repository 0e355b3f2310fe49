#include "aplomb/retarget/mapping/human_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kStill = 0.05;     // fraction of the greatest CoM speed below which the body counts as still
constexpr double kMinSeated = 0.2;  // [s] shortest time on the seat before seat-off that the overlay needs
constexpr double kMaxRest = 0.5;    // [s] longest part of sitting still that is kept

Eigen::Index frame_at(const HumanMotion& motion, double time_s) {
  const double frame = std::ceil((time_s - motion.start_s) * motion.rate_hz - 1e-6);
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(frame), 0, motion.num_frames() - 1);
}

struct Range {
  Eigen::Index begin = 0, end = 0;  ///< frames of the recording that may be used
  Eigen::Index seat_off = 0;
  HandContacts hands{};
};

Range find_range(const HumanTrial& trial, std::size_t rise) {
  const HumanMotion& motion = trial.motion;
  if (trial.rises.empty()) {
    throw InvalidValue(
        fmt::format("'{}' has no frame on a seat: nobody rises in it, so there is no posture to lay "
                    "over the seated robot (`aplomb human` lists the rises that it finds)",
                    trial.name));
  }
  if (rise >= trial.rises.size()) {
    throw InvalidValue(
        fmt::format("'{}' has {} rises; there is no number {}", trial.name, trial.rises.size(), rise + 1));
  }
  Range range{.end = motion.num_frames()};
  range.seat_off = frame_at(motion, trial.rises[rise].seat_off_s);
  range.hands = trial.rises[rise].hands;
  if (rise > 0) range.begin = frame_at(motion, trial.rises[rise - 1].seat_on_s);
  if (std::isfinite(trial.rises[rise].seat_on_s)) range.end = frame_at(motion, trial.rises[rise].seat_on_s);
  const double seated_s = static_cast<double>(range.seat_off - range.begin) / motion.rate_hz;
  if (seated_s < kMinSeated) {
    throw InvalidValue(
        fmt::format("'{}' shows only {:.2f} s on the seat before it is left at {:.2f} s; {:.1f} s are "
                    "needed to lay the seated body over the robot",
                    trial.name, seated_s, trial.rises[rise].seat_off_s, kMinSeated));
  }
  return range;
}

/// Speeds of the centre of mass [m/s].
Eigen::VectorXd speeds(const Eigen::Matrix3Xd& com, double rate_hz) {
  return derivative(com, rate_hz).colwise().norm();
}

/// First frame at rest after the rise; the highest one when the body is never still.
Eigen::Index find_stand(const Eigen::VectorXd& speed, const Eigen::Matrix3Xd& com, Eigen::Index seat_off) {
  Eigen::Index fastest = 0;
  const Eigen::Index count = speed.size() - seat_off;
  Eigen::Index highest = 0;
  com.row(2).tail(count).maxCoeff(&highest);
  const double most = speed.segment(seat_off, std::max<Eigen::Index>(1, highest)).maxCoeff(&fastest);
  for (Eigen::Index i = seat_off + fastest; i < speed.size(); ++i) {
    if (speed[i] < kStill * most) return i;
  }
  return seat_off + highest;
}

/// Resamples signals (rows) `factor` times as slow, by cubic interpolation.
Eigen::MatrixXd sampled(const Eigen::MatrixXd& samples, double factor, Eigen::Index count) {
  const Eigen::Index last = samples.cols() - 1;
  const auto at = [&](Eigen::Index i) { return samples.col(std::clamp<Eigen::Index>(i, 0, last)); };
  Eigen::MatrixXd made(samples.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double place = std::min(static_cast<double>(i) / factor, static_cast<double>(last));
    const auto before = static_cast<Eigen::Index>(place);
    const double u = place - static_cast<double>(before);
    const Eigen::VectorXd slope = 0.5 * (at(before + 1) - at(before - 1));
    const Eigen::VectorXd next_slope = 0.5 * (at(before + 2) - at(before));
    made.col(i) = (1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u) * at(before) + u * u * (3.0 - 2.0 * u) * at(before + 1) +
                  u * (1.0 - u) * (1.0 - u) * slope - u * u * (1.0 - u) * next_slope;
  }
  return made;
}

/// Computes markers and CoM over a range of frames and cuts out the rise.
class PathBuilder {
 public:
  PathBuilder(const HumanTrial& trial, const Range& range)
      : trial_(trial),
        range_(range),
        robot_(human_robot(trial.subject.skeleton)),
        tree_(robot_),
        bodies_(segment_bodies(trial.subject.skeleton, robot_)) {}

  HumanPath make() {
    path_.rate_hz = trial_.motion.rate_hz;
    for (const BodyMarker& marker : trial_.subject.markers) {
      path_.labels.push_back(marker.label);
      path_.segments.push_back(marker.segment);
    }
    follow();
    cut();
    measure_body();
    return std::move(path_);
  }

 private:
  void follow() {
    const Eigen::Index count = range_.end - range_.begin;
    path_.com.resize(3, count);
    path_.markers.resize(3 * static_cast<Eigen::Index>(path_.labels.size()), count);
    for (Eigen::Index i = 0; i < count; ++i) {
      tree_.update(trial_.motion.q.col(range_.begin + i));
      path_.com.col(i) = tree_.com();
      for (std::size_t k = 0; k < path_.labels.size(); ++k) {
        const BodyMarker& marker = trial_.subject.markers[k];
        path_.markers.block<3, 1>(3 * static_cast<Eigen::Index>(k), i) =
            tree_.point(bodies_[static_cast<std::size_t>(marker.segment)], marker.offset);
      }
    }
  }

  /// Keeps the rest before the rise, and the frames after it until the CoM is 2 % of the rise below its highest.
  void cut() {
    const Eigen::Index seat_off = range_.seat_off - range_.begin;
    const Eigen::VectorXd speed = speeds(path_.com, path_.rate_hz);
    // A person who rises again at once is never still: then the slowest moment counts as rest.
    const auto seated = speed.segment(2, seat_off - 2);  // the very first speeds are one-sided
    const double still = std::max(kStill * seated.maxCoeff(), 1.05 * seated.minCoeff());
    Eigen::Index onset = 0;
    for (Eigen::Index i = 0; i < seat_off; ++i) {
      if (speed[i] <= still) onset = i;
    }
    const auto rest = static_cast<Eigen::Index>(kMaxRest * path_.rate_hz);
    first_ = onset;
    while (first_ > 0 && onset - first_ < rest && speed[first_ - 1] <= 2.0 * still) --first_;
    const Eigen::Index stand = std::max(seat_off + 1, find_stand(speed, path_.com, seat_off));
    const double top = path_.com.row(2).tail(path_.com.cols() - seat_off).maxCoeff();
    const double low = top - 0.02 * (top - path_.com(2, seat_off));
    Eigen::Index last = stand;
    while (last + 1 < path_.com.cols() && path_.com(2, last + 1) > low) ++last;
    path_.start_s = trial_.motion.time_s(range_.begin + first_);
    path_.com = path_.com.middleCols(first_, last - first_ + 1).eval();
    path_.markers = path_.markers.middleCols(first_, last - first_ + 1).eval();
    path_.rise = {.overlay = (onset - first_) / 2,
                  .onset = onset - first_,
                  .seat_off = seat_off - first_,
                  .stand = std::min(stand, last) - first_};
    take_hands();
  }

  void take_hands() {
    path_.hand_share = range_.hands.share;
    for (std::size_t side = 0; side < 2; ++side) {
      if (!range_.hands.off_s[side]) continue;
      const Eigen::Index off = frame_at(trial_.motion, *range_.hands.off_s[side]) - range_.begin - first_;
      // A push that ends at seat-off, or lasts until the body is up, cannot be planned.
      if (off > path_.rise.seat_off && off < path_.rise.stand) path_.rise.hand_off[side] = off;
    }
  }

  void measure_body() {
    tree_.update(trial_.motion.q.col(range_.begin + first_ + path_.rise.overlay));
    const Skeleton& skeleton = trial_.subject.skeleton;
    path_.heel_x = HUGE_VAL;
    path_.toe_x = -HUGE_VAL;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string prefix = side == 0 ? "left_" : "right_";
      const auto body = [&](const char* part) {
        return bodies_[static_cast<std::size_t>(skeleton.segment(prefix + part))];
      };
      const Eigen::Vector3d hip = tree_.origin(body("thigh")), knee = tree_.origin(body("shank"));
      const Eigen::Vector3d ankle = tree_.origin(body("foot"));
      path_.ankles += 0.5 * ankle;
      path_.wrists[side] = tree_.origin(body("hand"));
      path_.leg_length += 0.5 * ((hip - knee).norm() + (knee - ankle).norm());
      for (const Eigen::Vector3d& corner : robot_.description().soles[side]->corners()) {
        const double x = tree_.point(body("foot"), corner).x();
        path_.heel_x = std::min(path_.heel_x, x);
        path_.toe_x = std::max(path_.toe_x, x);
      }
    }
  }

  const HumanTrial& trial_;
  Range range_;
  RobotModel robot_;
  TreeKinematics tree_;
  std::vector<int> bodies_;
  HumanPath path_;
  Eigen::Index first_ = 0;
};

}  // namespace

HumanPath slowed(const HumanPath& path, double factor) {
  HumanPath slow = path;
  const auto frame = [factor](Eigen::Index i) {
    return static_cast<Eigen::Index>(std::lround(factor * static_cast<double>(i)));
  };
  slow.rise = {frame(path.rise.overlay),
               frame(path.rise.onset),
               frame(path.rise.seat_off),
               frame(path.rise.stand),
               {frame(path.rise.hand_off[0]), frame(path.rise.hand_off[1])}};
  const Eigen::Index count = frame(path.num_frames() - 1) + 1;
  slow.com = sampled(path.com, factor, count);
  slow.markers = sampled(path.markers, factor, count);
  return slow;
}

HumanPath human_path(const HumanTrial& trial, std::size_t rise) {
  return PathBuilder(trial, find_range(trial, rise)).make();
}

}  // namespace aplomb
