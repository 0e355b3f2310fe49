#pragma once

/// The main job in six calls; each step can be used alone, from its own header:
///
///   const Recording  recording = read_recording("sts.c3d");
///   const HumanTrial person    = analyse(recording);
///   const RobotModel robot     = RobotModel::load("sarcos_real");                 // the robot that stands there
///   const RobotModel believed  = identify(measure_postures(robot), robot.cad());  // what is known of it
///   const MotionPlan plan      = retarget(person, believed);
///   const RunResult  rise      = stand_up(robot, believed, plan);

#include "aplomb/human/analyse.hpp"              // IWYU pragma: export
#include "aplomb/identify/identification.hpp"    // IWYU pragma: export
#include "aplomb/pipeline/measure_postures.hpp"  // IWYU pragma: export
#include "aplomb/pipeline/stand_up.hpp"          // IWYU pragma: export
#include "aplomb/recording/recording.hpp"        // IWYU pragma: export
#include "aplomb/retarget/retarget.hpp"          // IWYU pragma: export
#include "aplomb/robot/robot_model.hpp"          // IWYU pragma: export
