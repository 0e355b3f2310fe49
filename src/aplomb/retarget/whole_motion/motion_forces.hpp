#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/retarget/whole_motion/motion_task.hpp"

namespace aplomb {

/// Contact forces of a whole motion, frame by frame. A frame's force vector has six components for each sole (in its
/// frame, about its centre) and three for each point (in the world), zero for contacts that are not active:
///   f = spread · w + exchange · n + points · s,
/// where w is the wrench about the world's origin that the motion needs, n the part of the soles' forces that cancels
/// out, and s the forces of the points. Any n and s satisfy the equation of motion of the base.
class MotionForces {
 public:
  MotionForces(const MotionTask& task, double weight);  ///< `task` must outlive this object

  /// What is constant in one frame.
  struct Frame {
    Eigen::Matrix<double, 6, Eigen::Dynamic> map;  ///< wrench about the world's origin per unit of each component
    Eigen::MatrixXd spread, exchange, points;
    Eigen::MatrixXd limit_rows;  ///< friction, CoP, pushing only, total load: limit_rows · f ≤ limits, scaled
    Eigen::VectorXd limits;
    std::vector<int> limit_contact;       ///< contact of each row: soles, then points; −1: all together
    std::vector<const char*> limit_name;  ///< what each row limits
    Eigen::Index num_free() const { return exchange.cols() + points.cols(); }
  };
  const Frame& frame(Eigen::Index j) const { return frames_[static_cast<std::size_t>(j)]; }
  Eigen::Index size() const { return scale_.size(); }  ///< components of a frame's force vector
  double unit() const { return unit_; }                ///< of n and s, and of the rows [N]
  /// Forces in units of the weight, moments by the task's lever.
  const Eigen::VectorXd& per_weight() const { return per_weight_; }
  /// Factors of the force components whose squares are the contacts' effort [1/√s per N, N m].
  const Eigen::VectorXd& effort() const { return effort_; }
  int body_of_contact(std::size_t contact) const;
  const std::string& name_of_contact(std::size_t contact) const;
  Eigen::Index first_of_contact(std::size_t contact) const;
  int size_of_contact(std::size_t contact) const { return contact < num_soles_ ? 6 : 3; }
  std::size_t num_contacts() const { return num_soles_ + num_points_; }

 private:
  void map_wrenches(Eigen::Index j, Frame& frame) const;
  void spread_forces(Eigen::Index j, Frame& frame) const;
  void write_limits(Eigen::Index j, Frame& frame) const;

  const MotionTask& task_;
  double weight_, unit_;
  std::size_t num_soles_, num_points_;
  Eigen::VectorXd scale_, per_weight_, effort_;
  std::vector<Frame> frames_;
};

}  // namespace aplomb
