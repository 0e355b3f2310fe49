#include "aplomb/retarget/mapping/com_map.hpp"

#include <algorithm>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

/// Whether the body is off the seat between two keys.
bool is_off_between(const ComMap::Anchor& from, const ComMap::Anchor& to) {
  return (from.key.kind == KeyFrame::Kind::seat_off || from.key.kind == KeyFrame::Kind::standing) &&
         (to.key.kind == KeyFrame::Kind::seat_on || to.key.kind == KeyFrame::Kind::standing);
}

}  // namespace

ComMap::Between ComMap::between(Eigen::Index frame) const {
  std::size_t next = 0;
  while (next < anchors.size() && anchors[next].key.first < frame) ++next;
  if (next == 0) return {};
  const Anchor& from = anchors[next - 1];
  if (next == anchors.size() || frame <= from.key.last) return {next - 1, next - 1, 0.0};
  return {next - 1, next,
          minimum_jerk(static_cast<double>(frame - from.key.last),
                       static_cast<double>(anchors[next].key.first - from.key.last))
              .position};
}

Eigen::Vector3d ComMap::offset(Eigen::Index frame, double height) const {
  const Between at = between(frame);
  const Anchor &from = anchors[at.from], &to = anchors[at.to];
  Eigen::Vector3d o = (1.0 - at.part) * from.offset + at.part * to.offset;
  if (is_off_between(from, to) && std::abs(to.height - from.height) > 1e-3) {
    const double risen = (height - from.height) / (to.height - from.height);
    o.z() = (1.0 - risen) * from.offset.z() + risen * to.offset.z();
  }
  if (stance_shift.cols() > 0) o.head<2>() += stance_shift.col(frame);
  return o;
}

double ComMap::anchor_change() const {
  double most = 0.0;
  for (std::size_t i = 1; i < anchors.size(); ++i) {
    if (is_off_between(anchors[i - 1], anchors[i]))
      most = std::max(most, (anchors[i].offset - anchors[i - 1].offset).norm());
  }
  return most;
}

Eigen::Index anchor_frame(const HumanPath& human, const KeyFrame& key) {
  if (key.kind == KeyFrame::Kind::seated) return (key.first + key.last) / 2;
  if (key.kind == KeyFrame::Kind::seat_off) return std::max<Eigen::Index>(0, key.first - 1);
  const bool is_end = key.last == human.num_frames() - 1;
  return key.kind == KeyFrame::Kind::standing && is_end ? key.last : key.first;
}

ComMap make_com_map(const HumanPath& human, double scale, const std::vector<Eigen::Vector3d>& anchors) {
  ComMap map{.scale = scale};
  for (std::size_t i = 0; i < human.keys.size(); ++i) {
    const Eigen::Vector3d person = human.com.col(anchor_frame(human, human.keys[i]));
    map.anchors.push_back(
        {.key = human.keys[i], .com = anchors[i], .offset = anchors[i] - scale * person, .height = person.z()});
  }
  return map;
}

Eigen::Vector2d standing_com(const HumanPath& human, Eigen::Index frame, const Overlay& overlay, double heel_x,
                             double toe_x, double moved_x) {
  const double share = (human.com(0, frame) - moved_x / overlay.scale - human.heel_x) / (human.toe_x - human.heel_x);
  const double x = heel_x + std::clamp(share, 0.25, 0.75) * (toe_x - heel_x) + moved_x;
  return {x, overlay.map(human.com.col(frame)).y()};
}

}  // namespace aplomb
