#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {

/// Results of one tick of partial force control.
struct PartialForceTick {
  double time_s = 0.0;
  ForceHierarchy::Law law = ForceHierarchy::Law::closed_form;
  std::array<double, 2> foot_force{};          ///< commanded, along the normal [N]
  std::array<double, 2> foot_share{};          ///< 1: a rigid contact, 0: free
  std::array<double, 2> hand_force{};          ///< commanded, along the normal [N]
  std::array<bool, 2> is_hand_without_wall{};  ///< a force is desired, and the hand is not in contact
  std::array<Eigen::Vector2d, 2> cop = {Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()),
                                        Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN())};
  double force_given_up = 0.0;  ///< residual of the controlled forces [N], [N m]
  double com_given_up = 0.0;    ///< residual of the CoM's acceleration [m/s²]
  int limit = -1;               ///< the active limit, numbered as in FullForceLaw; −1: none
};

/// Signals and metrics of partial force control: the law in use, the forces, and the residuals because of limits.
class PartialForceReport {
 public:
  PartialForceReport(bool has_limits, int num_limits);
  void add(const PartialForceTick& tick);  ///< never allocates

  std::span<const Signal> signals() const { return signals_; }
  Metrics metrics() const;
  /// Tick with the largest residual of the CoM's acceleration.
  const PartialForceTick& worst_com() const { return worst_com_; }
  std::span<const double> limit_s() const { return limit_s_; }  ///< time for which each limit was active [s]
  /// First time at which a hand was without its wall while a force was desired [s]; absent: never.
  std::optional<double> without_wall_since_s(Side side) const { return without_wall_since_s_[side]; }
  /// Tick with the largest residual of the controlled forces.
  const PartialForceTick& worst_force() const { return worst_force_; }

 private:
  bool has_limits_;
  std::vector<Signal> signals_;
  std::array<int, 3> ticks_{};  ///< number of ticks by law
  std::vector<double> limit_s_;
  std::array<std::optional<double>, 2> without_wall_since_s_;
  std::array<int, 2> without_wall_ticks_{};
  PartialForceTick worst_com_, worst_force_;
};

}  // namespace aplomb
