#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "solvers/problems.hpp"

namespace aplomb::bench {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kMass = 52.0;     // [kg]
constexpr double kHeight = 0.77;   // height of the centre of mass [m]
constexpr double kGravity = 9.81;  // [m/s²]
constexpr double kFriction = 0.8;
constexpr double kPeriod = 1e-3;     // [s]
constexpr double kPush = 120.0;      // [N]
constexpr double kPushStart = 0.05;  // [s]
constexpr double kPushEnd = 0.15;    // [s]
constexpr double kHeel = -0.09;      // heel position relative to the ankle [m]
constexpr double kToe = 0.15;
constexpr double kHalfWidth = 0.06;
constexpr double kFootSide = 0.1;  // lateral position of the ankle from the middle [m]
constexpr double kAngularWeight = 0.1;
constexpr double kForceWeight = 0.01;

/// Desired ground reaction force in one millisecond, and the position of the centre of mass.
struct Demand {
  Vector3d com;
  Vector3d force;  ///< sum over both feet: weight compensation and CoM feedback [N]
};

std::vector<Demand> pushed_pendulum(int count) {
  const Vector2d rest(0.03, 0.0);
  const double frequency = std::sqrt(kGravity / kHeight);
  const Vector2d push(kPush * std::cos(M_PI / 6.0), kPush * std::sin(M_PI / 6.0));
  Vector2d position = rest;
  Vector2d velocity = Vector2d::Zero();
  std::vector<Demand> demands;
  for (int i = 0; i < count; ++i) {
    const double time = i * kPeriod;
    const Vector2d wanted = -8.0 * (position - rest) - 40.0 * velocity;  // gains of Lee and Goswami 2010, eq. 3
    demands.push_back(
        {{position.x(), position.y(), kHeight}, {kMass * wanted.x(), kMass * wanted.y(), kMass * kGravity}});
    const Vector2d capture = position + velocity / frequency;
    Vector2d pressure = rest + 2.0 * (capture - rest);
    pressure.x() = std::clamp(pressure.x(), kHeel + 0.01, kToe - 0.01);
    pressure.y() = std::clamp(pressure.y(), -kFootSide - kHalfWidth + 0.01, kFootSide + kHalfWidth - 0.01);
    Vector2d acceleration = frequency * frequency * (position - pressure);
    if (time >= kPushStart && time < kPushEnd) acceleration += push / kMass;
    velocity += kPeriod * acceleration;
    position += kPeriod * velocity;
  }
  return demands;
}

void write_target(const Demand& demand, BoundedLeastSquaresProblem& problem) {
  problem.b.head<3>() = demand.force;
  problem.b.tail<3>().setZero();  // desired rate of angular momentum
}

}  // namespace

std::vector<BoundedLeastSquaresProblem> pushed_pendulum_cone_forces(int count) {
  std::vector<BoundedLeastSquaresProblem> problems;
  const double side = kFriction / std::sqrt(2.0);
  for (const Demand& demand : pushed_pendulum(count)) {
    BoundedLeastSquaresProblem problem(6, 32);
    int column = 0;
    for (const double foot : {-kFootSide, kFootSide}) {
      for (const double x : {kHeel, kToe}) {
        for (const double y : {foot - kHalfWidth, foot + kHalfWidth}) {
          for (int edge = 0; edge < 4; ++edge) {
            const Vector3d force(edge % 2 == 0 ? side : -side, edge / 2 == 0 ? side : -side, 1.0);
            const Vector3d arm = Vector3d(x, y, 0.0) - demand.com;
            problem.A.col(column) << force, std::sqrt(kAngularWeight) * arm.cross(force);
            ++column;
          }
        }
      }
    }
    problem.D.setConstant(std::sqrt(kForceWeight));
    problem.lower.setZero();
    write_target(demand, problem);
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::vector<BoundedLeastSquaresProblem> pushed_pendulum_foot_wrenches(int count) {
  std::vector<BoundedLeastSquaresProblem> problems;
  const double load = 0.5 * kMass * kGravity;  // load of each foot at rest
  Eigen::Matrix<double, 6, 1> lower;
  Eigen::Matrix<double, 6, 1> upper;
  const double side = kFriction * load / std::sqrt(2.0);
  lower << -side, -side, 0.0, -kHalfWidth * load, -kToe * load, -0.05 * kFriction * load;
  upper << side, side, 2.2 * load, kHalfWidth * load, -kHeel * load, 0.05 * kFriction * load;
  for (const Demand& demand : pushed_pendulum(count)) {
    BoundedLeastSquaresProblem problem(6, 12);
    for (int foot = 0; foot < 2; ++foot) {
      const Vector3d arm = Vector3d(0.0, foot == 0 ? -kFootSide : kFootSide, 0.0) - demand.com;
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3d unit = Vector3d::Unit(axis);
        problem.A.col(6 * foot + axis) << unit, std::sqrt(kAngularWeight) * arm.cross(unit);
        problem.A.col(6 * foot + 3 + axis) << Vector3d::Zero(), std::sqrt(kAngularWeight) * unit;
      }
      problem.lower.segment<6>(6 * foot) = lower;
      problem.upper.segment<6>(6 * foot) = upper;
      problem.x0[6 * foot + 2] = load;
    }
    problem.D.setConstant(std::sqrt(kForceWeight));
    write_target(demand, problem);
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace aplomb::bench
