#include "aplomb/present/grade_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/present/scene/robot_scene.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

std::string percent(double ratio) { return fmt::format("{:.1f}", 100.0 * ratio); }

Scene grade_scene(const MotionGrade& grade, const RobotModel& robot) {
  Scene scene;
  scene.nodes = scene_nodes(robot);
  constexpr double kFloorEdge = 6.0;  // [m]
  SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
  floor.shapes.push_back({.kind = SceneShape::Kind::plane, .size = {kFloorEdge, kFloorEdge, 0.0}});
  for (const int side : {kLeft, kRight}) {
    const int node = add_link_node(robot, robot.description().roles.foot[side], 0, scene.nodes);
    scene.soles.push_back({node, robot.description().soles[side]->corners(), fmt::format("{}_stance", kSides[side]),
                           fmt::format("{}_offends", kSides[side])});
  }
  scene.nodes.push_back(std::move(floor));
  scene.markers.push_back(
      {SceneMarker::Kind::zmp, "ZMP that the motion needs", {.columns = {"zmp_x_m", "zmp_y_m", ""}}});
  for (const WorstMoment& moment : grade.worst) {
    scene.events.push_back({.start_s = moment.time_s, .end_s = moment.time_s, .label = moment.text});
  }
  return scene;
}

PageTable worst_table(const MotionGrade& grade) {
  PageTable table{.title = "Worst moments",
                  .about = "Severity is the quantity over its threshold; one of a kind in each half second.",
                  .header = {"time [s]", "severity", "what"}};
  for (const WorstMoment& moment : grade.worst) {
    table.rows.push_back({fmt::format("{:.2f}", moment.time_s), fmt::format("{:.1f}", moment.severity), moment.text});
  }
  return table;
}

}  // namespace

PageTable grade_table(const MotionGrade& grade) {
  PageTable table{.title = fmt::format("Grade {}", grade.grade),
                  .about =
                      "Frames (of sliding: samples of feet in stance; of the ZMP: frames in stance) that break a "
                      "rule. A: up to 1 %, B: 5 %, C: 15 %, D: 40 %, E: more; the motion has its worst letter.",
                  .header = {"grade", "frames [%]", "what"}};
  for (const GradeCriterion& one : grade.criteria) {
    table.rows.push_back({std::string(1, one.grade), percent(one.ratio), one.meaning});
  }
  return table;
}

PageTable repair_table(const MotionGrade& before, const MotionGrade& after) {
  PageTable table{.title = fmt::format("Repair: grade {} to {}", before.grade, after.grade),
                  .about = "Frames that break each rule, before and after the repair; the rules are the same.",
                  .header = {"before [%]", "after [%]", "what"}};
  for (const GradeCriterion& one : before.criteria) {
    const std::optional<double> ratio = after.metrics.number(one.name + "_ratio");
    table.rows.push_back({percent(one.ratio), ratio ? percent(*ratio) : "-", one.meaning});
  }
  return table;
}

std::vector<std::string> still_broken(const MotionGrade& after) {
  std::vector<std::string> lines;
  for (const GradeCriterion& one : after.criteria) {
    const auto worst = std::ranges::find(after.worst, one.name, &WorstMoment::criterion);
    if (!(one.ratio > 0.0)) continue;
    std::string line = fmt::format("{}: {} % of the frames", one.meaning, percent(one.ratio));
    if (worst != after.worst.end()) line += fmt::format("; worst at {:.2f} s: {}", worst->time_s, worst->text);
    lines.push_back(std::move(line));
  }
  return lines;
}

PageTable grades_table(const std::vector<GradedMotion>& motions) {
  PageTable table{.title = "Graded motions",
                  .about = "Percent of the frames that break a rule; the worst motions first.",
                  .header = {"motion", "grade", "floating", "penetration", "sliding", "ZMP outside", "friction",
                             "impossible flight", "torque", "speed", "range", "self-collision"}};
  std::vector<const GradedMotion*> order;
  for (const GradedMotion& motion : motions) order.push_back(&motion);
  const auto worst_of = [](const GradedMotion* motion) {
    if (!motion->refused.empty()) return 2.0;
    return motion->grade.criteria.empty() ? 0.0 : motion->grade.criteria.front().ratio;
  };
  std::ranges::stable_sort(order, std::greater(), worst_of);
  for (const GradedMotion* motion : order) {
    std::vector<std::string> row{motion->name};
    if (!motion->refused.empty()) {
      row.push_back("not read");
      row.resize(table.header.size());
      table.rows.push_back(std::move(row));
      continue;
    }
    row.emplace_back(1, motion->grade.grade);
    for (const char* name : {"floating", "penetration", "sliding", "zmp_outside", "friction", "impossible_flight",
                             "torque", "joint_speed", "joint_range", "self_collision"}) {
      const std::optional<double> ratio = motion->grade.metrics.number(fmt::format("{}_ratio", name));
      row.push_back(ratio ? percent(*ratio) : "-");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportPage grade_page(const MotionGrade& grade, const RobotModel& robot, const std::string& motion,
                      const std::vector<std::string>& reading) {
  ReportPage page;
  page.title = fmt::format("{} on {}: grade {}", motion, robot.name(), grade.grade);
  page.about =
      "Whether the robot could do this motion on a level floor at z = 0. Contacts are found from the soles' heights "
      "and "
      "speeds; forces from the motion after a 4 Hz low-pass (docs/motions.md has the rules).";
  page.notes = reading;
  page.notes.insert(page.notes.end(), grade.notes.begin(), grade.notes.end());
  page.tables = {grade_table(grade), worst_table(grade)};
  const auto sides = [](const char* quantity) {
    return std::vector<PlotSeries>{{.column = fmt::format("left_{}", quantity), .label = "left"},
                                   {.column = fmt::format("right_{}", quantity), .label = "right"}};
  };
  page.line_plots = {{.id = "sole_height",
                      .title = "Lowest corner of each sole",
                      .y_label = "height [m]",
                      .series = sides("sole_height_m"),
                      .limits = {-0.01, 0.01}},
                     {.id = "sole_speed",
                      .title = "Speed of each sole along the floor",
                      .y_label = "speed [m/s]",
                      .series = sides("sole_speed_m_per_s"),
                      .limits = {0.1}}};
  LinePlot severity{.id = "severity",
                    .title = "Severity of each rule",
                    .about = "The quantity over its threshold: above 1 the rule is broken.",
                    .y_label = "severity [-]",
                    .limits = {1.0}};
  for (const GradeCriterion& one : grade.criteria) {
    if (one.ratio > 0.0) severity.series.push_back({.column = one.name + "_severity", .label = one.name});
  }
  if (!severity.series.empty()) page.line_plots.push_back(std::move(severity));
  page.scene = grade_scene(grade, robot);
  return page;
}

}  // namespace aplomb
