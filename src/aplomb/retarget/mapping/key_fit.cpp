#include "aplomb/retarget/mapping/key_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "aplomb/retarget/mapping/adopt_posture.hpp"
#include "aplomb/retarget/mapping/com_map.hpp"

namespace aplomb {
namespace {

/// The robot with the person's angles in a frame.
Eigen::VectorXd like_person(const KeyClip& clip, Eigen::Index frame, KeyFrame::Kind kind, const Overlay& overlay,
                            const RobotState& guess) {
  const HumanPath &human = clip.human, &own = clip.own;
  const double time_s = human.start_s + static_cast<double>(frame) / human.rate_hz - own.start_s;
  const auto shown = static_cast<Eigen::Index>(std::lround(time_s * own.rate_hz));
  const LimbAngles person = angles_of_person(clip.trial, own, std::clamp<Eigen::Index>(shown, 0, own.num_frames() - 1));
  if (kind != KeyFrame::Kind::standing) return adopt_posture(clip.robot, clip.limbs, guess, person).q;
  const Eigen::Vector3d moved = 0.5 * (clip.feet[0].moved.col(frame) + clip.feet[1].moved.col(frame));
  Eigen::Vector2d over = standing_com(human, frame, overlay, clip.heel_x, clip.toe_x, moved.x());
  if (const Eigen::Matrix2Xd shift = stance_shift(human, clip.feet); shift.cols() > 0) over += shift.col(frame);
  return adopt_standing_posture(clip.robot, clip.limbs, guess, person, over).q;
}

/// Shift of the markers' targets with which a posture meets them in a frame.
Eigen::VectorXd shift_to(const TreeKinematics& tree, const HumanPath& human, const Overlay& overlay,
                         Eigen::Index frame) {
  Eigen::VectorXd shift(3 * static_cast<Eigen::Index>(overlay.markers.size()));
  for (std::size_t k = 0; k < overlay.markers.size(); ++k) {
    const RobotMarker& marker = overlay.markers[k];
    shift.segment<3>(3 * static_cast<Eigen::Index>(k)) =
        tree.point(marker.body, marker.offset) - overlay.map(human.marker(overlay.sources[k], frame));
  }
  return shift;
}

}  // namespace

ComMap fit_keys(const KeyClip& clip, const Eigen::MatrixXd& guess, Overlay& overlay) {
  const HumanPath& human = clip.human;
  TreeKinematics tree(clip.robot);
  std::vector<Eigen::Vector3d> anchors;
  std::vector<Eigen::VectorXd> shifts;
  for (const KeyFrame& key : human.keys) {
    const Eigen::Index frame = anchor_frame(human, key);
    const bool is_seated = key.kind == KeyFrame::Kind::seated;
    const RobotState start{guess.col(frame), Eigen::VectorXd::Zero(clip.robot.nv())};
    tree.update(is_seated ? clip.seated.state.q : like_person(clip, frame, key.kind, overlay, start));
    anchors.push_back(tree.com());
    shifts.push_back(shift_to(tree, human, overlay, frame));
    if (is_seated) shifts.back().setZero();  // there the markers are laid over the robot
  }
  ComMap map = make_com_map(human, overlay.scale, anchors);
  overlay.shift.resize(3 * static_cast<Eigen::Index>(overlay.markers.size()), human.num_frames());
  for (Eigen::Index i = 0; i < human.num_frames(); ++i) {
    const ComMap::Between at = map.between(i);
    overlay.shift.col(i) = (1.0 - at.part) * shifts[at.from] + at.part * shifts[at.to];
  }
  map.stance_shift = stance_shift(human, clip.feet);
  if (map.stance_shift.cols() == 0) return map;
  // The anchors have that of their frames already. Markers follow it as far as they are up the legs.
  Eigen::Matrix2Xd of_keys(2, human.num_frames());
  for (Eigen::Index i = 0; i < human.num_frames(); ++i) {
    const ComMap::Between at = map.between(i);
    const auto key = [&](std::size_t k) -> Eigen::Vector2d {
      return map.stance_shift.col(anchor_frame(human, map.anchors[k].key));
    };
    of_keys.col(i) = (1.0 - at.part) * key(at.from) + at.part * key(at.to);
  }
  map.stance_shift -= of_keys;
  const double legs = clip.limbs.leg_length();
  for (Eigen::Index i = 0; i < human.num_frames(); ++i) {
    for (std::size_t k = 0; k < overlay.markers.size(); ++k) {
      const double up = std::clamp(overlay.map(human.marker(overlay.sources[k], i)).z() / legs, 0.0, 1.0);
      overlay.shift.block<2, 1>(3 * static_cast<Eigen::Index>(k), i) += up * map.stance_shift.col(i);
    }
  }
  return map;
}

}  // namespace aplomb
