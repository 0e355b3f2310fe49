#include "aplomb/retarget/mapping/seat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/retarget/frames/solver_budget.hpp"
#include "aplomb/retarget/mapping/planted.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"

namespace aplomb {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kShankLean = 25.0 * kDegree, kTrunkLean = 3.0 * kDegree;

/// Finds the posture with the hips at a given height.
class SeatedPosture {
 public:
  SeatedPosture(const RobotModel& robot, const Limbs& limbs, SolverBudget& budget)
      : robot_(robot), limbs_(limbs), tree_(robot), budget_(budget) {
    start_ = has("half_sitting") ? robot.posture("half_sitting") : robot.neutral_state();
    robot.stand_on_soles(start_);
    tree_.update(start_.q);
    std::vector<PointRow> rows = planted_foot(robot, tree_, 0);
    for (const PointRow& row : planted_foot(robot, tree_, 1)) rows.push_back(row);
    hip_rows_ = rows.size();
    for (int axis : {0, 2, 1}) {
      rows.push_back({.body = limbs.pelvis,
                      .offset = limbs.hips,
                      .direction = Eigen::Vector3d::Unit(axis),
                      // When out of reach, the hips' equations are violated and not those of the feet.
                      .softness = kComSoftness});
    }
    rows.back().value = middle_of_feet(rows);
    std::vector<RobotMarker> markers;  // they hold the pelvis and the trunk upright
    for (int body : {limbs.pelvis, limbs.trunk}) {
      for (int axis = 0; axis < 3; ++axis) {
        markers.push_back({.body = body, .offset = kArm * Eigen::Vector3d::Unit(axis)});
        markers.push_back({.body = body, .offset = -kArm * Eigen::Vector3d::Unit(axis)});
      }
    }
    solver_ = std::make_unique<PostureSolver>(robot, markers, rows, std::vector<CapsulePair>{},
                                              PostureSolver::Settings{.newton_steps = 20, .near_steps = 10});
    solver_->pull = (has("seated") ? robot.posture("seated") : start_).q.tail(robot.num_joints());
    solver_->pull_weight.setConstant(1e-4);
    leave_room();
  }

  bool has(const char* posture) const { return robot_.description().postures.contains(posture); }

  /// Solves for hips at a height with shanks leaned by `lean`; returns the residual [m].
  double solve(double hip_height, double lean, RobotState& state) {
    const double knee = limbs_.ankle_height + limbs_.shank_length * std::cos(lean);
    const double rise = std::clamp((knee - hip_height) / limbs_.thigh_length, -1.0, 1.0);
    const double hip_x = limbs_.ankles(tree_start()).x() + limbs_.shank_length * std::sin(lean) -
                         limbs_.thigh_length * std::sqrt(1.0 - rise * rise);
    state = start_;
    // In small steps from above: a leg that is folded at once may fold the wrong way.
    const Eigen::Vector3d from = tree_start().point(limbs_.pelvis, limbs_.hips);
    constexpr int kMoves = 20;
    for (int move = 1; move <= kMoves; ++move) {
      const double part = static_cast<double>(move) / kMoves;
      solver_->rows[hip_rows_].value = from.x() + part * (hip_x - from.x());
      solver_->rows[hip_rows_ + 1].value = from.z() + part * (hip_height - from.z());
      aim_trunk(solver_->rows[hip_rows_].value, solver_->rows[hip_rows_ + 1].value);
      budget_.spend(solver_->solve(state.q).linear_systems);
      if (budget_.is_spent()) {
        throw InvalidValue(fmt::format("robot '{}': no seated posture within {:.0f} million linear systems",
                                       robot_.name(), 1e-6 * static_cast<double>(budget_.total())));
      }
      if (error() > kTooFar) break;  // lower heights are farther out of reach
    }
    return error();
  }

 private:
  static constexpr double kArm = 0.2;      // [m]
  static constexpr double kTooFar = 1e-3;  // [m]

  double error() const {
    double largest = 0.0;
    for (std::size_t row = 0; row < solver_->rows.size(); ++row) {
      largest = std::max(largest, std::abs(solver_->row_error(row)));
    }
    return largest;
  }

  /// Mid-point of the feet in y, from the equations that fix them.
  static double middle_of_feet(const std::vector<PointRow>& rows) { return 0.5 * (rows[1].value + rows[7].value); }

  /// Keeps a margin to the joint limits, so that the robot can move.
  void leave_room() {
    for (Eigen::Index i = 0; i < solver_->lower.size(); ++i) {
      const double room = std::min(0.05, 0.1 * (solver_->upper[i] - solver_->lower[i]));
      solver_->lower[i] = std::min(solver_->lower[i] + room, std::max(solver_->lower[i], solver_->pull[i]));
      solver_->upper[i] = std::max(solver_->upper[i] - room, std::min(solver_->upper[i], solver_->pull[i]));
    }
  }

  const TreeKinematics& tree_start() {
    tree_.update(start_.q);
    return tree_;
  }

