#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {

/// Findings of one tick of a partial force control.
struct PartialForceTick {
  double time_s = 0.0;
  ForceHierarchy::Law law = ForceHierarchy::Law::closed_form;
  std::array<double, 2> foot_force{};  ///< commanded, along the normal [N]
  std::array<double, 2> foot_share{};  ///< 1: a rigid contact, 0: free
  std::array<double, 2> hand_force{};  ///< commanded, along the normal [N]
  std::array<Eigen::Vector2d, 2> cop = {Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()),
                                        Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN())};
  double force_given_up = 0.0;  ///< of the controlled forces [N], [N m]
  double com_given_up = 0.0;    ///< of the CoM's acceleration [m/s²]
  int limit = -1;               ///< the limit that is active, as FullForceLaw counts; −1: none
};

/// Signals and metrics of a partial force control: the law in use, the forces, and residuals that limits leave.
class PartialForceReport {
 public:
  PartialForceReport(bool has_limits, int num_limits);
  void add(const PartialForceTick& tick);  ///< never allocates

  std::span<const Signal> signals() const { return signals_; }
  Metrics metrics() const;
  const PartialForceTick& worst_com() const {
    return worst_com_;
  }                                                             ///< where most of the CoM's acceleration was given up
  std::span<const double> limit_s() const { return limit_s_; }  ///< for how long each limit was reached, at worst [s]
  const PartialForceTick& worst_force() const {
    return worst_force_;
  }  ///< where most of a controlled force was given up

 private:
  bool has_limits_;
  std::vector<Signal> signals_;
  std::array<int, 3> ticks_{};  ///< by law
  std::vector<double> limit_s_;
  PartialForceTick worst_com_, worst_force_;
};

}  // namespace aplomb
