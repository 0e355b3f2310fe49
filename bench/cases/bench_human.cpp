#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "aplomb/human/fit/marker_fit.hpp"
#include "aplomb/human/human_robot.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

constexpr int kFrames = 200;

/// A person who squats and bends, recorded at 100 Hz with 2 mm of marker noise.
struct Squat {
  explicit Squat(SkeletonSize size) {
    const std::vector<MarkerSet> sets = built_in_marker_sets();
    Points points;
    for (const MarkerSet& set : sets) {
      if (set.name != "plug_in_gait") continue;
      for (const MarkerPlace& place : set.places) points.labels.push_back(place.label);
    }
    points.kinds.assign(points.labels.size(), PointKind::marker);
    subject = generic_subject(size, Sex::male, kGenericHeight, 70.0, match_labels(points, sets), points.labels);
    robot = std::make_unique<RobotModel>(human_robot(subject.skeleton));
    fit = std::make_unique<MarkerFit>(subject, *robot, MarkerFit::Settings{});
    record();
  }

  void next() {
    fit->fit({seen.data() + static_cast<std::size_t>(frame) * subject.markers.size(), subject.markers.size()}, q);
    frame += forward ? 1 : -1;  // forwards and backwards, so that successive frames are neighbours
    if (frame == kFrames - 1 || frame == 0) forward = !forward;
  }

  SubjectModel subject;
  std::unique_ptr<RobotModel> robot;
  std::unique_ptr<MarkerFit> fit;
  std::vector<Eigen::Vector3d> seen;
  Eigen::VectorXd q;
  int frame = 0;
  bool forward = true;

 private:
  void record() {
    std::mt19937 engine(1);
    std::normal_distribution<double> noise(0.0, 0.002);
    TreeKinematics tree(*robot);
    const std::vector<int> bodies = segment_bodies(subject.skeleton, *robot);
    for (int i = 0; i < kFrames; ++i) {
      const double bend = 0.5 * (1.0 - std::cos(std::numbers::pi * i / kFrames));
      Eigen::VectorXd posture = robot->neutral_state().q;
      for (int k = 0; k < robot->num_joints(); ++k) {
        const std::string& name = robot->joints()[static_cast<std::size_t>(k)].name;
        if (name.ends_with("hip_flexion") || name.ends_with("knee_flexion")) posture[7 + k] = 0.2 + 1.3 * bend;
        if (name.ends_with("elbow_flexion") || name.ends_with("shoulder_flexion")) posture[7 + k] = 0.6 * bend;
      }
      posture[2] = 0.95 - 0.3 * bend;
      if (i == 0) q = posture;
      tree.update(posture);
      for (const BodyMarker& marker : subject.markers) {
        const Eigen::Vector3d x = tree.point(bodies[static_cast<std::size_t>(marker.segment)], marker.offset);
        seen.push_back(x + Eigen::Vector3d(noise(engine), noise(engine), noise(engine)));
      }
    }
  }
};

}  // namespace

void add_human_fits(std::vector<BenchCase>& cases) {
  const auto light = std::make_shared<Squat>(SkeletonSize::light);
  cases.push_back({"human_fit_frame", [light] { light->next(); }});
  const auto full = std::make_shared<Squat>(SkeletonSize::full);
  cases.push_back({"human_fit_frame_155", [full] { full->next(); }});
}

}  // namespace aplomb
