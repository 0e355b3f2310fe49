#include "aplomb/control/contact/load_cells.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Cells are frozen when none has changed for kFrozenTicks, while the other foot's load has changed by kFrozenChange of
// the weight. A cell is silent when it reads zero for kSilentTicks, while the other cells predict kSilentShare of the
// weight on it. 50 ms and 2 % of the weight: above the noise of the cells, shorter than a fall. Tuned.
constexpr int kFrozenTicks = 50;
constexpr double kFrozenChange = 0.02;
constexpr int kSilentTicks = 50;
constexpr double kSilentShare = 0.02;

double load_of(const std::array<double, 4>& cells) {
  double sum = 0.0;
  for (double cell : cells) sum += std::isfinite(cell) ? std::max(cell, 0.0) : 0.0;
  return sum;
}

/// Load of a corner from the three others. Front left 0, front right 1, rear left 2, rear right 3: opposite corners add
/// up to 3.
double expected_of(const std::array<double, 4>& cells, std::size_t corner) {
  return cells[0] + cells[1] + cells[2] + cells[3] - cells[corner] - 2.0 * cells[3 - corner];
}

}  // namespace

FootLoad foot_load(const Sole& sole, const std::array<double, 4>& cells) {
  FootLoad load{.zmp = sole.centre().head<2>()};
  const auto corners = sole.corners();
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double force = std::max(cells[i], 0.0);
    load.force += force;
    moment += force * corners[i].head<2>();
  }
  if (load.force > 0.0) load.zmp = moment / load.force;
  return load;
}

LoadCells::LoadCells(const RobotModel& model) : model_(&model), weight_n_(model.mass() * kGravity) {
  for (int side : {kLeft, kRight}) {
    const auto index = static_cast<std::size_t>(side);
    const Sole& sole = *model.description().soles[index];
    feet_[index].zmp = sole.centre().head<2>();
    corner_of_cell_[index] = sole.corner_order(model.description().load_cells[index]).value_or(corner_of_cell_[index]);
  }
}

double LoadCells::left_share() const { return is_loaded() ? feet_[0].force / total_force() : 0.5; }

void LoadCells::update(const SensorReadings& readings, Fallbacks& fallbacks) {
  for (int side : {kLeft, kRight}) read_foot(readings, side, fallbacks);
}

void LoadCells::read_foot(const SensorReadings& readings, int side, Fallbacks& fallbacks) {
  const auto index = static_cast<std::size_t>(side);
  std::array<double, 4> cells{};  // by corner
  for (std::size_t i = 0; i < cells.size(); ++i) cells[corner_of_cell_[index][i]] = readings.load_cells[index][i];
  const double missing = weight_n_ - load_of(readings.load_cells[0]) - load_of(readings.load_cells[1]);
  int num_broken = 0;
  std::size_t broken = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool dead = is_dead(cells, side, i, missing);
    if (std::isfinite(cells[i]) && !dead) continue;
    ++num_broken;
    broken = i;
  }
  is_trusted_[index] = !readings.lost(sensor(side)) && num_broken <= 1 && !is_frozen(readings, side);
  if (!is_trusted_[index]) return;  // keep the last reading, for the log
  if (num_broken == 1) {
    fallbacks.take(sensor(side), "the broken cell is replaced from the three others of that foot");
    if (!repaired_since_s[index]) repaired_since_s[index] = readings.time_s;
    cells[broken] = 0.0;
    cells[broken] = std::max(expected_of(cells, broken), 0.0);
  }
  feet_[index] = foot_load(*model_->description().soles[side], cells);
}

/// A foot may stand on three of its corners: the cell is dead only if a part of the weight is missing.
bool LoadCells::is_dead(const std::array<double, 4>& cells, int side, std::size_t corner, double missing_n) {
  Silence& silence = silence_[static_cast<std::size_t>(side)][corner];
  const double expected = cells[corner] == 0.0 ? expected_of(cells, corner) : 0.0;
  if (!(expected > kSilentShare * weight_n_)) {
    silence = {};
    return false;
  }
  silence.expected_sum += expected;
  silence.missing_sum += missing_n;
  return ++silence.ticks >= kSilentTicks && silence.missing_sum > 0.5 * silence.expected_sum;
}

bool LoadCells::is_frozen(const SensorReadings& readings, int side) {
  const auto index = static_cast<std::size_t>(side);
  Repeats& repeats = repeats_[index];
  const std::array<double, 4>& cells = readings.load_cells[index];
  const double other = load_of(readings.load_cells[1 - index]);
  if (cells != repeats.last || load_of(cells) == 0.0) {  // an unloaded foot repeats zeros
    repeats = {.last = cells, .lowest = other, .highest = other};
    return false;
  }
  ++repeats.ticks;
  repeats.lowest = std::min(repeats.lowest, other);
  repeats.highest = std::max(repeats.highest, other);
  if (repeats.ticks >= kFrozenTicks && repeats.highest - repeats.lowest > kFrozenChange * weight_n_) {
    repeats.is_frozen = true;
    if (!frozen_since_s[index]) frozen_since_s[index] = readings.time_s;
  }
  return repeats.is_frozen;
}

}  // namespace aplomb
