#include "aplomb/present/retarget_report.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/version.hpp"
#include "aplomb/motion/dynamics/contact_dynamics.hpp"
#include "aplomb/motion/plan_audit.hpp"
#include "aplomb/retarget/retarget_checks.hpp"
#include "aplomb/retarget/retarget_metrics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

/// Vertical force of every contact and CoP of every foot in its own frame, one row of values per sample.
struct ContactColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

ContactColumns contact_columns(const RobotModel& robot, const Retargeted& retargeted) {
  const Trajectory& plan = retargeted.trajectory;
  ContactColumns columns;
  columns.rows.resize(static_cast<std::size_t>(plan.num_samples()));
  ContactDynamics dynamics(robot, retargeted.contacts);
  for (const Trajectory::ContactWrenches& contact : plan.wrenches) {
    const std::string name(to_string(contact.site));
    columns.names.push_back(name + "_force_z_n");
    const bool is_foot = contact.site == ContactSite::left_foot || contact.site == ContactSite::right_foot;
    if (is_foot) columns.names.insert(columns.names.end(), {name + "_cop_x_m", name + "_cop_y_m"});
    for (Eigen::Index i = 0; i < plan.num_samples(); ++i) {
      std::vector<double>& row = columns.rows[static_cast<std::size_t>(i)];
      row.push_back(contact.wrench(2, i));
      if (!is_foot) continue;
      dynamics.update({plan.q.col(i), plan.v.col(i)}, plan.a.col(i));
      const ContactPlan::Contact* const interval = dynamics.plan().nearest(contact.site, plan.time_s(i));
      const auto index = static_cast<std::size_t>(interval - dynamics.plan().contacts.data());
      const Eigen::Vector2d cop =
          centre_of_pressure(dynamics.in_link(index, contact.wrench.col(i)), interval->point.z());
      row.insert(row.end(), {cop.x(), cop.y()});
    }
  }
  return columns;
}

/// x of the middle between the robot's heels and toes where it sits at the plan's start [m].
double middle_of_soles(const RobotModel& robot, const Retargeted& retargeted) {
  TreeKinematics tree(robot);
  tree.update(retargeted.trajectory.q.col(0));
  double heel = HUGE_VAL, toe = -HUGE_VAL;
  for (std::size_t side = 0; side < 2; ++side) {
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    for (const Eigen::Vector3d& corner : robot.description().soles[side]->corners()) {
      const double x = tree.point(foot.body, foot.T_body_link * corner).x();
      heel = std::min(heel, x);
      toe = std::max(toe, x);
    }
  }
  return 0.5 * (heel + toe);
}

Log make_log(const RobotModel& robot, const Retargeted& retargeted, const ContactColumns& contacts) {
  std::vector<std::string> names(
      {"time_s",        "com_x_m",          "com_y_m",        "com_z_m",        "com_asked_x_m", "com_asked_y_m",
       "com_asked_z_m", "com_mapped_x_m",   "com_mapped_y_m", "com_mapped_z_m", "human_com_x_m", "human_com_y_m",
       "human_com_z_m", "com_unmapped_x_m", "zmp_x_m",        "zmp_y_m",        "force_x_n",     "force_z_n",
       "seat_share",    "marker_rms_m",     "com_residual_m", "is_feasible"});
  names.insert(names.end(), contacts.names.begin(), contacts.names.end());
  Log log(names);
  const Trajectory& plan = retargeted.trajectory;
  log.reserve(retargeted.frames.size());
  const Eigen::VectorXd seat_share = seat_share_of(plan);
  const double unmapped_x =
      middle_of_soles(robot, retargeted) - 0.5 * (retargeted.human.heel_x + retargeted.human.toe_x);
  std::vector<double> row;
  for (Eigen::Index i = 0; i < plan.num_samples(); ++i) {
    row = {plan.time_s(i)};
    for (const Eigen::Matrix3Xd* path :
         {&plan.com, &retargeted.com_asked, &retargeted.com_mapped, &retargeted.human.com}) {
      for (Eigen::Index axis = 0; axis < 3; ++axis) row.push_back((*path)(axis, i));
    }
    row.push_back(retargeted.human.com(0, i) + unmapped_x);
    for (Eigen::Index axis = 0; axis < 2; ++axis) row.push_back(plan.zmp(axis, i));
    const FrameVerdict& frame = retargeted.frames[static_cast<std::size_t>(i)];
    for (double value : {plan.force(0, i), plan.force(2, i), seat_share[i], frame.marker_rms, frame.com_residual,
                         frame.is_feasible ? 1.0 : 0.0}) {
      row.push_back(value);
    }
    const std::vector<double>& more = contacts.rows[static_cast<std::size_t>(i)];
    row.insert(row.end(), more.begin(), more.end());
    log.append(row);
  }
  return log;
}

