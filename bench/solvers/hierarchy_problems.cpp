#include <cmath>
#include <random>

#include "solvers/problems.hpp"

namespace aplomb::bench {
namespace {

constexpr int kBase = 6;
constexpr int kJoints = kHierarchyColumns - kBase;
constexpr double kPeriod = 1e-3;             // [s]
constexpr double kAccelerationLimit = 60.0;  // joint acceleration limit [rad/s²]

/// Rows that resemble Jacobians of a moving robot: a constant part and parts that rotate at a few rad/s.
class MovingRows {
 public:
  MovingRows(int rows, unsigned seed) : engine_(seed), fixed_(rows, kHierarchyColumns), turning_(fixed_) {
    for (Eigen::Index i = 0; i < fixed_.size(); ++i) fixed_.data()[i] = next();
    for (Eigen::Index i = 0; i < turning_.size(); ++i) turning_.data()[i] = next();
  }

  Eigen::MatrixXd at(double time) const { return fixed_ + 0.3 * std::sin(3.0 * time) * turning_; }

 private:
  double next() { return 2.0 * static_cast<double>(engine_() >> 11) * 0x1p-53 - 1.0; }

  std::mt19937_64 engine_;
  Eigen::MatrixXd fixed_;
  Eigen::MatrixXd turning_;
};

void write_tasks(HierarchyLevel& feet, HierarchyLevel& momentum, HierarchyLevel& hand, HierarchyLevel& posture,
                 double time) {
  static const MovingRows feet_rows(12, 1);
  static const MovingRows momentum_rows(6, 2);
  static const MovingRows hand_rows(6, 3);
  feet.A = feet_rows.at(time);
  momentum.A = momentum_rows.at(time);
  momentum.b << 2.0 * std::sin(5.0 * time), 1.0, 0.5 * std::cos(4.0 * time), 0.1, 0.2, 0.0;
  hand.A = hand_rows.at(time);
  hand.b << 30.0 * std::sin(20.0 * time), 5.0, -8.0 * std::cos(9.0 * time), 0.0, 0.0, 1.0;
  posture.A.rightCols(kJoints).setIdentity();
  for (int joint = 0; joint < kJoints; ++joint) posture.b[joint] = 50.0 * std::sin(joint + 6.0 * time);
}

}  // namespace

std::vector<HierarchyLevelSize> hierarchy_sizes() { return {{12, 0}, {6, 0}, {6, 0}, {kJoints, 0}}; }

std::vector<HierarchyProblem> hierarchies(int count) {
  std::vector<HierarchyProblem> problems;
  for (int i = 0; i < count; ++i) {
    HierarchyProblem problem(kHierarchyColumns, hierarchy_sizes());
    auto& levels = problem.levels;
    write_tasks(levels[0], levels[1], levels[2], levels[3], i * kPeriod);
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::vector<HierarchyLevelSize> bounded_hierarchy_sizes() {
  return {{0, kJoints}, {12, 0}, {6, 0}, {6, 0}, {kJoints, 0}};
}

std::vector<HierarchyProblem> bounded_hierarchies(int count) {
  std::vector<HierarchyProblem> problems;
  for (int i = 0; i < count; ++i) {
    HierarchyProblem problem(kHierarchyColumns, bounded_hierarchy_sizes());
    auto& levels = problem.levels;
    levels[0].C.rightCols(kJoints).setIdentity();
    levels[0].lower.setConstant(-kAccelerationLimit);
    levels[0].upper.setConstant(kAccelerationLimit);
    write_tasks(levels[1], levels[2], levels[3], levels[4], i * kPeriod);
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace aplomb::bench
