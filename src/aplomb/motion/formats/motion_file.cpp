#include "aplomb/motion/formats/motion_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/motion/formats/evidence.hpp"

namespace aplomb {
namespace {

constexpr const char* kNames[] = {"csv", "csv-named", "training", "training-breadth-first", "named", "pyroki", "gmr"};
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kUnitNorm = 0.02;      // files with three digits have unit quaternions to 0.005
constexpr double kBodiesAgree = 0.005;  // [m] robot files of different makers differ by a few millimetres
constexpr double kAnglesAgree = 0.02;   // [rad]
constexpr double kLevel = 0.06;         // [rad] a sole that stands is level to this
constexpr double kFloorFound = 0.05;    // [m] a floor that is farther from z = 0 is named
constexpr double kAboveAnyAngle = 7.0;  // [rad] beyond any limited joint, far below the degrees of any motion

std::vector<int> breadth_first(const BodyTree& tree) {
  std::vector<int> order{0};
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (std::size_t body = 1; body < tree.bodies.size(); ++body) {
      if (tree.bodies[body].parent == order[next]) order.push_back(static_cast<int>(body));
    }
  }
  return order;
}

std::vector<int> counted(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  return order;
}

std::string_view to_string(QuaternionOrder order) { return order == QuaternionOrder::xyzw ? "xyzw" : "wxyz"; }

QuaternionOrder other(QuaternionOrder order) {
  return order == QuaternionOrder::xyzw ? QuaternionOrder::wxyz : QuaternionOrder::xyzw;
}

std::string joints_in(const RobotModel& robot, const std::vector<int>& order) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 3); ++i) {
    text += (i > 0 ? ", " : "") + robot.joints()[static_cast<std::size_t>(order[i])].name;
  }
  return text + (order.size() > 3 ? ", ..." : "");
}

/// Decides how the numbers of a file are to be read.
class Interpreter {
 public:
  Interpreter(const RawMotion& raw, const RobotModel& robot, const MotionReading& asked)
      : raw_(raw), robot_(robot), asked_(asked) {}

  MotionFile interpret() {
    read_.format = raw_.format;
    check_norms();
    reading_.quaternion = asked_.quaternion.value_or(raw_.order);
    set_joint_order();
    check_degrees();
    raw_.body_position.size() > 0 ? read_by_bodies() : read_by_soles();
    set_rate();
    read_.motion.q = configurations(raw_, robot_, reading_);
    if (raw_.body_position.size() == 0) check_units();
    find_floor();
    find_limits();
    find_jumps();
    return std::move(read_);
  }

