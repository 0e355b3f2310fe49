#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/motion/formats/robot_motion.hpp"

namespace aplomb {

/// Files of robot motions that other tools write and read; docs/motions.md has the columns.
enum class MotionFormat {
  csv,                     ///< no header: base x y z, quaternion xyzw, joints
  csv_named,               ///< the same with a header, and the time
  training,                ///< NPZ: fps, joint_pos, joint_vel, body_pos_w, ...; bodies depth first (MuJoCo)
  training_breadth_first,  ///< the same; joints and bodies breadth first (Isaac)
  named,                   ///< the same; joint_names and body_names, joint_pos is the whole qpos (wxyz)
  pyroki,                  ///< NPZ: base_frame_pos, base_frame_wxyz, joint_angles
  gmr,                     ///< pickle: fps, root_pos, root_rot (xyzw), dof_pos
};
std::string_view to_string(MotionFormat format);
std::vector<std::string> motion_format_names();
MotionFormat motion_format(std::string_view name);  ///< throws UnknownName

enum class QuaternionOrder { xyzw, wxyz };

/// What the user says about a file; all else is the format's default, or is proved by the file itself.
struct MotionReading {
  std::optional<QuaternionOrder> quaternion;
  std::optional<std::string> joint_order;  ///< "depth-first", "breadth-first", or joints separated by commas
  std::optional<double> fps;
};

struct MotionFile {
  RobotMotion motion;
  MotionFormat format = MotionFormat::csv;
  std::vector<std::string> proved;    ///< what the file itself shows of its reading
  std::vector<std::string> assumed;   ///< what no file can show, and the option that sets it
  std::vector<std::string> findings;  ///< what is wrong with the motion, although it can be read
};

/// Reads a motion of this robot. Where the file contradicts itself or the robot (bodies against forward kinematics,
/// soles that are never level, angles beyond every joint), it is refused, with the reading that would fit and the
/// option for it. Throws FileError, UnknownName.
MotionFile read_motion(const std::filesystem::path& file, const RobotModel& robot, const MotionReading& reading = {});

/// Throws FileError.
void write_motion(const RobotMotion& motion, const RobotModel& robot, MotionFormat format,
                  const std::filesystem::path& file);

/// Joints by index in another order of the tree's bodies: entry i is the robot's joint that stands at place i.
std::vector<int> breadth_first_joints(const RobotModel& robot);

}  // namespace aplomb
