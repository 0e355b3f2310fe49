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
  const Eigen::Vector2d over = standing_com(human, frame, overlay, clip.heel_x, clip.toe_x);
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
  const ComMap map = make_com_map(human, overlay.scale, anchors);
  overlay.shift.resize(3 * static_cast<Eigen::Index>(overlay.markers.size()), human.num_frames());
  for (Eigen::Index i = 0; i < human.num_frames(); ++i) {
    const ComMap::Between at = map.between(i);
    overlay.shift.col(i) = (1.0 - at.part) * shifts[at.from] + at.part * shifts[at.to];
  }
  return map;
}

}  // namespace aplomb