std::vector<PlotSeries> against(const char* axis) {
  return {{fmt::format("com_{}_m", axis), "robot", false},
          {fmt::format("com_mapped_{}_m", axis), "person, mapped", true}};
}

/// Planned CoP of each foot over its sole.
void add_cop_plots(const Retargeted& retargeted, const RobotModel& robot, ReportPage& page) {
  for (const Trajectory::ContactWrenches& contact : retargeted.trajectory.wrenches) {
    if (contact.site != ContactSite::left_foot && contact.site != ContactSite::right_foot) continue;
    const auto& sole = robot.description().soles[static_cast<std::size_t>(side_of(contact.site))];
    if (!sole) continue;
    const std::string_view name = to_string(contact.site);
    page.plane_plots.push_back(
        {.title = fmt::format("Planned centre of pressure, {}", name == "left_foot" ? "left foot" : "right foot"),
         .about = "In the foot's frame, by the planned wrench; the rectangle is the sole.",
         .x_label = "forward [m]",
         .y_label = "to the left [m]",
         .x_column = fmt::format("{}_cop_x_m", name),
         .y_column = fmt::format("{}_cop_y_m", name),
         .rectangles = {{sole->x_min, sole->x_max, sole->y_min, sole->y_max, "sole"}}});
  }
}

void add_plots(const Retargeted& retargeted, const RobotModel& robot, ReportPage& page) {
  page.line_plots.push_back({.title = "Centre of mass, forward",
                             .about =
                                 "As in Mistry et al. 2010, Fig. 6. The person before the mapping: in full size, the "
                                 "middle of the soles on that of the robot's.",
                             .y_label = "CoM x [m]",
                             .series = against("x")});
  page.line_plots.back().series.push_back({"com_unmapped_x_m", "person, before the mapping", true});
  page.line_plots.push_back({.title = "Centre of mass, up",
                             .about = "Constrained after seat-off; before it, the seat fixes the height.",
                             .y_label = "CoM z [m]",
                             .series = against("z")});
  page.line_plots.push_back({.title = "Planned ZMP, forward",
                             .about = "ZMP of all contacts together: behind the feet while the seat carries load.",
                             .y_label = "ZMP x [m]",
                             .series = {{"zmp_x_m", "ZMP", false}, {"com_x_m", "CoM", true}}});
  page.line_plots.push_back(
      {.title = "Vertical force", .y_label = "force z [N]", .series = {{"force_z_n", "all contacts", false}}});
  for (const Trajectory::ContactWrenches& contact : retargeted.trajectory.wrenches) {
    const std::string_view name = to_string(contact.site);
    page.line_plots.back().series.push_back({fmt::format("{}_force_z_n", name), fmt::format("{}", name), false});
  }
  add_cop_plots(retargeted, robot, page);
  page.line_plots.push_back({.title = "Marker error",
                             .y_label = "RMS over markers [m]",
                             .series = {{"marker_rms_m", "robot − scaled person", false}}});
  const Eigen::Index seat_off = retargeted.human.rise.seat_off;
  page.plane_plots.push_back({.title = "Robot's CoM in the sagittal plane",
                              .about = "Forward and up (Mistry et al. 2010, Fig. 7).",
                              .x_label = "CoM x [m]",
                              .y_label = "CoM z [m]",
                              .x_column = "com_x_m",
                              .y_column = "com_z_m"});
  page.plane_plots.back().points.push_back(
      {retargeted.trajectory.com(0, seat_off), retargeted.trajectory.com(2, seat_off), "seat-off"});
  page.plane_plots.push_back({.title = "Person's CoM in the sagittal plane",
                              .x_label = "CoM x [m]",
                              .y_label = "CoM z [m]",
                              .x_column = "human_com_x_m",
                              .y_column = "human_com_z_m"});
  page.plane_plots.back().points.push_back(
      {retargeted.human.com(0, seat_off), retargeted.human.com(2, seat_off), "seat-off"});
}

PageTable map_table(const Retargeted& retargeted) {
  PageTable table{.title = "Segments and links", .header = {"segment", "link", "markers", "source"}};
  for (std::size_t i = 0; i < retargeted.links.entries.size(); ++i) {
    const LinkMap::Entry& entry = retargeted.links.entries[i];
    const auto markers =
        std::count(retargeted.human.segments.begin(), retargeted.human.segments.end(), static_cast<int>(i));
    if (markers == 0 && !entry.is_given) continue;
    table.rows.push_back({entry.segment, entry.link.empty() ? "none" : entry.link, fmt::format("{}", markers),
                          entry.is_given ? "given" : "found"});
  }
  return table;
}

