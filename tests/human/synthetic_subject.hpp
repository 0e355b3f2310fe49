#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>

#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/subject/scale_parameters.hpp"
#include "aplomb/human/subject_builder.hpp"

namespace aplomb::test {

/// Points with these labels, all of them markers, empty.
inline Points labelled(const std::vector<std::string>& labels, std::size_t frames, double rate_hz) {
  Points points;
  points.labels = labels;
  points.kinds.assign(labels.size(), PointKind::marker);
  points.num_frames = frames;
  points.rate_hz = rate_hz;
  points.xyz.assign(3 * labels.size() * frames, 0.0F);
  return points;
}

inline MarkerSet set_named(const std::string& name) {
  for (MarkerSet& set : built_in_marker_sets()) {
    if (set.name == name) return set;
  }
  throw std::runtime_error("no marker set " + name);
}

inline std::vector<std::string> labels_of(const MarkerSet& set) {
  std::vector<std::string> labels;
  for (const MarkerPlace& place : set.places) labels.push_back(place.label);
  return labels;
}

/// A subject with segment scales, joints and markers of its own, who moves all joints and bends down.
struct SyntheticSubject {
  SubjectModel subject;
  HumanMotion motion;
  Points points;  ///< with noise

  SyntheticSubject(const MarkerSet& set, double height, unsigned seed, double noise_m, std::size_t frames = 300,
                   double spread = 1.0) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    points = labelled(labels_of(set), frames, 100.0);
    const LabelMatch match = match_labels(points, {set});
    subject = generic_subject(SkeletonSize::light, Sex::male, height, 70.0, match, points.labels);
    ScaleParameters parameters(subject, height / kGenericHeight, {});
    Eigen::VectorXd values = parameters.values();
    Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(values.size(), values.size());
    Eigen::VectorXd unused = Eigen::VectorXd::Zero(values.size());
    parameters.add_prior(weights, unused);
    // Half of the prior's deviations: bodies and hands differ, but not wildly.
    for (Eigen::Index i = 1; i < values.size(); ++i)
      values[i] += 0.5 * spread * normal(engine) / std::sqrt(weights(i, i));
    parameters.set_values(values);
    parameters.apply(subject);
    distribute_mass(subject.skeleton);
    move(frames, engine);
    write_points(noise_m, engine);
  }

  RobotModel robot() const { return human_robot(subject.skeleton); }

 private:
  void move(std::size_t frames, std::mt19937& engine) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const RobotModel body = robot();
    motion = {.rate_hz = 100.0};
    motion.q.resize(body.nq(), static_cast<Eigen::Index>(frames));
    std::vector<double> phase, swing;
    for (const Joint& joint : body.joints()) {
      phase.push_back(std::numbers::pi * unit(engine));
      const bool is_small = joint.name.find("clavicle") != std::string::npos || joint.name.starts_with("lumbar") ||
                            joint.name.starts_with("thorax") || joint.name.find("abduction") != std::string::npos;
      swing.push_back(is_small ? 0.08 : 0.15);
    }
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const double t = static_cast<double>(frame) / motion.rate_hz;
      const double bend = 0.5 * (1.0 - std::cos(2.0 * std::numbers::pi * t / 3.0));  // down and up in three seconds
      Eigen::VectorXd q = body.neutral_state().q;
      for (int i = 0; i < body.num_joints(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const std::string& name = body.joints()[k].name;
        double angle = swing[k] * std::sin(2.0 * t + phase[k]);
        if (name.ends_with("hip_flexion") || name.ends_with("knee_flexion")) angle += 0.3 + 1.2 * bend;
        if (name.ends_with("elbow_flexion")) angle += 0.8 + 0.5 * bend;
        if (name.starts_with("thorax_") || name.starts_with("lumbar_"))
          angle = swing[0] * std::sin(2.0 * t + phase[name.ends_with("flexion")   ? 0
                                                      : name.ends_with("bending") ? 1
                                                                                  : 2]);
        q[7 + i] = std::clamp(angle, body.joints()[k].lower, body.joints()[k].upper);
      }
      q.head<3>() = Eigen::Vector3d(0.1 * std::sin(t), 0.05 * std::cos(t), 1.0 - 0.35 * bend);
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.1 * std::sin(t), Eigen::Vector3d::UnitZ()) *
                                    Eigen::AngleAxisd(0.4 * bend, Eigen::Vector3d::UnitY()));
      q.segment<4>(3) = turn.coeffs();
      motion.q.col(static_cast<Eigen::Index>(frame)) = q;
    }
  }

  void write_points(double noise_m, std::mt19937& engine) {
    std::normal_distribution<double> normal(0.0, 1.0);
    const RobotModel body = robot();
    const std::vector<int> bodies = segment_bodies(subject.skeleton, body);
    TreeKinematics tree(body);
    for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
      tree.update(motion.q.col(static_cast<Eigen::Index>(frame)));
      for (std::size_t i = 0; i < subject.markers.size(); ++i) {
        const BodyMarker& marker = subject.markers[i];
        const Eigen::Vector3d x = tree.point(bodies[static_cast<std::size_t>(marker.segment)], marker.offset);
        float* out = &points.xyz[3 * (frame * points.num_points() + i)];
        for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(x[k] + noise_m * normal(engine));
      }
    }
  }
};

}  // namespace aplomb::test
