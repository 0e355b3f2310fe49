#include "aplomb/demonstrator/motion/style.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {
namespace {

constexpr double kStraight = 0.15;  // [rad] knee flexion in relaxed standing
constexpr double kStep = 0.20;      // [m] length of a step

std::vector<DemonstrationStyle> rises() {
  return {
      {.name = "natural",
       .about = "stands up from a chair at an easy pace",
       .is_seated = true,
       .shank_lean = 0.454,
       .seat_off_s = 1.0,
       .trunk = {{0.3, 0.0}, {1.2, 0.75}, {2.45, 0.0}},
       .stations = {{2.35, kStraight, 0.045}},
       .duration_s = 3.3},
      {.name = "elderly",
       .about = "bends the trunk deeply, so that the CoM sinks, rises slowly, and settles back",
       .is_seated = true,
       .shank_lean = 0.384,
       .seat_off_s = 1.3,
       .trunk = {{0.3, 0.05}, {1.45, 1.15}, {3.0, 0.10}},
       .stations = {{2.9, kStraight, 0.020}},
       .duration_s = 3.8},
      {.name = "fast",
       .about = "stands up from a chair in a hurry",
       .is_seated = true,
       .shank_lean = 0.454,
       .seat_off_s = 0.75,
       .trunk = {{0.3, 0.0}, {0.88, 0.85}, {1.65, 0.0}},
       .stations = {{1.65, kStraight, 0.045}},
       .duration_s = 2.6},
      {.name = "arm_rests",
       .about = "stands up from a chair with arm rests and pushes off them with both hands",
       .is_seated = true,
       .shank_lean = 0.454,
       .seat_off_s = 1.1,
       .trunk = {{0.3, 0.0}, {1.3, 0.65}, {2.75, 0.0}},
       .stations = {{2.65, kStraight, 0.045}},
       .duration_s = 3.6,
       .hands = {.release_s = 1.62, .let_go_s = 0.40, .share_at_rest = 0.08, .share = 0.30}},
  };
}

/// A rise, played otherwise.
DemonstrationStyle played(DemonstrationStyle style, const char* name, const char* about,
                          DemonstrationStyle::Direction direction) {
  style.name = name;
  style.about = about;
  style.direction = direction;
  return style;
}

std::vector<DemonstrationStyle> make_styles() {
  using Direction = DemonstrationStyle::Direction;
  std::vector<DemonstrationStyle> styles = rises();
  const DemonstrationStyle natural = styles[0], elderly = styles[1];
  styles.push_back(
      played(natural, "sit_down", "stands, and sits down on a chair at an easy pace", Direction::backward));
  styles.push_back(
      played(elderly, "sit_down_elderly", "stands, bends the trunk deeply, and sits down slowly", Direction::backward));
  styles.push_back(played(natural, "sit_stand_sit", "stands up from a chair at an easy pace, and sits down again",
                          Direction::there_and_back));
  const std::vector<DemonstrationStyle> standing{
      {.name = "squat",
       .about = "stands, bends the knees deeply, and rises again; no chair",
       .trunk = {{0.4, 0.0}, {1.9, 0.70}, {2.2, 0.70}, {3.7, 0.0}},
       .stations = {{0.4, kStraight, 0.045}, {1.9, 1.70, 0.050}, {2.2, 1.70, 0.050}, {3.7, kStraight, 0.045}},
       .duration_s = 4.4},
      {.name = "lean",
       .about = "stands and leans forward, back, to the left and to the right; no chair",
       .trunk = {{0.4, 0.0}},
       .stations = {{0.4, kStraight, 0.045},
                    {1.6, kStraight, 0.105},
                    {2.0, kStraight, 0.105},
                    {3.6, kStraight, 0.005},
                    {4.0, kStraight, 0.005},
                    {5.4, kStraight, 0.045, 0.060},
                    {5.8, kStraight, 0.045, 0.060},
                    {7.6, kStraight, 0.045, -0.060},
                    {8.0, kStraight, 0.045, -0.060},
                    {9.4, kStraight, 0.045}},
       .duration_s = 10.0},
      {.name = "reach",
       .about = "stands and reaches far forward with both hands, and back; no chair",
       .trunk = {{0.4, 0.0}, {1.8, 0.40}, {2.3, 0.40}, {3.7, 0.0}},
       .stations = {{0.4, kStraight, 0.045}, {1.8, 0.25, 0.080}, {2.3, 0.25, 0.080}, {3.7, kStraight, 0.045}},
       .duration_s = 4.4,
       .reach = {.start_s = 0.4, .there_s = 1.8, .leave_s = 2.3, .back_s = 3.7, .flexion = 1.1}},
      {.name = "one_foot",
       .about = "stands on the left foot, lifts the right one, and puts it down again; no chair",
       .trunk = {{0.4, 0.0}},
       .stations = {{0.4, kStraight, 0.045},
                    {2.2, 0.25, 0.045, 0.0, 1.0},
                    {2.4, 0.25, 0.045, 0.0, 1.0},
                    {3.4, 0.25, 0.045, 0.0, 1.0},
                    {4.6, 0.25, 0.045, 0.0, 1.0},
                    {5.6, 0.25, 0.045, 0.0, 1.0},
                    {5.8, 0.25, 0.045, 0.0, 1.0},
                    {7.6, kStraight, 0.045}},
       .duration_s = 8.2,
       .foot_moves = {{.side = 1, .start_s = 2.4, .end_s = 3.4, .up = 0.12},
                      {.side = 1, .start_s = 4.6, .end_s = 5.6, .up = -0.12}}},
      {.name = "step",
       .about = "steps forward with the left foot, and draws the right one up to it; no chair",
       .trunk = {{0.4, 0.0}},
       .stations = {{0.4, kStraight, 0.045},
                    {2.2, 0.35, 0.045, 0.0, -1.0},
                    {2.4, 0.35, 0.045, 0.0, -1.0},
                    {3.5, 0.35, 0.045, 0.0, -1.0},
                    {3.7, 0.35, 0.045, 0.0, -1.0},
                    {5.9, 0.35, 0.045 + kStep, 0.0, 1.0},
                    {6.1, 0.35, 0.045 + kStep, 0.0, 1.0},
                    {7.2, 0.35, 0.045 + kStep, 0.0, 1.0},
                    {7.4, 0.35, 0.045 + kStep, 0.0, 1.0},
                    {9.2, kStraight, 0.045 + kStep}},
       .duration_s = 9.8,
       .foot_moves = {{.side = 0, .start_s = 2.4, .end_s = 3.5, .forward = kStep, .arc = 0.06},
                      {.side = 1, .start_s = 6.1, .end_s = 7.2, .forward = kStep, .arc = 0.06}}},
  };
  styles.insert(styles.end(), standing.begin(), standing.end());
  return styles;
}

}  // namespace

