#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/formats/motion_file.hpp"

namespace aplomb {

/// The numbers of a motion file, before it is decided what they mean.
struct RawMotion {
  MotionFormat format = MotionFormat::csv;
  std::filesystem::path file;
  std::optional<double> rate_hz;
  Eigen::Matrix3Xd position;    ///< of the base
  Eigen::Matrix4Xd quaternion;  ///< of the base, in `order` as the format says
  QuaternionOrder order = QuaternionOrder::xyzw;
  bool order_is_named = false;                     ///< the file's own header says it
  Eigen::MatrixXd joints;                          ///< one row a column of the file
  std::vector<std::string> joint_names;            ///< of the rows; empty when the file has none
  Eigen::MatrixXd joint_velocity;                  ///< empty when the file has none
  Eigen::MatrixXd body_position, body_quaternion;  ///< three and four rows a body; empty when the file has none
  std::vector<std::string> body_names;
  std::vector<int> lines;  ///< of a CSV file's rows

  Place place(Eigen::Index frame) const {
    return {.file = file.string(), .line = lines.empty() ? 0 : lines[static_cast<std::size_t>(frame)]};
  }
};

/// Reads the numbers and checks that all are there: finite, as many as the robot needs. Throws FileError.
RawMotion read_raw_csv(const std::filesystem::path& file, const RobotModel& robot);
RawMotion read_raw_arrays(const std::filesystem::path& file, const RobotModel& robot);

/// The robot's joint that a file calls `name`, with or without "_joint", a unit or "_dof"; -1 for none.
int joint_called(const RobotModel& robot, std::string_view name);

}  // namespace aplomb
