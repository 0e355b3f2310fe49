#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"

namespace aplomb::test {

/// A plate that felt wrenches given about the lab's origin.
class GivenPlate final : public ForcePlate {
 public:
  GivenPlate(std::string name, double rate_hz, double height, std::vector<Wrench> wrenches)
      : height_(height), wrenches_(std::move(wrenches)) {
    info_.name = std::move(name);
    info_.rate_hz = rate_hz;
  }
  std::size_t num_samples() const override { return wrenches_.size(); }
  PlateSample sample(std::size_t index) const override {
    const Wrench& wrench = wrenches_[index];
    PlateSample sample{.is_loaded = wrench.force.z() > 0.5, .force = wrench.force};
    if (!sample.is_loaded) return sample;
    sample.cop << centre_of_pressure(wrench, height_), height_;
    sample.free_moment = wrench.moment - sample.cop.cross(wrench.force);
    return sample;
  }

 private:
  double height_;
  std::vector<Wrench> wrenches_;
};

/// 0 before `start`, 1 after `end`, smooth to the third derivative between.
inline double smooth_step(double time, double start, double end) {
  const double s = std::min(1.0, std::max(0.0, (time - start) / (end - start)));
  return s * s * s * s * (35.0 - 84.0 * s + 70.0 * s * s - 20.0 * s * s * s);
}

/// Leg and trunk angles over time [rad].
struct Posture {
  double hip = 0.0, knee = 0.0, ankle = 0.0, trunk = 0.0, arm = 0.0;
};

/// A body on two planted feet that moves by given angles, both legs alike but for a sway of the trunk to the side;
/// everything is known at 1000 samples a second.
class SyntheticMotion {
 public:
  static constexpr double kRate = 1000.0;
  SyntheticMotion(const Skeleton& skeleton, double seconds, const std::function<Posture(double)>& posture)
      : skeleton_(skeleton), robot_(human_robot(skeleton)) {
    const auto count = static_cast<Eigen::Index>(seconds * kRate) + 1;
    q_.resize(robot_.nq(), count);
    const FrameId foot = robot_.frame("left_foot");
    RobotTerms terms(robot_, std::span(&foot, 1));
    const Sole sole = *robot_.description().soles[kLeft];
    for (Eigen::Index i = 0; i < count; ++i) {
      const double time = static_cast<double>(i) / kRate;
      RobotState state = robot_.neutral_state();
      set(state, posture(time), 0.05 * std::sin(2.0 * time));
      terms.update(state);
      // The pelvis is where the left foot stands level, its sole at z = 0.
      Eigen::Isometry3d T_world_foot = Eigen::Isometry3d::Identity();
      T_world_foot.translation() = Eigen::Vector3d(0.3, 0.2, -sole.z);
      const Eigen::Isometry3d T_world_base = T_world_foot * terms.frame(foot).T_world_frame.inverse();
      state.q.head<3>() = T_world_base.translation();
      state.q.segment<4>(3) = Eigen::Quaterniond(T_world_base.linear()).coeffs();
      q_.col(i) = state.q;
    }
    compute();
  }

  /// What cameras would give at `rate_hz`, a divisor of kRate.
  HumanMotion motion(double rate_hz) const {
    const auto step = static_cast<Eigen::Index>(kRate / rate_hz);
    HumanMotion sampled{.rate_hz = rate_hz};
    sampled.q.resize(q_.rows(), (q_.cols() - 1) / step + 1);
    for (Eigen::Index i = 0; i < sampled.q.cols(); ++i) sampled.q.col(i) = q_.col(i * step);
    return sampled;
  }
  const std::vector<Wrench>& wrenches() const { return wrenches_; }  ///< of all contacts, about the origin
  const Eigen::MatrixXd& q() const { return q_; }
  Eigen::Vector3d hips(std::size_t sample) const { return q_.col(static_cast<Eigen::Index>(sample)).head<3>(); }
  const Matrix3Xd& com() const { return com_; }
  const RobotModel& robot() const { return robot_; }
  double stance_width() const { return 2.0 * skeleton_.neutral_origin(skeleton_.segment("left_foot")).y(); }

 private:
  void set(RobotState& state, const Posture& posture, double sway) const {
    const auto angle = [&](const std::string& name) -> double& { return state.q[7 + robot_.joint(name)]; };
    for (const std::string side : {"left_", "right_"}) {
      angle(side + "hip_flexion") = posture.hip;
      angle(side + "knee_flexion") = posture.knee;
      angle(side + "ankle_dorsiflexion") = posture.ankle;
      angle(side + "shoulder_flexion") = posture.arm;
    }
    angle("lumbar_flexion") = angle("thorax_flexion") = 0.5 * posture.trunk;
    angle("lumbar_bending") = sway;
  }
  void compute() {
    const Eigen::MatrixXd v = velocities(q_, kRate);
    const Eigen::MatrixXd a = central_difference(v, kRate);
    InverseDynamics dynamics(robot_, {});
    RobotTerms terms(robot_, {});
    com_.resize(3, q_.cols());
    for (Eigen::Index i = 0; i < q_.cols(); ++i) {
      const Eigen::VectorXd tau = dynamics.compute({q_.col(i), v.col(i)}, a.col(i), {});
      const Eigen::Matrix3d R = Eigen::Quaterniond(Eigen::Vector4d(q_.col(i).segment<4>(3))).toRotationMatrix();
      const Eigen::Vector3d force = R * tau.head<3>();
      wrenches_.push_back({force, R * tau.segment<3>(3) + Eigen::Vector3d(q_.col(i).head<3>()).cross(force)});
      terms.update({q_.col(i), v.col(i)});
      com_.col(i) = terms.com();
    }
  }

