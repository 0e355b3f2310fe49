#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Coordinate that a channel drives: 0, 1, 2 the position along x, y, z; 3, 4, 5 the rotation about x, y, z.
enum class BvhChannel : unsigned char { x_position, y_position, z_position, x_rotation, y_rotation, z_rotation };

struct BvhJoint {
  std::string name;
  int parent = -1;  ///< index of the parent, which precedes its children; -1: a root
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  std::vector<BvhChannel> channels;  ///< in the order of the file, which is the order of multiplication
  std::size_t first_channel = 0;     ///< index of its first value in a frame
  std::optional<Eigen::Vector3d> end_site;
};

/// A skeleton with its motion; the format has no unit and no up axis.
struct BvhFile {
  std::vector<BvhJoint> joints;
  std::size_t num_channels = 0;
  std::size_t num_frames = 0;
  double frame_time_s = 0.0;
  std::vector<double> values;  ///< [frame][channel]; rotations in degrees
  std::vector<std::string> notes;
};

/// Accepts any order and number of channels per joint, and any number of roots. Throws FileError, with line and column.
BvhFile read_bvh(const InputBytes& input);

/// Joint positions of a frame, in the file's axes and unit. A root's position is its offset plus its channels; position
/// channels of any other joint replace its offset.
std::vector<Eigen::Vector3d> joint_positions(const BvhFile& file, std::size_t frame);

/// The joints' positions as markers, all frames.
Points points_of(const BvhFile& file);

}  // namespace aplomb