  /// Markers of pelvis and trunk as if both were one rigid body leaned forward, hips at (x, z).
  void aim_trunk(double x, double z) {
    tree_.update(start_.q);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(kTrunkLean, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const Eigen::Vector3d pelvis_hips = tree_.point(limbs_.pelvis, limbs_.hips);
    for (std::size_t i = 0; i < solver_->targets.size(); ++i) {
      const RobotMarker& marker = solver_->markers()[i];
      const Eigen::Vector3d arm = tree_.point(marker.body, marker.offset) - pelvis_hips;
      solver_->targets[i] = Eigen::Vector3d(x, pelvis_hips.y(), z) + R * arm;
    }
  }

  const RobotModel& robot_;
  const Limbs& limbs_;
  TreeKinematics tree_;
  RobotState start_;
  std::size_t hip_rows_ = 0;
  std::unique_ptr<PostureSolver> solver_;
  SolverBudget& budget_;
};

constexpr double kReached = 1e-6;                       // [m]
constexpr std::int64_t kMostLinearSystems = 2'000'000;  // of one search for a seated posture

/// The posture at a height with the shanks leaned back as far as possible: the lean is reduced in steps of 2.5 degrees.
bool try_height(SeatedPosture& sitter, double hip_height, RobotState& state) {
  for (double lean = kShankLean; lean > 5.0 * kDegree; lean -= 2.5 * kDegree) {
    if (sitter.solve(hip_height, lean, state) < kReached) return true;
  }
  return false;
}

/// Lowest feasible height of the hips from `wanted` on, in steps of `step`: searched upwards in strides of four steps,
/// then downwards in single ones. Above `highest`: none is feasible.
double lowest_from(SeatedPosture& sitter, double wanted, double highest, double step, RobotState& state) {
  constexpr int kStride = 4;
  double height = wanted;
  while (!try_height(sitter, height, state)) {
    height += kStride * step;
    if (height > highest + kStride * step) return height;
  }
  RobotState lower = state;
  for (int i = 1; i < kStride && height - step > wanted && try_height(sitter, height - step, lower); ++i) {
    height -= step;
    state = lower;
  }
  return height;
}

/// Computes a seated posture for a robot without a measured one for this chair.
void find_posture(const RobotModel& robot, const Limbs& limbs, std::optional<double> chair_height, SolverBudget& budget,
                  SeatedRobot& seated) {
  SeatedPosture sitter(robot, limbs, budget);
  const double level = limbs.ankle_height + limbs.shank_length * std::cos(kShankLean);
  const double wanted = chair_height ? *chair_height + seated.clearance : level;
  const double highest = limbs.ankle_height + 0.95 * limbs.leg_length();
  if (wanted > highest) {
    throw UnfitChair(fmt::format("a chair of {:.3f} m is too high for robot '{}': its feet would not reach the floor "
                                 "above {:.3f} m",
                                 *chair_height, robot.name(), highest - seated.clearance),
                     highest - seated.clearance);
  }
  const double height = lowest_from(sitter, wanted, highest, 0.01 * limbs.leg_length(), seated.state);
  if (height > highest) {
    throw InvalidValue(
        fmt::format("robot '{}' has no seated posture with its feet flat at any chair height", robot.name()));
  }
  if (chair_height && height > wanted) {
    const double lowest = height - seated.clearance + 0.0005;
    throw UnfitChair(fmt::format("robot '{}' cannot sit on a chair of {:.3f} m with its feet flat on the floor: it can "
                                 "from {:.3f} m on",
                                 robot.name(), *chair_height, lowest),
                     lowest);
  }
  seated.chair_height = height - seated.clearance;
  if (height > wanted) seated.notes.push_back("thighs not level: joint limits require a higher chair");
}

}  // namespace

SeatedRobot sit_down(const RobotModel& robot, const Limbs& limbs, std::optional<double> chair_height) {
  const std::vector<SeatShape> shapes = seat_shapes(robot, limbs);
  TreeKinematics tree(robot);
  const auto clearance_of = [&](const RobotState& state) {
    tree.update(state.q);
    return seat_clearance(shapes, limbs, tree);
  };
  SeatedRobot seated;
  if (robot.description().postures.contains("seated")) {
    constexpr double kSameChair = 5e-4;  // [m]
    seated.state = robot.posture("seated");
    seated.clearance = clearance_of(seated.state);
    seated.chair_height = tree.point(limbs.pelvis, limbs.hips).z() - seated.clearance;
    seated.is_measured = !chair_height || std::abs(*chair_height - seated.chair_height) < kSameChair;
    if (seated.is_measured) return seated;
  }
  SolverBudget budget(kMostLinearSystems);
  // The contact with the seat turns with the thighs, and the thighs with the hips' height: iterate.
  if (chair_height) {
    find_posture(robot, limbs, std::nullopt, budget, seated);
    seated.clearance = clearance_of(seated.state);
  }
  for (int round = 0; round < 8; ++round) {
    constexpr double kSettled = 1e-6;  // [m]
    seated.notes.clear();
    find_posture(robot, limbs, chair_height, budget, seated);
    const double found = clearance_of(seated.state);
    const bool is_settled = std::abs(found - seated.clearance) < kSettled;
    seated.chair_height += seated.clearance - found;
    seated.clearance = found;
    if (is_settled || !chair_height) break;
  }
  return seated;
}

}  // namespace aplomb
