#include <fmt/format.h>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/table/npz.hpp"
#include "aplomb/motion/formats/motion_file.hpp"
#include "aplomb/motion/formats/pickle.hpp"

namespace aplomb {
namespace {

/// `{}` of fmt: the shortest digits that read back as the same number.
void write_csv_motion(const RobotMotion& motion, const RobotModel& robot, bool has_header,
                      const std::filesystem::path& file) {
  OutputFile output(file);
  if (has_header) {
    std::string line = "time_s,base_x_m,base_y_m,base_z_m,base_qx,base_qy,base_qz,base_qw";
    for (const Joint& joint : robot.joints())
      line += fmt::format(",{}_{}", joint.name, joint.is_prismatic ? "pos" : "rad");
    output.write(line + "\n");
  }
  for (Eigen::Index frame = 0; frame < motion.num_frames(); ++frame) {
    std::string line;
    if (has_header) line = fmt::format("{},", static_cast<double>(frame) / motion.rate_hz);
    for (Eigen::Index i = 0; i < motion.q.rows(); ++i)
      line += fmt::format("{}{}", i > 0 ? "," : "", motion.q(i, frame));
    output.write(line + "\n");
  }
  output.close();
}

NpzArray array_of(std::string name, std::vector<std::size_t> shape, const Eigen::MatrixXd& by_frame) {
  NpzArray array{.name = std::move(name), .shape = std::move(shape), .type = NpzArray::Type::float32};
  array.values.assign(by_frame.data(), by_frame.data() + by_frame.size());
  return array;
}

/// Rows of `rows_each` for each part, in another order.
Eigen::MatrixXd reordered(const Eigen::MatrixXd& values, const std::vector<int>& order, Eigen::Index rows_each) {
  Eigen::MatrixXd made(values.rows(), values.cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    made.middleRows(static_cast<Eigen::Index>(i) * rows_each, rows_each) =
        values.middleRows(order[i] * rows_each, rows_each);
  }
  return made;
}

Eigen::MatrixXd wxyz(const Eigen::MatrixXd& q) {
  Eigen::MatrixXd made(4, q.cols());
  made.row(0) = q.row(6);
  made.bottomRows(3) = q.middleRows(3, 3);
  return made;
}

std::vector<NpzArray> training_arrays(const RobotMotion& motion, const RobotModel& robot, MotionFormat format) {
  const BodyTracks bodies = body_tracks(robot, motion);
  const Eigen::MatrixXd v = velocities(motion);
  const auto frames = static_cast<std::size_t>(motion.num_frames());
  const auto num_joints = static_cast<std::size_t>(robot.num_joints()), num_bodies = num_joints + 1;
  std::vector<int> joint_order, body_order{0};
  if (format == MotionFormat::training_breadth_first) {
    joint_order = breadth_first_joints(robot);
  } else {
    for (int i = 0; i < robot.num_joints(); ++i) joint_order.push_back(i);
  }
  for (const int joint : joint_order) body_order.push_back(joint + 1);
  Eigen::MatrixXd joints = reordered(motion.q.bottomRows(robot.num_joints()), joint_order, 1);
  Eigen::MatrixXd rates = reordered(v.bottomRows(robot.num_joints()), joint_order, 1);
  std::vector<NpzArray> arrays;
  const bool is_named = format == MotionFormat::named;
  NpzArray fps{.name = "fps", .shape = {1}, .values = {motion.rate_hz}};
  arrays.push_back(std::move(fps));
  if (is_named) {  // the whole qpos and qvel of MuJoCo: linear velocity in world axes, angular in the base's
    Eigen::MatrixXd qpos(joints.rows() + 7, joints.cols()), qvel(joints.rows() + 6, joints.cols());
    qpos << motion.q.topRows(3), wxyz(motion.q), joints;
    qvel << bodies.linear_velocity.topRows(3), v.middleRows(3, 3), rates;
    joints = std::move(qpos);
    rates = std::move(qvel);
  }
  const auto width = [](const Eigen::MatrixXd& values) { return static_cast<std::size_t>(values.rows()); };
  arrays.push_back(array_of("joint_pos", {frames, width(joints)}, joints));
  arrays.push_back(array_of("joint_vel", {frames, width(rates)}, rates));
  arrays.push_back(array_of("body_pos_w", {frames, num_bodies, 3}, reordered(bodies.position, body_order, 3)));
  arrays.push_back(array_of("body_quat_w", {frames, num_bodies, 4}, reordered(bodies.quaternion, body_order, 4)));
  arrays.push_back(
      array_of("body_lin_vel_w", {frames, num_bodies, 3}, reordered(bodies.linear_velocity, body_order, 3)));
  arrays.push_back(
      array_of("body_ang_vel_w", {frames, num_bodies, 3}, reordered(bodies.angular_velocity, body_order, 3)));
  if (is_named) {
    for (NpzArray& array : arrays) array.type = NpzArray::Type::float64;
    NpzArray joint_names{.name = "joint_names", .shape = {num_joints}},
        body_names{.name = "body_names", .shape = {num_bodies}};
    for (const Joint& joint : robot.joints()) joint_names.texts.push_back(joint.name);
    for (const RigidBody& body : robot.tree().bodies) body_names.texts.push_back(body.link);
    arrays.push_back(std::move(joint_names));
    arrays.push_back(std::move(body_names));
  }
  return arrays;
}

std::vector<NpzArray> pyroki_arrays(const RobotMotion& motion, const RobotModel& robot) {
  const auto frames = static_cast<std::size_t>(motion.num_frames());
  std::vector<NpzArray> arrays = {array_of("base_frame_pos", {frames, 3}, motion.q.topRows(3)),
                                  array_of("base_frame_wxyz", {frames, 4}, wxyz(motion.q)),
                                  array_of("joint_angles", {frames, static_cast<std::size_t>(robot.num_joints())},
                                           motion.q.bottomRows(robot.num_joints()))};
  for (NpzArray& array : arrays) array.type = NpzArray::Type::float64;
  arrays.push_back({.name = "fps", .shape = {1}, .values = {motion.rate_hz}});
  return arrays;
}

/// As GMR's own files, without the bodies' positions, which its readers compute.
std::vector<NpzArray> gmr_arrays(const RobotMotion& motion, const RobotModel& robot) {
  const auto frames = static_cast<std::size_t>(motion.num_frames());
  return {{.name = "fps", .values = {motion.rate_hz}},
          array_of("root_pos", {frames, 3}, motion.q.topRows(3)),
          array_of("root_rot", {frames, 4}, motion.q.middleRows(3, 4)),
          array_of("dof_pos", {frames, static_cast<std::size_t>(robot.num_joints())},
                   motion.q.bottomRows(robot.num_joints())),
          {.name = "local_body_pos"},
          {.name = "link_body_list"}};
}

}  // namespace

void write_motion(const RobotMotion& motion, const RobotModel& robot, MotionFormat format,
                  const std::filesystem::path& file) {
  switch (format) {
    case MotionFormat::csv:
    case MotionFormat::csv_named:
      write_csv_motion(motion, robot, format == MotionFormat::csv_named, file);
      break;
    case MotionFormat::pyroki:
      write_npz_arrays(pyroki_arrays(motion, robot), file);
      break;
    case MotionFormat::gmr:
      write_file(file, pickle_of(gmr_arrays(motion, robot)));
      break;
    default:
      write_npz_arrays(training_arrays(motion, robot, format), file);
  }
}

}  // namespace aplomb