const std::vector<DemonstrationStyle>& demonstration_styles() {
  static const std::vector<DemonstrationStyle> styles = make_styles();
  return styles;
}

const DemonstrationStyle& demonstration_style(std::string_view name) {
  const std::vector<DemonstrationStyle>& styles = demonstration_styles();
  const auto found = std::ranges::find(styles, name, &DemonstrationStyle::name);
  if (found != styles.end()) return *found;
  std::vector<std::string> known;
  for (const DemonstrationStyle& style : styles) known.push_back(style.name);
  throw UnknownName("style", name, "`aplomb demonstrate`", known);
}

DemonstrationStyle scaled_style(const DemonstrationStyle& style, double height_m, double speed) {
  const double size = height_m / kGenericHeight, pace = std::sqrt(size) / speed;
  DemonstrationStyle scaled = style;
  scaled.seat_off_s *= pace;
  scaled.duration_s *= pace;
  scaled.hands.release_s *= pace;
  scaled.hands.let_go_s *= pace;
  for (double* time : {&scaled.reach.start_s, &scaled.reach.there_s, &scaled.reach.leave_s, &scaled.reach.back_s}) {
    *time *= pace;
  }
  for (DemonstrationStyle::FootMove& move : scaled.foot_moves) {
    move.start_s *= pace;
    move.end_s *= pace;
    for (double* length : {&move.forward, &move.up, &move.arc}) *length *= size;
  }
  for (DemonstrationStyle::TrunkKey& key : scaled.trunk) key.time_s *= pace;
  for (DemonstrationStyle::Station& station : scaled.stations) {
    station.time_s *= pace;
    station.com_x *= size;
    station.com_y *= size;
  }
  return scaled;
}

}  // namespace aplomb
