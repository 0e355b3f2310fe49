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

/// Wrenches on the left foot, the right foot, the pelvis, the left and the right hand.
using ContactWrenches = std::array<Wrench, 5>;
constexpr std::size_t kPelvis = 2, kHands = 3;

ContactWrenches measured_wrenches(const SegmentMotion& segments, const GroundForces& forces, Eigen::Index frame) {
  ContactWrenches sum;
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
        add(sum[kPelvis], wrench, 1.0);
        break;
      case PlateLoad::left_hand:
        add(sum[kHands + kLeft], wrench, 1.0);
        break;
      case PlateLoad::right_hand:
        add(sum[kHands + kRight], wrench, 1.0);
        break;
      default:
        break;
    }
  }
  return sum;
}

ContactWrenches estimated_wrenches(const ReactionForces& reactions, Eigen::Index frame) {
  ContactWrenches sum;
  for (std::size_t contact = 0; contact < ReactionForces::kCount; ++contact) {
    Eigen::Vector3d at;
    at << reactions.cop[contact].col(frame), reactions.plane_height;
    const Eigen::Vector3d force = reactions.force[contact].col(frame);
    sum[contact] = {force, at.cross(force)};
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

/// Inverse dynamics of a smoothed motion, frame by frame, into a JointMoments that begins without values.
class Moments {
 public:
  Moments(const Skeleton& skeleton, const HumanMotion& motion, double cutoff_hz)
      : robot_(human_robot(skeleton)), dynamics_(robot_, links(robot_)), smooth_(smooth_motion(motion, cutoff_hz)) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    result.moment = Eigen::MatrixXd::Constant(robot_.num_joints(), motion.num_frames(), none);
    result.pelvis_residual = Matrix6Xd::Constant(6, motion.num_frames(), none);
    for (const Joint& joint : robot_.joints()) result.names.push_back(joint.name);
  }

  void set(Eigen::Index frame, const ContactWrenches& wrenches) {
    const Eigen::VectorXd& tau =
        dynamics_.compute({smooth_.q.col(frame), smooth_.v.col(frame)}, smooth_.a.col(frame), wrenches);
    result.pelvis_residual.col(frame) = tau.head<6>();
    result.moment.col(frame) = tau.tail(robot_.num_joints());
  }

  JointMoments result;

 private:
  static std::array<FrameId, 5> links(const RobotModel& robot) {
    const Roles& roles = robot.description().roles;
    return {robot.frame(roles.foot[kLeft]), robot.frame(roles.foot[kRight]), robot.frame(roles.pelvis),
            robot.frame(roles.hand[kLeft]), robot.frame(roles.hand[kRight])};
  }

  RobotModel robot_;
  InverseDynamics dynamics_;
  SmoothMotion smooth_;
};

}  // namespace

JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const SegmentMotion& segments,
                           const GroundForces& forces, const std::vector<FrameRange>& windows) {
  Moments moments(skeleton, motion, forces.cutoff_hz);
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) moments.set(i, measured_wrenches(segments, forces, i));
  }
  if (forces.has(PlateLoad::both_feet)) sum_legs(skeleton, moments.result);
  return std::move(moments.result);
}

JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const ReactionForces& reactions,
                           double cutoff_hz) {
  Moments moments(skeleton, motion, cutoff_hz);
  moments.result.are_measured = false;
  if (!reactions.is_known()) return std::move(moments.result);
  for (Eigen::Index i = 0; i < motion.num_frames(); ++i) moments.set(i, estimated_wrenches(reactions, i));
  moments.result.note =
      "there are no plates: joint moments and powers are those of the forces found from the motion alone";
  return std::move(moments.result);
}

}  // namespace aplomb
