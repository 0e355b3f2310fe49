#pragma once

#include <string>
#include <string_view>

namespace aplomb {

/// The unit in the suffix of a metric's or a column's name: "N m" for `torque_jump_max_nm`, "rad/s" for
/// `joint_speed_max_rad_per_s`, "m" for `com_error_end_m_p90` (a statistic over runs); empty when there is none.
std::string unit_of(std::string_view name);

/// Axis label for a column: "com x [m]" for `com_x_m`.
std::string axis_label(std::string_view name);

}  // namespace aplomb