PageTable anchor_table(const Retargeted& retargeted) {
  PageTable table{
      .title = "Anchors of the centre of mass",
      .about = fmt::format("c* = s c_h + o(t), s = {:.3f}; o blended with minimum jerk between the anchors.",
                           retargeted.com_map.scale),
      .header = {"anchor", "time [s]", "c* x [m]", "c* z [m]", "o x [m]", "o z [m]"}};
  const char* names[] = {"seated", "seat-off", "standing", "seat-on"};  // KeyFrame::Kind
  for (const ComMap::Anchor& anchor : retargeted.com_map.anchors) {
    table.rows.push_back({names[static_cast<int>(anchor.key.kind)],
                          fmt::format("{:.2f}", retargeted.trajectory.time_s(anchor.key.first)),
                          fmt::format("{:.3f}", anchor.com.x()), fmt::format("{:.3f}", anchor.com.z()),
                          fmt::format("{:.3f}", anchor.offset.x()), fmt::format("{:.3f}", anchor.offset.z())});
  }
  return table;
}

PageTable contact_table(const Retargeted& retargeted) {
  PageTable table{.title = "Contacts", .header = {"contact", "link", "from [s]", "until [s]"}};
  for (const ContactPlan::Contact& contact : retargeted.contacts.contacts) {
    table.rows.push_back({std::string(to_string(contact.site)), contact.link, fmt::format("{:.2f}", contact.start_s),
                          fmt::format("{:.2f}", contact.end_s)});
  }
  return table;
}

/// Worst values of the written plan, with time and place.
PageTable audit_table(const PlanAudit& audit) {
  PageTable table{.title = "Audit of the written plan",
                  .about = fmt::format("By inverse dynamics under the {} contact wrenches, at the samples and at {} "
                                       "instants between each two.",
                                       audit.has_wrenches ? "written" : "rebuilt", kAuditPointsBetween),
                  .header = {"quantity", "worst", "time [s]", "where"},
                  .is_detail = true};
  const auto add = [&](const char* quantity, const PlanAudit::Extreme& extreme, double factor = 1.0) {
    if (!extreme.exists()) return;
    table.rows.push_back({quantity, fmt::format("{:.4g}", factor * extreme.value),
                          fmt::format("{:.3f}", extreme.time_s), extreme.where});
  };
  add("CoP to heel or toe [mm]", audit.cop_margin_length_min_m, 1e3);
  add("CoP to the sides of the sole [mm]", audit.cop_margin_width_min_m, 1e3);
  add("smallest normal force of a foot [m g]", audit.foot_force_min_per_weight);
  add("smallest vertical force of seat or hand [m g]", audit.support_force_min_per_weight);
  add("friction of a foot, tangential over normal", audit.friction_ratio_max);
  add("drift of a contact point [mm]", audit.contact_drift_max_m, 1e3);
  add("smallest vertical force [m g]", audit.force_min_per_weight);
  add("largest vertical force [m g]", audit.force_max_per_weight);
  add("joint torque over its limit", audit.torque_ratio_max);
  add("joint speed over its limit", audit.speed_ratio_max);
  add("distance to a joint limit [rad]", audit.range_margin_min_rad);
  add("residual force, samples [N]", audit.base_residual_max_n);
  add("residual moment, samples [N m]", audit.base_residual_max_nm);
  add("residual force, between [N]", audit.between_residual_max_n);
  add("residual moment, between [N m]", audit.between_residual_max_nm);
  add("residual force, within 20 ms of a contact change [N]", audit.change_residual_max_n);
  add("residual moment, within 20 ms of a contact change [N m]", audit.change_residual_max_nm);
  add("contradiction of q, v and a [rad/s^2]", audit.spline_error_max_rad_per_s2);
  add("written CoM off the posture's [mm]", audit.com_error_max_m, 1e3);
  return table;
}

/// Limits that the plan of a whole motion cannot keep.
PageTable violated_table(const Retargeted& retargeted) {
  PageTable table{.title = "Limits that are violated",
                  .about = fmt::format("The nearest motion: {}.", retargeted.forbidden_by()),
                  .header = {"limit", "by at most", "at [s]", "from [s]", "to [s]"}};
  for (const ViolatedPlanLimit& violated : retargeted.violated) {
    table.rows.push_back({violated.limit.text(), violated.amount, fmt::format("{:.2f}", violated.worst_s),
                          fmt::format("{:.2f}", violated.start_s), fmt::format("{:.2f}", violated.end_s)});
  }
  return table;
}

