#include "aplomb/motion/com_reference.hpp"

#include "aplomb/motion/profile/reference_filter.hpp"

namespace aplomb {

ComReference ComReference::hold(const Eigen::Vector3d& start) {
  ComReference reference;
  reference.start_ = start;
  return reference;
}

ComReference ComReference::sine(const Eigen::Vector3d& start, int axis, const FadedSine& sine, double begin_s) {
  ComReference reference = hold(start);
  reference.kind_ = Kind::sine;
  reference.axis_ = axis;
  reference.sine_ = sine;
  reference.begin_s_ = begin_s;
  return reference;
}

ComReference ComReference::path(const Eigen::Vector3d& start, std::vector<Point> points) {
  ComReference reference = hold(start);
  reference.kind_ = Kind::path;
  reference.points_ = std::move(points);
  return reference;
}

ComReference ComReference::filtered(const Eigen::Vector3d& start, std::vector<Point> points, double trajectory_time_s) {
  ComReference reference = path(start, std::move(points));
  reference.kind_ = Kind::filtered;
  reference.trajectory_time_s_ = trajectory_time_s;
  return reference;
}

ComReference ComReference::feet_midpoint(const Eigen::Vector3d& start, const StandingFeet& feet) {
  ComReference reference = hold(start);
  reference.kind_ = Kind::feet_midpoint;
  reference.height_ = start.z() - feet.midpoint.z();
  return reference;
}

ComTarget ComReference::at(double time_s, const StandingFeet& feet) const {
  ComTarget target{.position = start_};
  if (kind_ == Kind::feet_midpoint) {
    target.position = feet.midpoint + Eigen::Vector3d(0.0, 0.0, height_);
    target.velocity = feet.velocity;
  } else if (kind_ == Kind::sine && time_s > begin_s_) {
    const AxisMotion motion = sine_.at(time_s - begin_s_);
    target.position[axis_] += motion.position;
    target.velocity[axis_] = motion.velocity;
    target.acceleration[axis_] = motion.acceleration;
  } else if (kind_ == Kind::filtered) {
    Eigen::Vector3d last = Eigen::Vector3d::Zero();
    for (const Point& point : points_) {
      const AxisMotion motion = filtered_step(time_s - point.time_s, trajectory_time_s_);
      target.position += motion.position * (point.offset - last);
      target.velocity += motion.velocity * (point.offset - last);
      target.acceleration += motion.acceleration * (point.offset - last);
      last = point.offset;
    }
  } else if (kind_ == Kind::path) {
    Point from;
    for (const Point& to : points_) {
      if (time_s < to.time_s) {
        const Eigen::Vector3d way = to.offset - from.offset;
        const AxisMotion motion = minimum_jerk(time_s - from.time_s, to.time_s - from.time_s);
        target.position += from.offset + motion.position * way;
        target.velocity = motion.velocity * way;
        target.acceleration = motion.acceleration * way;
        return target;
      }
      from = to;
    }
    target.position += from.offset;
  }
  return target;
}

}  // namespace aplomb
