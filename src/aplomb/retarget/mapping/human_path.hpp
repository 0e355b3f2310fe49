#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/human/human_trial.hpp"

namespace aplomb {

/// One rise of a person, as retargeting sees it: frames of the clip, the first of them 0.
struct RiseFrames {
  Eigen::Index overlay = 0;                ///< a frame at rest on the seat: the one that is laid over the robot
  Eigen::Index onset = 0;                  ///< the body begins to move
  Eigen::Index seat_off = 0;               ///< the first frame off the seat
  Eigen::Index stand = 0;                  ///< the body is up
  std::array<Eigen::Index, 2> hand_off{};  ///< left, right: the first frame off its arm rest; 0: it rests on none
};

/// Where a person's markers and centre of mass are during one rise; x forward, y left, z up, the floor at z = 0.
struct HumanPath {
  double rate_hz = 0.0, start_s = 0.0;  ///< of the clip, in the recording's time
  RiseFrames rise;
  std::vector<std::string> labels;
  std::vector<int> segments;                         ///< of the markers
  Eigen::MatrixXd markers;                           ///< three rows a marker, a column a frame [m]
  Eigen::Matrix3Xd com;                              ///< [m]
  Eigen::Vector3d ankles = Eigen::Vector3d::Zero();  ///< mid-point of the ankle joints in the overlaid frame [m]
  double leg_length = 0.0;                           ///< thigh and shank [m]
  double heel_x = 0.0, toe_x = 0.0;                  ///< of both soles together, in the overlaid frame [m]
  std::array<Eigen::Vector3d, 2> wrists = zero_array<Eigen::Vector3d, 2>();  ///< left, right, in the overlaid frame [m]
  std::optional<double> hand_share;  ///< largest part of the force on arm rests; absent: untold

  Eigen::Index num_frames() const { return com.cols(); }
  double time_s(Eigen::Index frame) const { return start_s + static_cast<double>(frame) / rate_hz; }
  Eigen::Vector3d marker(std::size_t i, Eigen::Index frame) const {
    return markers.block<3, 1>(3 * static_cast<Eigen::Index>(i), frame);
  }
};

/// The rise number `rise` of a trial, from sitting still to standing still. Throws InvalidValue when the trial has
/// none, or no frame on the seat before it.
HumanPath human_path(const HumanTrial& trial, std::size_t rise);

/// The same path, `factor` times as slow, at the same rate.
HumanPath slowed(const HumanPath& path, double factor);

}  // namespace aplomb
