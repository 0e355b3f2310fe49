#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {

/// Results of one tick of partial force control.
struct PartialForceTick {
  double time_s = 0.0;
  ForceHierarchy::Law law = ForceHierarchy::Law::closed_form;
  std::array<double, 2> foot_force{};  ///< commanded, along the normal [N]
  std::array<double, 2> foot_share{};  ///< 1: a rigid contact, 0: free
  std::array<double, 2> hand_force{};  ///< commanded, along the normal [N]
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
  /// Tick with the largest residual of the controlled forces.
  const PartialForceTick& worst_force() const { return worst_force_; }

 private:
  bool has_limits_;
  std::vector<Signal> signals_;
  std::array<int, 3> ticks_{};  ///< number of ticks by law
  std::vector<double> limit_s_;
  PartialForceTick worst_com_, worst_force_;
};

}  // namespace aplomb
