#pragma once

#include <string>
#include <string_view>

namespace aplomb {

/// The unit in the suffix of a metric's or a column's name: "N m" of `torque_jump_max_nm`, "rad/s" of
/// `joint_speed_max_rad_per_s`, "m" of `com_error_end_m_p90` (a statistic over runs); empty when there is none.
std::string unit_of(std::string_view name);

/// A name for an axis: "com x [m]" of `com_x_m`.
std::string axis_label(std::string_view name);

}  // namespace aplomb
