#pragma once

#include <cstdint>
#include <vector>

#include "aplomb/identify/identification.hpp"

namespace aplomb {

/// Postures in which the robot can stand: joints within the ranges of the file's postures, legs as in one of them (or,
/// in the sagittal plane, drawn), feet level, the CoM by the estimate `margin` inside the soles, no self-collision.
std::vector<RobotState> candidate_postures(const RobotModel& estimated, const PostureSet& set,
                                           const Identification& found, int count, double margin, std::uint64_t seed);

enum class Optimality { d, i };

/// Greedy choice of postures to measure: D makes the volume of the parameters' ellipsoid small, I the mean variance of
/// the CoM over the candidates. `information` is of what was measured before (may be zero).
std::vector<std::size_t> choose_postures(const StaticProblem& candidates, int count, Optimality optimality,
                                         const Eigen::VectorXd& phi, const Eigen::MatrixXd& information);

/// Mean standard deviation of the forward CoM over some postures, when these others have been measured, on top of what
/// was known before (`information`, may be zero). [m]
double mean_com_deviation(const StaticProblem& problem, const Eigen::VectorXd& phi,
                          std::span<const std::size_t> measured, std::span<const std::size_t> predicted,
                          const Eigen::MatrixXd& information);

/// The candidates as measurements that would be made by the file's sensors.
PostureSet imagined(const std::vector<RobotState>& states, const RobotModel& estimated, const Sensors& sensors);

}  // namespace aplomb
