#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/human/subject/generic_subject.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// Parameters π of one body relative to the generic one, with a prior:
///   size of the body, scale of each segment by axis, shift of each joint, shift of each marker.
///   scale = size + δ_segment,   joint = scale_parent ∘ generic joint + δ_joint,   marker = scale ∘ generic + δ_marker
/// Left and right segments and joints share their parameters; each marker has its own.
class ScaleParameters {
 public:
  struct Deviations {  ///< prior standard deviations, between people of one height
    double size = 0.10;
    double segment = 0.06;
    double limb_joint_m = 0.010, shoulder_m = 0.015, trunk_m = 0.020, vertebra_m = 0.004, small_joint_m = 0.003;
  };
  ScaleParameters(const SubjectModel& subject, double size, const Deviations& deviations);

  Eigen::Index num() const { return values_.size(); }
  const Eigen::VectorXd& values() const { return values_; }
  void set_values(const Eigen::VectorXd& values) { values_ = values; }
  double prior_cost() const;                                                  ///< Σ ((π − mean) / deviation)²
  void add_prior(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const;  ///< derivatives of half the cost

  void apply(SubjectModel& subject) const;  ///< joints, scales and marker offsets; masses are not changed

  /// Derivative of marker `marker` with respect to π at a fixed posture: three rows, which must be zero before.
  void add_jacobian(const SubjectModel& subject, std::size_t marker, const TreeKinematics& tree,
                    const std::vector<int>& bodies, Eigen::Ref<Eigen::MatrixXd> rows) const;

 private:
  struct Columns {
    int scale = -1, joint = -1;  ///< first of three columns; −1: fixed
    double side = 1.0;           ///< −1: mirrored
  };
  Eigen::Vector3d three(int first, double side) const;
  Eigen::Vector3d scale_of(int segment) const;

  std::vector<Columns> columns_;  ///< columns of each segment
  std::vector<int> marker_columns_;
  Eigen::VectorXd values_, means_, weights_;  ///< weight: 1 / deviation²
};

}  // namespace aplomb
