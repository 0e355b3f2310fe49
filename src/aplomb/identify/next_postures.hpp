#pragma once

#include <cstdint>
#include <vector>

#include "aplomb/identify/identification.hpp"

namespace aplomb {

/// Random postures in which the robot can stand: joint angles drawn within the ranges of the file's postures, legs as
/// in one of them (in the sagittal model they are drawn, too), feet level, the estimated CoM at least `margin` inside
/// the soles, no self-collision.
std::vector<RobotState> candidate_postures(const RobotModel& estimated, const PostureSet& set,
                                           const Identification& found, int count, double margin, std::uint64_t seed);

enum class Optimality { d, i };

/// Greedy choice of postures to measure: D-optimal minimises the volume of the parameters' confidence ellipsoid,
/// I-optimal the mean variance of the CoM over the candidates. `information` is that of earlier measurements (may be
/// zero).
std::vector<std::size_t> choose_postures(const StaticProblem& candidates, int count, Optimality optimality,
                                         const Eigen::VectorXd& phi, const Eigen::MatrixXd& information);

/// Mean standard deviation of the forward CoM over the postures `predicted`, after the postures `measured` and earlier
/// measurements (`information`, may be zero). [m]
double mean_com_deviation(const StaticProblem& problem, const Eigen::VectorXd& phi,
                          std::span<const std::size_t> measured, std::span<const std::size_t> predicted,
                          const Eigen::MatrixXd& information);

/// The candidates as if they were measured by the file's sensors.
PostureSet hypothetical_measurements(const std::vector<RobotState>& states, const RobotModel& estimated,
                                     const Sensors& sensors);

}  // namespace aplomb
