#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/robot_description.hpp"
#include "aplomb/robot/robot_state.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

struct PinocchioModel;  // the rigid-body model, private to robot/ (dynamics/pinocchio_model.hpp)

/// Index of a link's frame; look it up once, at set-up.
enum class FrameId : int {};

struct Joint {
  std::string name;
  std::string link;  ///< child link
  bool is_prismatic = false;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< in the joint's frame
  double lower = 0.0, upper = 0.0;                  ///< [rad]; ±inf for a continuous joint
  double effort = 0.0;                              ///< [N m]
  double velocity = 0.0;                            ///< [rad/s]
  double armature = 0.0;                            ///< rotor inertia reflected to the joint [kg m²]
};

/// Robot model, constant once loaded: joints, inertias, limits, frames, roles. Joint i has position q[7 + i] and rate
/// v[6 + i].
class RobotModel {
 public:
  /// Loads a URDF or an MJCF, with the YAML of the same name beside it when there is one. Throws FileError.
  static RobotModel from_file(const std::filesystem::path& file);
  /// Loads a robot by its name in `robots/`, or from the path of a URDF, an MJCF or a YAML. Throws UnknownName,
  /// FileError.
  static RobotModel load(std::string_view name_or_path);
  RobotModel(const Urdf& urdf, RobotDescription description);

  RobotModel(RobotModel&&) noexcept;
  RobotModel& operator=(RobotModel&&) noexcept;
  ~RobotModel();

  const std::string& name() const { return description_.name; }
  const RobotDescription& description() const { return description_; }
  const Urdf& urdf() const { return urdf_; }
  const BodyTree& tree() const { return tree_; }
  const std::vector<std::string>& notes() const { return notes_; }  ///< repaired inertias, locked joints, assumptions

  int num_joints() const { return static_cast<int>(joints_.size()); }
  int nq() const { return num_joints() + 7; }
  int nv() const { return num_joints() + 6; }
  double mass() const { return mass_; }  ///< [kg]
  const std::vector<Joint>& joints() const { return joints_; }
  int joint(std::string_view name) const;      ///< index; throws UnknownName
  FrameId frame(std::string_view link) const;  ///< throws UnknownName
  const std::string& frame_name(FrameId frame) const;
  /// Joints that move a link, the nearest first, up to the base or to the body that `top` belongs to.
  std::vector<int> joint_chain(FrameId link, std::optional<FrameId> top = {}) const;

  /// Whether the YAML names the robot whose URDF is this one's CAD model.
  bool has_cad() const { return !description_.cad.empty(); }
  /// The CAD model: the URDF of the robot named under `cad` in the YAML, with this robot's description. Throws Error
  /// when the YAML names none.
  RobotModel cad() const;

  RobotState neutral_state() const;  ///< joints at zero (or the nearest limit), base at the origin, at rest
  /// State in a posture of the YAML at rest, the base placed so that the soles are level at z = 0, with their mid-point
  /// at the origin. Throws UnknownName.
  RobotState posture(std::string_view name) const;
  /// Places the base so that the soles (as far as the robot has any) are level at z = 0, mid-point at the origin.
  void stand_on_soles(RobotState& state) const;

  const PinocchioModel& pinocchio() const { return *pinocchio_; }

 private:
  Urdf urdf_;
  RobotDescription description_;
  BodyTree tree_;
  std::vector<std::string> notes_;
  std::vector<Joint> joints_;
  double mass_ = 0.0;
  std::unique_ptr<PinocchioModel> pinocchio_;
};

}  // namespace aplomb
