#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/recording.hpp"

namespace aplomb {

Eigen::Vector3d axis_vector(SignedAxis axis);
/// Rotation of the file's axes that maps `up` to z; y up is rotated about x, as is usual for OpenSim data.
Eigen::Matrix3d rotation_to_z_up(SignedAxis up);

/// Metres per unit for m, cm, mm, in, ft and their long names; none for any other text.
std::optional<double> metres_of(std::string_view unit);

/// Decides the markers' unit and sets `metres_per_unit`: the file's own unit, unless the body would then be smaller
/// than 2 cm or larger than 50 m and another unit fits. `given` overrides both.
Decision decide_unit(Points& points, const std::optional<std::string>& given);

/// The body's size along the file's axes, in the file's unit: the median over up to 200 frames. None without
/// three markers in a frame.
std::optional<Eigen::Vector3d> typical_spread(const Points& points);

/// Evidence for an up axis, with its weight.
struct AxisVote {
  SignedAxis axis = SignedAxis::z;
  double weight = 0.0;
  std::string evidence;
};

std::vector<AxisVote> marker_votes(const Points& points);  ///< from the spread of the body and from trunk above feet
std::vector<AxisVote> plate_votes(const C3dParameters& parameters, const Points& points);  ///< corners, Y_SCREEN

/// Chooses the axis with the largest sum of weights; z without any vote.
Decision decide_up(const std::vector<AxisVote>& votes, const std::optional<SignedAxis>& given, SignedAxis& up);

}  // namespace aplomb
