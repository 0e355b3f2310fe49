#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/retarget/whole_motion/motion_solver.hpp"

namespace aplomb {

/// A limit that a motion violates, over all its knots.
struct ViolatedLimit {
  ReachedLimit::Kind kind = ReachedLimit::Kind::contact;
  std::string name;
  double excess = 0.0;                          ///< the largest one, scaled as ReachedLimit::excess
  double sum = 0.0;                             ///< of all knots
  Eigen::Index first = 0, last = 0, worst = 0;  ///< knots
};

/// The limits that are violated by more than `least`, the one with the largest sum first.
std::vector<ViolatedLimit> violated_limits(const WholeMotion& motion, double least);

/// Takes a limit out of a task, in all its frames. An equation stays.
void remove_limit(const RobotModel& robot, const ViolatedLimit& limit, MotionTask& task);

/// Limits without which a task would be feasible.
struct Removal {
  std::vector<ViolatedLimit> limits;
  bool is_enough = false;  ///< false: without them it is not feasible either
};

/// Finds them: takes out the limits with the largest violations (all of at least half the largest sum), solves again
/// from `motion`, and so on, a few times. `least`: violations below it are met.
Removal find_removal(const RobotModel& robot, MotionTask task, const WholeMotion& motion, double least);

}  // namespace aplomb
