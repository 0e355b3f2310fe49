#include "aplomb/retarget/mapping/foot_paths.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

/// The person's sole: centre, and turn from its pose in the reference frame of HumanPath::feet.
struct SolePose {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
};

class PathMaker {
 public:
  PathMaker(const HumanPath& human, std::size_t side, const Eigen::Isometry3d& first, const Overlay& overlay)
      : human_(human), row_(static_cast<Eigen::Index>(6 * side)), first_(first), overlay_(overlay) {
    const ContactSite site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot;
    for (const ContactInterval& contact : human.contacts) {
      if (contact.site == site) stances_.push_back(contact);
    }
    std::ranges::sort(stances_, {}, &ContactInterval::begin);
    if (stances_.empty() || human.feet.cols() == 0) stances_ = {{site, 0, human.num_frames()}};
  }

  FootPath make() {
    const Eigen::Index count = human_.num_frames();
    const auto reference = static_cast<std::size_t>(nearest_stance(human_.rise.overlay));
    for (const ContactInterval& stance : stances_) poses_.push_back(mean_pose(stance));
    for (const SolePose& pose : poses_) {
      const Eigen::Vector3d shift = overlay_.scale * (pose.centre - poses_[reference].centre);
      const double yaw = pose.turn.z() - poses_[reference].turn.z();
      Eigen::Isometry3d place = first_;
      place.translation().head<2>() += shift.head<2>();  // the floor is level
      place.linear() = rotation_by(yaw * Eigen::Vector3d::UnitZ()) * first_.linear();
      path_.places.push_back(place);
    }
    path_.moved.resize(3, count);
    path_.off.resize(2, count);
    for (Eigen::Index i = 0; i < count; ++i) add_frame(i);
    return std::move(path_);
  }

 private:
  SolePose pose_at(Eigen::Index frame) const {
    if (human_.feet.cols() == 0) return {};
    return {human_.feet.block<3, 1>(row_, frame), human_.feet.block<3, 1>(row_ + 3, frame)};
  }

  /// Over the middle half of a stance: without heel strike and heel rise.
  SolePose mean_pose(const ContactInterval& stance) const {
    const Eigen::Index quarter = (stance.end - stance.begin) / 4;
    const Eigen::Index begin = stance.begin + quarter, end = std::max(begin + 1, stance.end - quarter);
    SolePose mean;
    for (Eigen::Index i = begin; i < end; ++i) {
      const SolePose pose = pose_at(i);
      mean.centre += pose.centre / static_cast<double>(end - begin);
      mean.turn += pose.turn / static_cast<double>(end - begin);
    }
    return mean;
  }

  Eigen::Index nearest_stance(Eigen::Index frame) const {
    const auto away = [&](const ContactInterval& stance) {
      return std::max({Eigen::Index{0}, stance.begin - frame, frame - stance.end + 1});
    };
    return std::ranges::min_element(stances_, {}, away) - stances_.begin();
  }

  /// The person's pose as seen from a place.
  Eigen::Isometry3d seen_from(std::size_t stance, const SolePose& pose) const {
    Eigen::Isometry3d seen = path_.places[stance];
    seen.translation() += overlay_.scale * (pose.centre - poses_[stance].centre);
    seen.linear() =
        rotation_by(pose.turn) * rotation_by(poses_[stance].turn).transpose() * path_.places[stance].linear();
    return seen;
  }

  Eigen::Vector2d off(std::size_t stance) const {
    if (human_.feet.cols() == 0) return Eigen::Vector2d::Zero();
    return (path_.places[stance].translation() - overlay_.map(poses_[stance].centre)).head<2>();
  }

  void add_frame(Eigen::Index i) {
    const auto near = static_cast<std::size_t>(nearest_stance(i));
    const ContactInterval& stance = stances_[near];
    path_.place.push_back(static_cast<Eigen::Index>(near));
    const bool is_on = stance.begin <= i && i < stance.end;
    path_.is_on.push_back(is_on ? 1 : 0);
    // The stances before and after, and how far it is from the first to the second.
    std::size_t from = near, to = near;
    double part = 0.0;
    if (!is_on && i < stance.begin && near > 0) from = near - 1;
    if (!is_on && i >= stance.end && near + 1 < stances_.size()) to = near + 1;
    if (from != to) {
      const auto begin = static_cast<double>(stances_[from].end), end = static_cast<double>(stances_[to].begin);
      const double u = (static_cast<double>(i) - begin + 1.0) / (end - begin + 1.0);
      part = u * u * (3.0 - 2.0 * u);
    }
    Eigen::Isometry3d pose = path_.places[near];
    if (!is_on) {
      const SolePose own = pose_at(i);
      const Eigen::Isometry3d one = seen_from(from, own), other = seen_from(to, own);
      pose.translation() = (1.0 - part) * one.translation() + part * other.translation();
      pose.linear() =
          Eigen::Quaterniond(one.linear()).slerp(part, Eigen::Quaterniond(other.linear())).toRotationMatrix();
    }
    path_.pose.push_back(pose);
    const auto shift = [&](std::size_t k) { return path_.places[k].translation() - first_.translation(); };
    path_.moved.col(i) = (1.0 - part) * shift(from) + part * shift(to);
    path_.off.col(i) = (1.0 - part) * off(from) + part * off(to);
  }

  const HumanPath& human_;
  Eigen::Index row_;
  Eigen::Isometry3d first_;
  const Overlay& overlay_;
  std::vector<ContactInterval> stances_;
  std::vector<SolePose> poses_;
  FootPath path_;
};

}  // namespace

std::array<FootPath, 2> foot_paths(const HumanPath& human, const RobotModel& robot, const TreeKinematics& tree,
                                   const Overlay& overlay) {
  std::array<FootPath, 2> feet;
  for (std::size_t side = 0; side < 2; ++side) {
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    Eigen::Isometry3d T_world_body = Eigen::Isometry3d::Identity();
    T_world_body.linear() = tree.rotation(foot.body);
    T_world_body.translation() = tree.origin(foot.body);
    const Eigen::Isometry3d first =
        T_world_body * foot.T_body_link * Eigen::Translation3d(robot.description().soles[side]->centre());
    feet[side] = PathMaker(human, side, first, overlay).make();
  }
  return feet;
}

Eigen::Matrix2Xd stance_shift(const HumanPath& human, const std::array<FootPath, 2>& feet) {
  Eigen::Matrix2Xd shift;
  if (human.feet.cols() == 0 || (feet[0].stays() && feet[1].stays())) return shift;
  shift.resize(2, human.num_frames());
  for (Eigen::Index i = 0; i < shift.cols(); ++i) {
    const Eigen::Vector2d right = human.feet.block<2, 1>(6, i), across = human.feet.block<2, 1>(0, i) - right;
    const double lambda = (human.com.col(i).head<2>() - right).dot(across) / across.squaredNorm();
    shift.col(i) = (std::clamp(lambda, 0.0, 1.0) - 0.5) * (feet[0].off.col(i) - feet[1].off.col(i));
  }
  return shift;
}

}  // namespace aplomb
