#include "aplomb/human/plates/joint_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/plates/plate_loads.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"

namespace aplomb {
namespace {

void add(Wrench& sum, const Wrench& more, double part) {
  sum.force += part * more.force;
  sum.moment += part * more.moment;
}

/// Fraction of a load on both feet that the left one carries, by the CoP along the line between the soles' centres.
double left_part(const SegmentMotion& segments, Eigen::Index frame, const Wrench& wrench, double height) {
  const Eigen::Vector2d left = (segments.foot_pose(kLeft, frame) * segments.sole(kLeft).centre()).head<2>();
  const Eigen::Vector2d right = (segments.foot_pose(kRight, frame) * segments.sole(kRight).centre()).head<2>();
  const Eigen::Vector2d cop = centre_of_pressure(wrench, height);
  const double part = (cop - right).dot(left - right) / (left - right).squaredNorm();
  return part == part ? std::min(1.0, std::max(0.0, part)) : 0.5;
}

/// Measured wrenches on the left foot, the right foot and the pelvis.
std::array<Wrench, 3> wrenches(const SegmentMotion& segments, const GroundForces& forces, Eigen::Index frame) {
  std::array<Wrench, 3> sum;
  for (const PlateTrack& plate : forces.plates) {
    const Wrench wrench = plate.wrench(frame);
    switch (plate.load[static_cast<std::size_t>(frame)]) {
      case PlateLoad::left_foot:
        add(sum[kLeft], wrench, 1.0);
        break;
      case PlateLoad::right_foot:
        add(sum[kRight], wrench, 1.0);
        break;
      case PlateLoad::both_feet: {
        const double left = left_part(segments, frame, wrench, plate.height);
        add(sum[kLeft], wrench, left);
        add(sum[kRight], wrench, 1.0 - left);
        break;
      }
      case PlateLoad::seat:
        add(sum[2], wrench, 1.0);
        break;
      default:
        break;
    }
  }
  return sum;
}

bool is_of_leg(const Skeleton& skeleton, const Segment& segment) {
  for (const Segment* at = &segment; at->parent >= 0; at = &skeleton.segments[static_cast<std::size_t>(at->parent)]) {
    if (at->name.ends_with("_thigh")) return true;
  }
  return false;
}

/// Replaces each leg's flexion moments by the sum of both legs, and its other moments by NaN.
void sum_legs(const Skeleton& skeleton, JointMoments& moments) {
  const auto row = [&](const std::string& name) {
    return std::ranges::find(moments.names, name) - moments.names.begin();
  };
  const Eigen::MatrixXd alone = moments.moment;
  for (const Segment& segment : skeleton.segments) {
    if (!is_of_leg(skeleton, segment)) continue;
    const Segment& twin = skeleton.segments[static_cast<std::size_t>(segment.mirror)];
    for (std::size_t k = 0; k < segment.coordinates.size(); ++k) {
      const auto own = row(segment.coordinates[k].name);
      const bool is_flexion = std::abs(segment.coordinates[k].axis.y()) == 1.0;
      moments.moment.row(own).setConstant(std::numeric_limits<double>::quiet_NaN());
      if (is_flexion) moments.moment.row(own) = alone.row(own) + alone.row(row(twin.coordinates[k].name));
    }
  }
  moments.are_legs_split = false;
  moments.note =
      "one plate carries both feet: the moments of one leg are unknown; each leg's flexion moments are the sum of "
      "both legs, its other moments are left out";
}

}  // namespace

JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const SegmentMotion& segments,
                           const GroundForces& forces, const std::vector<FrameRange>& windows) {
  const RobotModel robot = human_robot(skeleton);
  const Eigen::Index count = motion.num_frames();
  const double none = std::numeric_limits<double>::quiet_NaN();
  JointMoments moments{.moment = Eigen::MatrixXd::Constant(robot.num_joints(), count, none),
                       .pelvis_residual = Matrix6Xd::Constant(6, count, none)};
  for (const Joint& joint : robot.joints()) moments.names.push_back(joint.name);
  const std::array<FrameId, 3> links{robot.frame(robot.description().roles.foot[kLeft]),
                                     robot.frame(robot.description().roles.foot[kRight]),
                                     robot.frame(robot.description().roles.pelvis)};
  InverseDynamics dynamics(robot, links);
  const SmoothMotion smooth = smooth_motion(motion, forces.cutoff_hz);
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      const Eigen::VectorXd& tau =
          dynamics.compute({smooth.q.col(i), smooth.v.col(i)}, smooth.a.col(i), wrenches(segments, forces, i));
      moments.pelvis_residual.col(i) = tau.head<6>();
      moments.moment.col(i) = tau.tail(robot.num_joints());
    }
  }
  if (forces.has(PlateLoad::both_feet)) sum_legs(skeleton, moments);
  return moments;
}

}  // namespace aplomb
