#include "aplomb/motion/grade/foot_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {
namespace {

void find_stance(FootTrack& foot, double rate_hz, const StanceRule& rule) {
  const Eigen::Index frames = foot.centre.cols();
  const auto least = std::max<Eigen::Index>(2, static_cast<Eigen::Index>(std::lround(rule.shortest_s * rate_hz)));
  foot.stance.assign(static_cast<std::size_t>(frames), false);
  Eigen::Index begin = 0;
  for (Eigen::Index i = 0; i <= frames; ++i) {
    const bool holds = i < frames && foot.lowest[static_cast<std::size_t>(i)] < rule.height_m &&
                       foot.velocity.col(i).norm() < rule.speed_m_per_s;
    if (holds) continue;
    if (i - begin >= least) std::fill(foot.stance.begin() + begin, foot.stance.begin() + i, true);
    begin = i + 1;
  }
}

}  // namespace

std::array<FootTrack, 2> track_feet(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                                    const StanceRule& rule) {
  constexpr const char* kSides[] = {"left", "right"};
  std::array<FootTrack, 2> feet;
  for (const int side : {kLeft, kRight}) {
    if (!robot.description().soles[side]) {
      throw InvalidValue(fmt::format(
          "{} has no {} sole: contacts cannot be found; `aplomb info ROBOT --write-yaml FILE` guesses soles",
          robot.name(), kSides[side]));
    }
    FootTrack& foot = feet[static_cast<std::size_t>(side)];
    const LinkPlacement& link =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    foot.body = link.body;
    foot.T_body_foot = link.T_body_link;
    foot.sole = *robot.description().soles[side];
    foot.centre.resize(3, q.cols());
    foot.normal = foot.forward = foot.centre;
    foot.corners.resize(static_cast<std::size_t>(q.cols()));
  }
  TreeKinematics tree(robot);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    tree.update(q.col(i));
    for (FootTrack& foot : feet) {
      double lowest = std::numeric_limits<double>::infinity();
      const std::array<Eigen::Vector3d, 4> corners = foot.sole.corners();
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const Eigen::Vector3d corner = tree.point(foot.body, foot.T_body_foot * corners[k]);
        lowest = std::min(lowest, corner.z());
        foot.corners[static_cast<std::size_t>(i)][k] = corner.head<2>();
      }
      foot.lowest.push_back(lowest);
      foot.centre.col(i) = tree.point(foot.body, foot.T_body_foot * foot.sole.centre());
      const Eigen::Matrix3d turn = tree.rotation(foot.body) * foot.T_body_foot.linear();
      foot.forward.col(i) = turn.col(0);
      foot.normal.col(i) = turn.col(2);
    }
  }
  for (FootTrack& foot : feet) {
    foot.velocity = central_difference(foot.centre, rate_hz);
    find_stance(foot, rate_hz, rule);
  }
  return feet;
}

}  // namespace aplomb
