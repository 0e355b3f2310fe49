#pragma once

#include <string>
#include <vector>

#include "aplomb/motion/grade/grade.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Report of one graded motion: criteria, the worst moments, curves, and a replay with the soles in stance.
ReportPage grade_page(const MotionGrade& grade, const RobotModel& robot, const std::string& motion,
                      const std::vector<std::string>& reading);

/// The rules of the grade as a table.
PageTable grade_table(const MotionGrade& grade);

/// One row for each of several motions, the worst first.
struct GradedMotion {
  std::string name;
  MotionGrade grade;
  std::string refused;  ///< why it was not read; then there is no grade
};
PageTable grades_table(const std::vector<GradedMotion>& motions);

/// Each rule before and after a repair.
PageTable repair_table(const MotionGrade& before, const MotionGrade& after);

/// Rules that a repaired motion still breaks, with the worst moment of each.
std::vector<std::string> still_broken(const MotionGrade& after);

}  // namespace aplomb
