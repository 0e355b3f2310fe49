#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/body_motion.hpp"

namespace aplomb {

/// The planar model of Mistry et al. 2010: foot, shank, thigh, pelvis and torso, left and right merged, each with m, hx
/// and hz in its own frame. It is cut out of any humanoid: the links are what lies between the joints that turn about
/// the lateral axis, from hip to ankle and in the waist (without one the torso belongs to the pelvis).
class SagittalModel {
 public:
  /// A merged link. Frame: at its joint (the pelvis: at the base), axes of the world when the robot is at zero.
  struct Link {
    std::string name;               ///< "thigh"
    std::vector<int> frame_bodies;  ///< whose origin and pitch are the frame, one a side
    std::vector<int> bodies;        ///< all that move with it
    std::vector<int> bearers;       ///< the heaviest body of each side: it gets what the CAD lacks
    double mass = 0.0;              ///< of the CAD
    Eigen::Vector2d com;            ///< x, z in its frame [m]
    Eigen::Matrix2d second_moment;  ///< of the mass about its CoM [kg m²]
  };
  /// Joints outside of the plane (arms, head) are held at `reference`. Throws InvalidValue when the robot has no legs
  /// with three pitch joints each.
  SagittalModel(const RobotModel& cad, const RobotState& reference);

  const std::vector<Link>& links() const { return links_; }
  /// x-moments m c_x = row φ in a posture; a level foot is exactly level.
  Eigen::RowVectorXd moment_row(const BodyMotions& motions, bool feet_are_level) const;
  Eigen::RowVectorXd mass_row() const;
  Eigen::VectorXd cad_parameters() const;
  /// The robot's body inertias, by body, when the planar links have these parameters: what the CAD lacks goes to the
  /// bearers, half to each side; where that would leave one lighter than a tenth of its CAD, all of the link's bodies
  /// share it. Second moments about the bodies' centres of mass stay the CAD's.
  std::map<int, Inertia> body_inertias(const Eigen::VectorXd& phi) const;

 private:
  struct Frame {
    Eigen::Vector3d origin;
    double pitch;
  };
  Frame frame_of(const BodyMotions& motions, const Link& link, std::size_t side) const;
  void find_links();
  void find_cad_parameters();

  const RobotModel* cad_;
  BodyMotions reference_;
  std::vector<Eigen::Matrix3d> R_zero_;  ///< of each body when all joints are at zero and the base is upright
  std::vector<Link> links_;
};

}  // namespace aplomb
