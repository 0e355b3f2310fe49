#include <Eigen/Geometry>
#include <limits>
#include <numbers>

#include "aplomb/recording/formats/bvh_file.hpp"

namespace aplomb {
namespace {

struct Pose {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

/// Of a joint in its parent.
Pose local_pose(const BvhJoint& joint, const double* values) {
  Pose pose;
  pose.position = joint.offset;
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const auto channel = static_cast<int>(joint.channels[i]);
    const double value = values[joint.first_channel + i];
    if (channel < 3) {
      pose.position[channel] = joint.parent < 0 ? joint.offset[channel] + value : value;
    } else {
      const double angle = value * std::numbers::pi / 180.0;
      pose.rotation = pose.rotation * Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(channel - 3)).toRotationMatrix();
    }
  }
  return pose;
}

}  // namespace

std::vector<Eigen::Vector3d> joint_positions(const BvhFile& file, std::size_t frame) {
  std::vector<Pose> poses;
  poses.reserve(file.joints.size());
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(file.joints.size());
  for (const BvhJoint& joint : file.joints) {
    Pose pose = local_pose(joint, file.values.data() + frame * file.num_channels);
    if (joint.parent >= 0) {
      const Pose& parent = poses[static_cast<std::size_t>(joint.parent)];
      pose = {parent.rotation * pose.rotation, parent.position + parent.rotation * pose.position};
    }
    poses.push_back(pose);
    positions.push_back(pose.position);
  }
  return positions;
}

Points points_of(const BvhFile& file) {
  Points points;
  for (const BvhJoint& joint : file.joints) points.labels.push_back(joint.name);
  points.kinds.assign(points.labels.size(), PointKind::marker);
  points.num_frames = file.num_frames;
  points.rate_hz = 1.0 / file.frame_time_s;
  points.unit.clear();  // the format has none
  points.xyz.reserve(3 * points.num_points() * points.num_frames);
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    for (const Eigen::Vector3d& position : joint_positions(file, frame)) {
      const bool is_finite = position.cast<float>().allFinite();
      for (const double value : position) {
        points.xyz.push_back(is_finite ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN());
      }
    }
  }
  return points;
}

}  // namespace aplomb
