#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/controller.hpp"
#include "aplomb/core/math/zero_array.hpp"

namespace aplomb {

class Stepping;

/// Results of one tick of a momentum balance.
struct MomentumTick {
  double time_s = 0.0;
  MomentumRate desired;          ///< desired by the references
  MomentumRate within_contacts;  ///< admissible by friction and the soles' edges
  /// Admissible by the joints' torques too. Where torques or accelerations were cut: rate that the commanded torques
  /// produce while the contacts hold (ContactReactions).
  MomentumRate admissible;
  bool pulls = false;  ///< the desired force would have to pull at the ground
  /// Commanded CoP of each foot, in the foot's frame [m]; NaN for an unloaded foot.
  std::array<Eigen::Vector2d, 2> cop = zero_array<Eigen::Vector2d, 2>();
  std::array<double, 2> availability{};  ///< availability of each foot, 0 to 1
  /// Largest errors of the poses of the feet in the air [m], [rad]; absent while none is   (eq. 15).
  std::optional<double> swing_position_error, swing_rotation_error;
  double capture_margin = 0.0;         ///< distance of the capture point inside the support; negative: outside [m]
  bool is_capture_point_lost = false;  ///< it is so far outside the support that only a step would help
};

/// Signals and metrics of a momentum balance: desired and admissible rates, and the parts given up because of each kind
/// of limit.
class MomentumReport {
 public:
  /// `stepping`: whose steps are reported too; absent: none are taken. It must outlive this object.
  explicit MomentumReport(const Stepping* stepping = nullptr);
  void add(const MomentumTick& tick);  ///< never allocates

  std::span<const Signal> signals() const { return signals_; }
  Metrics metrics() const;
  std::vector<std::string> notes() const;  ///< one sentence for each step

 private:
  const Stepping* stepping_;
  std::vector<Signal> signals_;
  double linear_error_max_ = 0.0, angular_given_up_max_ = 0.0;
  std::array<double, 5> given_up_max_{};  ///< by limit: friction, unilateral [N], CoP [N m], torque [N], torque [N m]
  std::optional<double> swing_position_error_max_, swing_rotation_error_max_;
  std::optional<double> capture_point_left_s_;
};

}  // namespace aplomb
