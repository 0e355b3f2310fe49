#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/recording.hpp"

namespace aplomb {

Eigen::Vector3d axis_vector(SignedAxis axis);
/// Turns the file's axes so that `up` becomes z; y up is turned about x, as OpenSim's users do.
Eigen::Matrix3d rotation_to_z_up(SignedAxis up);

/// Metres of a unit's name: m, cm, mm, in, ft and their longer names; none for another text.
std::optional<double> metres_of(std::string_view unit);

/// Finds the unit of the markers and sets `metres_per_unit`: the file's own word, unless a body in it would be smaller
/// than 2 cm or larger than 50 m and another unit fits. `given` overrides both.
Decision decide_unit(Points& points, const std::optional<std::string>& given);

/// The body's size along the file's axes, in the file's unit: the middle value over up to 200 frames. None without
/// three markers in a frame.
std::optional<Eigen::Vector3d> typical_spread(const Points& points);

/// What speaks for an axis, with its weight.
struct AxisVote {
  SignedAxis axis = SignedAxis::z;
  double weight = 0.0;
  std::string evidence;
};

std::vector<AxisVote> marker_votes(const Points& points);  ///< spread of the body, heads above feet
std::vector<AxisVote> plate_votes(const C3dParameters& parameters, const Points& points);  ///< corners, screen axes

/// The axis with the most weight; z without any vote.
Decision decide_up(const std::vector<AxisVote>& votes, const std::optional<SignedAxis>& given, SignedAxis& up);

}  // namespace aplomb
