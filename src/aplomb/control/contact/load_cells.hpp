#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "aplomb/control/fallbacks.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Load of one foot, by the load cells at the corners of its sole.
struct FootLoad {
  double force = 0.0;                             ///< normal force [N]
  Eigen::Vector2d zmp = Eigen::Vector2d::Zero();  ///< in the foot's frame [m]; the sole's centre without a load
};

/// ZMP = Σ p f / Σ f of four cells at the sole's corners; a negative reading counts as zero.
FootLoad foot_load(const Sole& sole, const std::array<double, 4>& cells);

/// Reads the cells of both feet and detects their faults:
///   a cell that reads NaN, or zero for 50 ms while the three others are loaded and the total is below the weight, is
///   replaced by the value that the others imply (a pressure that is linear over the sole has front left + rear right
///   = front right + rear left);
///   a foot is not trusted if its sensor is lost, if it has more than one such cell, or if its cells repeat their
///   values for 50 ms while the other foot's load changes.
class LoadCells {
 public:
  explicit LoadCells(const RobotModel& model);  ///< `model` must outlive this object; both feet need a sole

  void update(const SensorReadings& readings, Fallbacks& fallbacks);  ///< never allocates
  static Sensor sensor(int side) { return side == kLeft ? Sensor::left_load_cells : Sensor::right_load_cells; }

  const FootLoad& foot(int side) const { return feet_[static_cast<std::size_t>(side)]; }
  double total_force() const { return feet_[0].force + feet_[1].force; }
  bool is_trusted(int side) const { return is_trusted_[static_cast<std::size_t>(side)]; }
  bool are_trusted() const { return is_trusted_[0] && is_trusted_[1]; }
  /// The left foot's share of the load; 0.5 where the feet are unloaded.
  double left_share() const;
  bool is_loaded() const { return total_force() > 0.05 * weight_n_; }

  std::array<std::optional<double>, 2> frozen_since_s, repaired_since_s;  ///< first time, for the report

 private:
  void read_foot(const SensorReadings& readings, int side, Fallbacks& fallbacks);
  bool is_frozen(const SensorReadings& readings, int side);
  /// Whether this cell, by corner, reads zero while the others predict a load.
  bool is_dead(const std::array<double, 4>& cells, int side, std::size_t corner, double missing_n);

  struct Silence {
    int ticks = 0;  ///< number of ticks for which the cell has read zero
    /// Sums over these ticks [N]: load that the other cells predict, and missing weight.
    double expected_sum = 0.0, missing_sum = 0.0;
  };
  struct Repeats {
    std::array<double, 4> last{};
    int ticks = 0;                       ///< number of ticks for which the cells have not changed
    double lowest = 0.0, highest = 0.0;  ///< load of the other foot since
    bool is_frozen = false;
  };
  const RobotModel* model_;
  double weight_n_;
  std::array<FootLoad, 2> feet_;
  std::array<bool, 2> is_trusted_{true, true};
  std::array<std::array<std::size_t, 4>, 2> corner_of_cell_{{{0, 1, 2, 3}, {0, 1, 2, 3}}};
  std::array<Repeats, 2> repeats_;
  std::array<std::array<Silence, 4>, 2> silence_;
};

}  // namespace aplomb