 private:
  template <typename... Arguments>
  [[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    throw FileError({raw_.file.string()}, fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  template <typename... Arguments>
  static void add(std::vector<std::string>& to, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    to.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void check_norms() const {
    for (Eigen::Index frame = 0; frame < raw_.quaternion.cols(); ++frame) {
      const double norm = raw_.quaternion.col(frame).norm();
      if (std::abs(norm - 1.0) < kUnitNorm) continue;
      throw FileError(
          raw_.place(frame),
          fmt::format("frame {}: the base's quaternion has length {:.3f} instead of 1: a column is missing or "
                      "in another place, or these are no quaternions",
                      frame + 1, norm));
    }
  }

  void set_joint_order() {
    const int count = robot_.num_joints();
    const auto rows = static_cast<int>(raw_.joints.rows());
    if (!raw_.joint_names.empty()) {
      name_joints(raw_.joint_names, "the file");
      reading_.joint_order = "by name";
      if (asked_.joint_order) refuse("names its joints, so --joint-order has no meaning");
      add(read_.proved, "joints: by the names in the file");
      return;
    }
    reading_.joints = counted(rows);
    if (!asked_.joint_order) return;
    reading_.joint_order = *asked_.joint_order;
    if (*asked_.joint_order == "depth-first") return;
    if (*asked_.joint_order == "breadth-first") {
      reading_.joints = breadth_first_joints(robot_);
      return;
    }
    std::vector<std::string> names;
    for (std::string_view rest = *asked_.joint_order; !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      names.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (names.size() == 1) {
      throw UnknownName("joint order", names.front(), "--joint-order",
                        std::vector<std::string>{"depth-first", "breadth-first", "JOINT,JOINT,..."});
    }
    if (static_cast<int>(names.size()) != count) {
      throw InvalidValue(fmt::format("--joint-order has {} joints; {} has {}", names.size(), robot_.name(), count));
    }
    name_joints(names, "--joint-order");
  }

  void name_joints(const std::vector<std::string>& names, std::string_view where) {
    std::vector<bool> is_there(static_cast<std::size_t>(robot_.num_joints()), false);
    reading_.joints.clear();
    for (const std::string& name : names) {
      const int joint = joint_called(robot_, name);
      reading_.joints.push_back(joint);
      if (joint < 0) {
        add(read_.findings, "the joint '{}' of {} is not on {}: left out", shortened(name), where, robot_.name());
        continue;
      }
      if (is_there[static_cast<std::size_t>(joint)]) refuse("{} names the joint '{}' twice", where, shortened(name));
      is_there[static_cast<std::size_t>(joint)] = true;
    }
    for (int i = 0; i < robot_.num_joints(); ++i) {
      if (is_there[static_cast<std::size_t>(i)]) continue;
      refuse("the joint '{}' of {} is not in {}, which must name all {} joints",
             robot_.joints()[static_cast<std::size_t>(i)].name, robot_.name(), where, robot_.num_joints());
    }
  }

  /// A limited joint that turns farther than a whole turn: these are degrees.
  void check_degrees() const {
    for (std::size_t row = 0; row < reading_.joints.size(); ++row) {
      if (reading_.joints[row] < 0) continue;
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(reading_.joints[row])];
      if (joint.is_prismatic || !std::isfinite(joint.lower) || !std::isfinite(joint.upper)) continue;
      const double largest = raw_.joints.row(static_cast<Eigen::Index>(row)).cwiseAbs().maxCoeff();
      if (largest <= kAboveAnyAngle) continue;
      refuse(
          "joint angles reach {:.1f} (column of '{}', whose limits are {:.2f} to {:.2f} rad): they are in degrees, or "
          "the "
          "columns are others; this format has radians: multiply by pi/180",
          largest, joint.name, joint.lower, joint.upper);
    }
  }

  std::vector<int> bodies_by_name() const {
    std::vector<int> bodies;
    const auto& tree = robot_.tree().bodies;
    bool any = false;
    for (const std::string& name : raw_.body_names) {
      const auto found = std::ranges::find(tree, name, &RigidBody::link);
      bodies.push_back(found == tree.end() ? -1 : static_cast<int>(found - tree.begin()));
      any = any || found != tree.end();
    }
    if (!any) refuse("none of its body_names is a moving link of {}", robot_.name());
    return bodies;
  }

  /// Tries the readings that occur in practice against forward kinematics.
  void read_by_bodies() {
    const auto num_bodies = static_cast<int>(robot_.tree().bodies.size());
    const int in_file = static_cast<int>(raw_.body_position.rows() / 3);
    std::vector<std::pair<std::string, std::vector<int>>> body_orders;
    if (!raw_.body_names.empty()) {
      body_orders = {{"by name", bodies_by_name()}};
    } else if (in_file == num_bodies) {
      body_orders = {{"depth-first", counted(num_bodies)}, {"breadth-first", breadth_first(robot_.tree())}};
    } else {
      refuse("has {} bodies without names; {} has {} moving ones: which is which cannot be known", in_file,
             robot_.name(), num_bodies);
    }
    std::vector<std::pair<std::string, std::vector<int>>> joint_orders = {{reading_.joint_order, reading_.joints}};
    if (raw_.joint_names.empty() && !asked_.joint_order) {
      joint_orders.emplace_back("breadth-first", breadth_first_joints(robot_));
    }
    std::vector<QuaternionOrder> quaternions = {reading_.quaternion};
    if (!asked_.quaternion) quaternions.push_back(other(reading_.quaternion));
    Reading best;
    BodyMismatch least{.position = 1e300, .angle = 1e300};
    for (const auto& [body_order, bodies] : body_orders) {
      for (const auto& [joint_order, joints] : joint_orders) {
        for (const QuaternionOrder quaternion : quaternions) {
          for (const double joint_unit : {1.0, kDegree}) {
            for (const double length_unit : {1.0, 0.01, 0.001}) {
              const Reading tried{quaternion, joint_order, joints, body_order, bodies, joint_unit, length_unit};
              const BodyMismatch mismatch = body_mismatch(raw_, robot_, tried);
              // A shorter unit makes all distances shorter.
              if (mismatch.position / length_unit + mismatch.angle >= least.position / best.length_unit + least.angle)
                continue;
              least = mismatch;
              best = tried;
            }
          }
        }
      }
    }
    const bool agree = least.position < kBodiesAgree && least.angle < kAnglesAgree;
    if (agree && best.joint_unit != 1.0)
      refuse("joint_pos is in degrees: its bodies agree with the joints only then; this format has radians");
    if (agree && best.length_unit != 1.0) {
      refuse("its positions are in {}: the bodies are as far apart as those of {} only then; this format has metres",
             best.length_unit == 0.01 ? "centimetres" : "millimetres", robot_.name());
    }
    if (!agree) {
      refuse(
          "contradicts itself: in frame {}, '{}' is {:.3f} m from where the joint angles put it (and bodies are turned "
          "by up to "
          "{:.2f} rad), in every known order of joints, bodies and quaternions; is it a motion of {}? If its joints "
          "are in "
          "another order, say so by --joint-order",
          least.frame + 1, robot_.tree().bodies[static_cast<std::size_t>(least.body)].link, least.position, least.angle,
          robot_.name());
    }
    reading_ = best;
    if (raw_.body_names.empty() && best.body_order == "breadth-first" && best.joint_order == "breadth-first") {
      read_.format = MotionFormat::training_breadth_first;
    }
    if (best.quaternion != raw_.order) {
      add(read_.findings, "quaternions are {} in this file, where the format has {}", to_string(best.quaternion),
          to_string(raw_.order));
    }
    if (best.body_order != best.joint_order && raw_.joint_names.empty() && raw_.body_names.empty()) {
      add(read_.findings, "bodies are {} and joints {}: tools have one order for both", best.body_order,
          best.joint_order);
    }
    add(read_.proved,
        "bodies {}, joints {}, quaternions {}, rad, m: its {} bodies agree with forward kinematics to {:.1e} m",
        best.body_order, best.joint_order, to_string(best.quaternion), in_file, least.position);
  }

  /// Without bodies, the soles decide: under a wrong reading they are hardly ever level.
  void read_by_soles() {
    const SoleEvidence evidence = evidence_of(reading_);
    if (!evidence.is_known) {
      add(read_.assumed, "quaternion {} (--quaternion): {} has no soles that could show it",
          to_string(reading_.quaternion), robot_.name());
      assume_joint_order();
      return;
    }
    Reading other_quaternion = reading_, other_order = reading_;
    other_quaternion.quaternion = other(reading_.quaternion);
    const bool may_turn = !asked_.quaternion && !raw_.order_is_named;
    if (may_turn)
      refuse_when_better(evidence, other_quaternion,
                         fmt::format("the quaternions are {}", to_string(other_quaternion.quaternion)),
                         fmt::format("--quaternion {}", to_string(other_quaternion.quaternion)));
    const bool may_reorder = !asked_.joint_order && raw_.joint_names.empty();
    if (may_reorder) {
      other_order.joints = breadth_first_joints(robot_);
      refuse_when_better(evidence, other_order, "the joints are breadth first (Isaac's order)",
                         "--joint-order breadth-first");
    }
    const double turned = may_turn ? evidence_of(other_quaternion).median_tilt : 0.0;
    if (asked_.quaternion) {
      add(read_.proved, "quaternion {}: as --quaternion says", to_string(reading_.quaternion));
    } else if (raw_.order_is_named) {
      add(read_.proved, "quaternion: by the names in the file");
    } else if (is_clearly_better(evidence.median_tilt, turned)) {
      add(read_.proved, "quaternion {}: the flatter sole is level to {:.3f} rad, and to {:.3f} rad as {}",
          to_string(reading_.quaternion), evidence.median_tilt, turned, to_string(other_quaternion.quaternion));
    } else {
      add(read_.assumed, "quaternion {} (--quaternion): the soles are level to {:.3f} rad so, and to {:.3f} rad as {}",
          to_string(reading_.quaternion), evidence.median_tilt, turned, to_string(other_quaternion.quaternion));
    }
    assume_joint_order();
    if (evidence.median_tilt > 0.5) {
      add(read_.findings,
          "in most frames no sole is level within {:.2f} rad: the quaternions or the joints are others, or it does not "
          "stand",
          evidence.median_tilt);
    }
  }

  SoleEvidence evidence_of(const Reading& reading) const {
    return sole_evidence(configurations(raw_, robot_, reading), robot_);
  }

  static bool is_clearly_better(double tilt, double than) {
    return tilt < std::max(kLevel, 0.5 * than) && tilt < 0.5 * than;
  }

  void refuse_when_better(const SoleEvidence& evidence, const Reading& reading, const std::string& what,
                          const std::string& option) const {
    const double tilt = evidence_of(reading).median_tilt;
    const bool stands_as_it_is = evidence.median_tilt < kLevel;
    if (stands_as_it_is || !is_clearly_better(tilt, evidence.median_tilt)) return;
    refuse(
        "contradicts its format: in most frames the flatter sole is level to {:.2f} rad, but to {:.2f} rad if {}; if "
        "that is so, give {}; if "
        "not, say so ({})",
        evidence.median_tilt, tilt, what, option, option.substr(0, option.find(' ')));
  }

  void assume_joint_order() {
    if (!raw_.joint_names.empty()) return;
    if (asked_.joint_order) {
      add(read_.proved, "joint order: as --joint-order says");
    } else {
      add(read_.assumed, "joint order: that of {} ({}) (--joint-order), which side is left included", robot_.name(),
          joints_in(robot_, reading_.joints));
    }
  }

  void set_rate() {
    constexpr double kUsual = 60.0;
    if (asked_.fps) {
      read_.motion.rate_hz = *asked_.fps;
      add(read_.proved, "{:g} frames/s: as --fps says", *asked_.fps);
      if (raw_.rate_hz && std::abs(*raw_.rate_hz / *asked_.fps - 1.0) > 1e-3) {
        add(read_.findings, "the file says {:g} frames/s, --fps {:g}", *raw_.rate_hz, *asked_.fps);
      }
    } else if (raw_.rate_hz) {
      read_.motion.rate_hz = *raw_.rate_hz;
      add(read_.proved, "{:g} frames/s: the file says so", *raw_.rate_hz);
    } else if (raw_.format == MotionFormat::csv || raw_.format == MotionFormat::csv_named) {
      read_.motion.rate_hz = kUsual;
      add(read_.assumed, "{:g} frames/s (--fps): no file without times can show it", kUsual);
    } else {
      refuse("says no frame rate (array 'fps'); give it by --fps");
    }
    check_velocities();
  }

  /// The file's joint velocities against the differences of its angles.
  void check_velocities() const {
    if (raw_.joint_velocity.size() == 0) return;
    double products = 0.0, squares = 0.0, own = 0.0;
    for (Eigen::Index i = 1; i + 1 < raw_.joints.cols(); ++i) {
      const Eigen::VectorXd rate = 0.5 * read_.motion.rate_hz * (raw_.joints.col(i + 1) - raw_.joints.col(i - 1));
      products += rate.dot(raw_.joint_velocity.col(i));
      squares += rate.squaredNorm();
      own += raw_.joint_velocity.col(i).squaredNorm();
    }
    if (!(squares > 1e-9) || asked_.fps) return;
    const double ratio = products / squares, correlation = products / std::sqrt(squares * std::max(own, 1e-300));
    if (correlation > 0.9 && std::abs(ratio - 1.0) > 0.1) {
      refuse(
          "contradicts itself: joint_vel is {:.2f} times the change of joint_pos at {:g} frames/s; it fits {:g} "
          "frames/s: give --fps",
          ratio, read_.motion.rate_hz, ratio * read_.motion.rate_hz);
    }
    if (correlation <= 0.9)
      refuse("contradicts itself: joint_vel is not the rate of change of joint_pos (correlation {:.2f})", correlation);
  }

  /// The base's height against the legs.
  void check_units() const {
    const SoleEvidence evidence = sole_evidence(read_.motion.q, robot_);
    if (!evidence.is_known || evidence.base_above_sole <= 0.0) return;
    std::vector<double> heights(raw_.position.row(2).begin(), raw_.position.row(2).end());
    std::ranges::nth_element(heights, heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2));
    const double ratio = heights[heights.size() / 2] / evidence.base_above_sole;
    const auto is_near = [ratio](double unit) { return ratio > 0.6 * unit && ratio < 1.6 * unit; };
    if (!is_near(100.0) && !is_near(1000.0)) return;
    refuse("the base is {:.1f} high, but only {:.2f} m above the soles: its position is in {}; this format has metres",
           heights[heights.size() / 2], evidence.base_above_sole, is_near(100.0) ? "centimetres" : "millimetres");
  }

  void find_floor() {
    const SoleEvidence evidence = sole_evidence(read_.motion.q, robot_);
    if (!evidence.is_known || std::abs(evidence.low_height) < kFloorFound) return;
    add(read_.findings,
        "the floor is not at z = 0: the lower sole is at {:.3f} m or higher in nine frames of ten (median {:.3f} m)",
        evidence.low_height, evidence.median_height);
  }

  void find_limits() {
    constexpr double kBeyond = 0.1;  // [rad]
    constexpr double kOften = 0.05;  // of the frames
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
      const auto angles = read_.motion.q.row(7 + i).array();
      const auto num_out = (angles < joint.lower - kBeyond || angles > joint.upper + kBeyond).count();
      const double part = static_cast<double>(num_out) / static_cast<double>(angles.size());
      if (part < kOften) continue;
      add(read_.findings,
          "'{}' is beyond its limits ({:.2f} to {:.2f} rad) by more than {} rad in {:.0f} % of the frames: the joints "
          "may be in another order",
          joint.name, joint.lower, joint.upper, kBeyond, 100.0 * part);
    }
  }

  void find_jumps() {
    const Eigen::MatrixXd q = unit_quaternions(read_.motion.q);
    for (Eigen::Index i = 1; i < q.cols(); ++i) {
      const double moved = (q.col(i).head<3>() - q.col(i - 1).head<3>()).norm();
      const double turned =
          2.0 * std::acos(std::clamp(q.col(i).segment<4>(3).dot(q.col(i - 1).segment<4>(3)), -1.0, 1.0));
      const double joint = q.rows() > 7 ? (q.col(i) - q.col(i - 1)).tail(q.rows() - 7).cwiseAbs().maxCoeff() : 0.0;
      constexpr double kFarthest = 15.0, kFastest = 30.0, kFastestJoint = 120.0;  // [m/s, rad/s]: beyond any robot
      const double rate = read_.motion.rate_hz;
      if (moved * rate < kFarthest && turned * rate < kFastest && joint * rate < kFastestJoint) continue;
      add(read_.findings,
          "the motion jumps between frames {} and {}: base by {:.3f} m and {:.2f} rad, a joint by {:.2f} rad", i, i + 1,
          moved, turned, joint);
      return;  // the first is enough to look at
    }
  }

  const RawMotion& raw_;
  const RobotModel& robot_;
  const MotionReading& asked_;
  Reading reading_;
  MotionFile read_;
};

}  // namespace

std::string_view to_string(MotionFormat format) { return kNames[static_cast<std::size_t>(format)]; }

std::vector<std::string> motion_format_names() { return {std::begin(kNames), std::end(kNames)}; }

MotionFormat motion_format(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<MotionFormat>(i);
  }
  throw UnknownName("motion format", name, "--to", motion_format_names());
}

std::vector<int> breadth_first_joints(const RobotModel& robot) {
  std::vector<int> joints;
  for (const int body : breadth_first(robot.tree())) {
    if (body > 0) joints.push_back(body - 1);
  }
  return joints;
}

MotionFile read_motion(const std::filesystem::path& file, const RobotModel& robot, const MotionReading& reading) {
  const std::string ending = file.extension().string();
  if (ending != ".csv" && ending != ".npz" && ending != ".pkl") {
    throw FileError({file.string()},
                    "is not a motion of a robot; valid: .csv, .npz, .pkl (docs/motions.md lists the formats)");
  }
  const RawMotion raw = ending == ".csv" ? read_raw_csv(file, robot) : read_raw_arrays(file, robot);
  return Interpreter(raw, robot, reading).interpret();
}

}  // namespace aplomb
