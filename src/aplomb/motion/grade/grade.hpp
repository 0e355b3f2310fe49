#pragma once

#include <array>
#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/motion/formats/robot_motion.hpp"
#include "aplomb/motion/grade/foot_tracks.hpp"

namespace aplomb {

/// Thresholds of the grade. docs/motions.md explains each.
struct GradeRules {
  double near_floor_m = 0.01;   ///< a foot floats when no point of its sole is nearer to the floor
  double penetration_m = 0.01;  ///< a sole is in the floor when a corner is deeper
  StanceRule stance;            ///< when a foot is in stance
  double slide_m_per_s = 0.1;   ///< a foot in stance slides when its sole's centre is faster along the floor
  double zmp_outside_m = 0.02;  ///< the ZMP is outside when it is farther from the soles in stance
  double friction = 0.8;        ///< needed friction beyond this is no floor's
  double flight_force = 0.5;    ///< without stance the floor gives nothing; more than this of the weight is needed
  double limit_rad = 0.01;      ///< a joint is beyond its range by more
  double collision_m = 0.01;    ///< two links are inside each other by more
  double cutoff_hz = 4.0;       ///< of the low-pass before forces and torques are computed
};

/// The fraction of the frames (of those in which it can be judged) that break one rule.
struct GradeCriterion {
  std::string name;  ///< as in metrics.json, without the suffix: "floating"
  std::string meaning;
  double ratio = 0.0;
  char grade = 'A';
};

/// A moment in which a rule is broken most.
struct WorstMoment {
  double time_s = 0.0;
  std::string criterion;
  std::string text;       ///< "left foot slides at 0.83 m/s"
  double severity = 0.0;  ///< the quantity over its threshold
};

struct MotionGrade {
  char grade = 'A';                      ///< of the worst criterion
  std::vector<GradeCriterion> criteria;  ///< the worst first
  std::vector<WorstMoment> worst;        ///< the worst first, at most one of a criterion within half a second
  Metrics metrics;
  Log log;                         ///< one row a frame
  std::vector<std::string> notes;  ///< what could not be judged, and why
};

/// Judges whether a robot could do a motion, on a level floor at z = 0. Contacts are found from the soles' heights and
/// speeds. The robot must have soles. Throws InvalidValue.
MotionGrade grade_motion(const RobotModel& robot, const RobotMotion& motion, const GradeRules& rules = {});

/// The letter of a fraction of frames: A up to 1 %, B 5 %, C 15 %, D 40 %, E above.
char grade_letter(double ratio);
int grade_points(char letter);  ///< A: 4, ..., E: 0

}  // namespace aplomb
