#include "aplomb/retarget/frames/hand_rows.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/retarget/mapping/planted.hpp"

namespace aplomb {
namespace {

constexpr double kRelease = 0.30;  // [s] after the release over which the equations of a hand soften
constexpr double kLifted = 0.60;   // [s] after the release during which a hand stays above its rest
constexpr double kSoftnessBegin = 1e-2, kSoftnessEnd = 1e2;  // at begin and end of kRelease

}  // namespace

std::vector<PointRow> resting_hand(const RestingHand& hand) {
  std::vector<PointRow> rows;
  for (int axis = 0; axis < 3; ++axis) {
    rows.push_back({.body = hand.body,
                    .offset = hand.offset,
                    .direction = Eigen::Vector3d::Unit(axis),
                    .value = hand.place[axis],
                    .softness = kPlantedSoftness});
  }
  return rows;
}

void ask_hand(const RestingHand& hand, double since_s, double lift, std::span<PointRow> rows) {
  const double u = std::clamp(since_s / kRelease, 0.0, 1.0);
  for (PointRow& row : rows) {
    row.kind = since_s < kRelease ? RowKind::equal : RowKind::off;
    row.softness = since_s < 0.0 ? kPlantedSoftness : kSoftnessBegin * std::pow(kSoftnessEnd / kSoftnessBegin, u);
  }
  PointRow& up = rows[2];
  up.value = hand.place.z() + lift * minimum_jerk(since_s, kRelease).position;
  if (since_s < 0.0) return;
  up.kind = since_s < kLifted ? RowKind::at_least : RowKind::off;
  up.softness = kPlantedSoftness;
}

}  // namespace aplomb
