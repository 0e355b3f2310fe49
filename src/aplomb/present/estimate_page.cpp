#include "aplomb/present/estimate_page.hpp"

#include <fmt/format.h>

namespace aplomb {

ReportPage estimate_page(const EstimatedLog& estimated, const std::string& robot) {
  ReportPage page;
  page.title = fmt::format("Base estimate of {}", robot);
  page.about =
      "Base pose and twist from inertial units, encoders and ankle sensors, by a contact-aided invariant filter.";
  page.notes = estimated.notes;
  page.line_plots = {{.id = "base_velocity",
                      .title = "Velocity of the base",
                      .about = "In world axes; the sigma is the filter's own standard deviation.",
                      .y_label = "velocity [m/s]",
                      .series = {{.column = "base_velocity_x_m_per_s", .label = "forward"},
                                 {.column = "base_velocity_y_m_per_s", .label = "left"},
                                 {.column = "base_velocity_z_m_per_s", .label = "up"},
                                 {.column = "base_velocity_sigma_m_per_s", .label = "sigma", .is_reference = true}}},
                     {.id = "base_tilt",
                      .title = "Tilt error and its sigma",
                      .about = "The error needs base_quaternion_* in the log.",
                      .y_label = "angle [rad]",
                      .series = {{.column = "base_tilt_error_rad", .label = "error"},
                                 {.column = "base_tilt_sigma_rad", .label = "sigma", .is_reference = true}}},
                     {.id = "contact_trust",
                      .title = "Trust in the contacts",
                      .about = "0: the foot carries nothing and moves freely; 1: it stands.",
                      .y_label = "trust [-]",
                      .series = {{.column = "left_contact_trust", .label = "left"},
                                 {.column = "right_contact_trust", .label = "right"}}},
                     {.id = "foot_force",
                      .title = "Vertical ground reaction",
                      .about = "Ankle sensor plus the foot's own weight and inertia.",
                      .y_label = "force [N]",
                      .series = {{.column = "left_foot_force_z_n", .label = "left"},
                                 {.column = "right_foot_force_z_n", .label = "right"}}}};
  return page;
}

}  // namespace aplomb
