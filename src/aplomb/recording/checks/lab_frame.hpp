#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/formats/c3d/c3d_parameters.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// An axis of the file with its sign: +1 is x, -1 is −x, 2 y, 3 z.
enum class SignedAxis : int { minus_z = -3, minus_y = -2, minus_x = -1, x = 1, y = 2, z = 3 };

std::string axis_text(SignedAxis axis);                       ///< "z", "-y"
std::optional<SignedAxis> parse_axis(std::string_view text);  ///< "z", "+z", "-y"
Eigen::Vector3d axis_vector(SignedAxis axis);
/// Turns the file's axes so that `up` becomes z; y up is turned about x, as OpenSim's users do.
Eigen::Matrix3d rotation_to_z_up(SignedAxis up);

/// Metres of a unit's name: m, cm, mm, in, ft and their longer names; none for another text.
std::optional<double> metres_of(std::string_view unit);

/// What was decided about a recording's unit or axis, and why.
struct Decision {
  std::string value;                  ///< "mm", "z"
  std::vector<std::string> evidence;  ///< one line each; the decisive one first
  bool is_sure = true;
  bool is_given = false;  ///< by the caller
  std::string warning;    ///< when the file says otherwise
};

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