  Skeleton skeleton_;
  RobotModel robot_;
  Eigen::MatrixXd q_;
  Matrix3Xd com_;
  std::vector<Wrench> wrenches_;
};

/// Sitting, leaning forwards, standing up, sitting down again; one cycle takes kCycle seconds.
inline constexpr double kCycle = 4.0;
inline Posture rising_posture(double time) {
  const double t = std::fmod(time, kCycle);
  const double lean = smooth_step(t, 0.3, 1.3) - smooth_step(t, 2.6, 3.6);
  const double up = smooth_step(t, 0.5, 1.7) - smooth_step(t, 2.2, 3.4);
  // Rising, the trunk has leant forwards (the pelvis is pitched by hip − knee + ankle), so that the body's own CoP is
  // over the soles from seat-off to seat-on.
  const double knee = 1.6 * (1.0 - up), ankle = 0.06 + 0.3 * lean * (1.0 - up);
  const double pitch = 0.75 * lean * (1.0 - up);
  return {.hip = pitch + knee - ankle, .knee = knee, .ankle = ankle, .trunk = 0.3 * lean * (1.0 - up), .arm = 0.3};
}

/// Two squats without a chair.
inline Posture squatting_posture(double time) {
  const double down = smooth_step(time, 0.5, 1.5) - smooth_step(time, 1.8, 2.8) + smooth_step(time, 3.2, 4.2) -
                      smooth_step(time, 4.5, 5.5);
  const double knee = 1.7 * down, ankle = 0.03 + 0.5 * down, pitch = 0.55 * down;
  return {.hip = pitch + knee - ankle, .knee = knee, .ankle = ankle, .trunk = 0.3 * down, .arm = 0.2 + 1.2 * down};
}

/// A chair under the hips. It carries what is left when the feet's CoP stays under the ankles, so it lets go when
/// the body's own CoP arrives there, and takes again when it leaves.
struct Chair {
  std::vector<Wrench> wrenches;  ///< on the body, about the origin
  std::vector<double> off_s, on_s;

  static Chair none(const SyntheticMotion& motion) { return {std::vector<Wrench>(motion.wrenches().size()), {}, {}}; }
  static Chair under(const SyntheticMotion& motion) {
    Chair chair = none(motion);
    const auto cycle = static_cast<std::size_t>(kCycle * SyntheticMotion::kRate);
    const auto is_ahead = [&](std::size_t i) { return centre_of_pressure(motion.wrenches()[i], 0.0).x() >= kFeet; };
    for (std::size_t first = 0; first + cycle < motion.wrenches().size(); first += cycle) {
      std::size_t off = first, on = first + cycle - 1;
      while (!is_ahead(off)) ++off;
      while (!is_ahead(on)) --on;
      chair.off_s.push_back(static_cast<double>(off) / SyntheticMotion::kRate);
      chair.on_s.push_back(static_cast<double>(on) / SyntheticMotion::kRate);
      for (std::size_t i = first; i < off; ++i) chair.carry(motion, i);
      for (std::size_t i = on + 1; i < first + cycle; ++i) chair.carry(motion, i);
    }
    chair.carry(motion, motion.wrenches().size() - 1);
    return chair;
  }

 private:
  static constexpr double kFeet = 0.30;
  void carry(const SyntheticMotion& motion, std::size_t i) {
    const Eigen::Vector2d cop = centre_of_pressure(motion.wrenches()[i], 0.0);
    // Behind the body's own CoP, so that both feet go on carrying.
    const Eigen::Vector3d at(std::min(motion.hips(i).x() - 0.06, cop.x() - 0.08), cop.y(), motion.hips(i).z() - 0.08);
    wrenches[i].force.z() = motion.wrenches()[i].force.z() * (kFeet - cop.x()) / (kFeet - at.x());
    wrenches[i].moment = at.cross(wrenches[i].force);
  }
};

enum class FootPlates { one_each, shared };

/// Plates under the right foot, the left foot (or both) and, on request, the chair.
inline std::vector<std::unique_ptr<ForcePlate>> plates_under(const SyntheticMotion& motion, const Chair& chair,
                                                             bool has_seat_plate,
                                                             FootPlates kind = FootPlates::one_each) {
  std::vector<Wrench> left, right, both;
  const double y_left = 0.2, y_right = y_left - motion.stance_width();
  for (std::size_t i = 0; i < motion.wrenches().size(); ++i) {
    const Wrench& all = motion.wrenches()[i];
    both.push_back({all.force - chair.wrenches[i].force, all.moment - chair.wrenches[i].moment});
    const Wrench& feet = both.back();
    // Each foot's CoP is on its own middle line.
    const Eigen::Vector2d cop = centre_of_pressure(feet, 0.0);
    const Eigen::Vector3d part = (cop.y() - y_right) / (y_left - y_right) * feet.force;
    left.push_back({part, Eigen::Vector3d(cop.x(), y_left, 0.0).cross(part)});
    right.push_back({feet.force - left.back().force, feet.moment - left.back().moment});
  }
  std::vector<std::unique_ptr<ForcePlate>> plates;
  const auto add = [&](const char* name, double height, std::vector<Wrench> wrenches) {
    plates.push_back(std::make_unique<GivenPlate>(name, SyntheticMotion::kRate, height, std::move(wrenches)));
  };
  if (kind == FootPlates::shared) {
    add("feet", 0.0, std::move(both));
  } else {
    add("right", 0.0, std::move(right));
    add("left", 0.0, std::move(left));
  }
  if (has_seat_plate) add("seat", 0.45, chair.wrenches);
  return plates;
}

}  // namespace aplomb::test