/// Intervals of frames with the same active limits.
PageTable infeasible_table(const Retargeted& retargeted) {
  PageTable table{.title = "Infeasible frames",
                  .about = "These frames have the nearest feasible centre of mass; the active limits are listed.",
                  .header = {"from [s]", "to [s]", "CoM residual [mm]", "active limits"}};
  for (std::size_t i = 0; i < retargeted.frames.size(); ++i) {
    if (retargeted.frames[i].is_feasible) continue;
    double worst = 0.0;
    std::size_t last = i;
    while (last < retargeted.frames.size() && !retargeted.frames[last].is_feasible &&
           retargeted.frames[last].reason() == retargeted.frames[i].reason()) {
      worst = std::max(worst, retargeted.frames[last++].com_residual);
    }
    table.rows.push_back({fmt::format("{:.2f}", retargeted.trajectory.time_s(static_cast<Eigen::Index>(i))),
                          fmt::format("{:.2f}", retargeted.trajectory.time_s(static_cast<Eigen::Index>(last - 1))),
                          fmt::format("{:.2f}", 1e3 * worst), retargeted.frames[i].reason()});
    i = last - 1;
  }
  return table;
}

}  // namespace

RetargetOutput describe(const Retargeted& retargeted, const RobotModel& robot, const std::string& name) {
  RetargetOutput output;
  Result& result = output.result;
  result.verb = "retarget";
  result.scenario = name;
  result.provenance.version = version();
  result.provenance.commit = commit();
  result.provenance.robot_sha256 = retargeted.trajectory.robot_sha256;
  const PlanAudit audit = audit_plan(robot, retargeted.plan(), kAuditPointsBetween);
  result.metrics = retarget_metrics(retargeted, audit);
  for (const Check& check : retarget_checks(retargeted)) {
    result.checks.push_back(judge(check, result.metrics));
  }
  output.log = make_log(robot, retargeted, contact_columns(robot, retargeted));
  output.page.title = fmt::format("{} on {}", name, retargeted.trajectory.robot);
  output.page.about =
      fmt::format("A person's rise from a chair, mapped to the robot: {} markers, chair height {:.3f} m.",
                  retargeted.overlay.markers.size(), retargeted.seated.chair_height);
  output.page.notes = retargeted.notes;
  output.page.tables.push_back(anchor_table(retargeted));
  output.page.tables.push_back(map_table(retargeted));
  output.page.tables.push_back(contact_table(retargeted));
  output.page.tables.push_back(audit_table(audit));
  if (!retargeted.violated.empty()) output.page.tables.push_back(violated_table(retargeted));
  if (retargeted.infeasible_frames > 0) output.page.tables.push_back(infeasible_table(retargeted));
  add_plots(retargeted, robot, output.page);
  return output;
}

void add_chair_search(const ChairSearch& search, const Retargeted& retargeted, RetargetOutput& output) {
  Metrics& metrics = output.result.metrics;
  metrics.set("chair_heights_tried", static_cast<std::int64_t>(search.tried.size()));
  metrics.set("chair_lower_forbidden_by",
              search.forbidden_lower.empty() ? MetricValue{} : MetricValue(search.forbidden_lower));
  const double height = retargeted.seated.chair_height;
  output.page.notes.push_back(
      search.is_found ? fmt::format("The lowest chair for this motion is {:.3f} m high; {:.0f} cm lower: {}.", height,
                                    100.0 * kChairGap, search.forbidden_lower)
                      : fmt::format("No chair on which this robot can sit will do for this motion; on the usual one, "
                                    "{:.3f} m high: {}.",
                                    height, search.forbidden_lower));
  PageTable table{.title = "Chairs tried", .header = {"height [m]", "feasible", "reason"}};
  for (const ChairSearch::Height& tried : search.tried) {
    table.rows.push_back({fmt::format("{:.3f}", tried.height_m), tried.is_feasible ? "yes" : "no", tried.reason});
  }
  output.page.tables.push_back(table);
}

MotFile angles_of(const Trajectory& trajectory) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  MotFile mot{.name = trajectory.robot, .in_degrees = true};
  mot.table.columns = {"time", "base_tx", "base_ty", "base_tz", "base_rotation", "base_tilt", "base_list"};
  for (const std::string& joint : trajectory.joints) mot.table.columns.push_back(joint);
  for (Eigen::Index i = 0; i < trajectory.num_samples(); ++i) {
    const Eigen::VectorXd q = trajectory.q.col(i);
    const Eigen::Matrix3d R = Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(3))).toRotationMatrix();
    std::vector<double>& values = mot.table.values;
    values.push_back(trajectory.time_s(i));
    for (int axis = 0; axis < 3; ++axis) values.push_back(q[axis]);
    values.push_back(kDegrees * std::atan2(R(1, 0), R(0, 0)));
    values.push_back(kDegrees * std::asin(std::clamp(-R(2, 0), -1.0, 1.0)));
    values.push_back(kDegrees * std::atan2(R(2, 1), R(2, 2)));
    for (Eigen::Index k = 7; k < q.size(); ++k) values.push_back(kDegrees * q[k]);
  }
  return mot;
}

}  // namespace aplomb
