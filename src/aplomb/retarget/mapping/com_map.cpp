#include "aplomb/retarget/mapping/com_map.hpp"

#include <algorithm>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

Eigen::Vector3d ComMap::offset(Eigen::Index frame, double height) const {
  const bool is_seated = frame <= rise.seat_off;
  const Eigen::Index begin = is_seated ? rise.onset : rise.seat_off;
  const Eigen::Index end = is_seated ? rise.seat_off : rise.stand;
  const double part = minimum_jerk(static_cast<double>(frame - begin), static_cast<double>(end - begin)).position;
  const std::size_t first = is_seated ? 0 : 1;
  Eigen::Vector3d o = (1.0 - part) * offsets[first] + part * offsets[first + 1];
  if (!is_seated && heights[1] > heights[0]) {
    const double risen = (height - heights[0]) / (heights[1] - heights[0]);
    o.z() = (1.0 - risen) * offsets[1].z() + risen * offsets[2].z();
  }
  return o;
}

ComMap make_com_map(const HumanPath& human, double scale, const std::array<Eigen::Vector3d, 3>& anchors) {
  ComMap map{.scale = scale, .anchors = anchors, .rise = human.rise};
  map.heights = {human.com(2, human.rise.seat_off), human.com(2, human.num_frames() - 1)};
  const std::array<Eigen::Index, 3> frames{human.rise.overlay, human.rise.seat_off - 1, human.num_frames() - 1};
  for (std::size_t i = 0; i < 3; ++i) map.offsets[i] = anchors[i] - scale * human.com.col(frames[i]);
  return map;
}

Eigen::Vector2d standing_com(const HumanPath& human, const Overlay& overlay, double heel_x, double toe_x) {
  const Eigen::Vector3d com = human.com.col(human.num_frames() - 1);
  const double share = std::clamp((com.x() - human.heel_x) / (human.toe_x - human.heel_x), 0.25, 0.75);
  return {heel_x + share * (toe_x - heel_x), overlay.map(com).y()};
}

}  // namespace aplomb
