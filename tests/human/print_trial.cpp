// Prints what the folder of a trial says, for a comparison with another program: numbers of frames, joints and markers,
// the mass, and by frame (every STEPth) CoM, kinetic energy when all joints turn at 1 rad/s and the pelvis rests, and
// the markers on the model, all in our axes; then the labels. Doubles, then lines.
//   print_trial FOLDER STEP

#include <cstdio>
#include <cstdlib>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace {

void print(double value) { std::printf("%.17g\n", value); }

void print(const Eigen::Vector3d& vector) {
  for (const double value : vector) print(value);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace aplomb;
  if (argc != 3) return 2;
  const HumanTrial trial = read_trial(argv[1]);
  const Skeleton& skeleton = trial.subject.skeleton;
  const RobotModel robot = human_robot(skeleton);
  std::vector<FrameId> frames;
  for (const Segment& segment : skeleton.segments) frames.push_back(robot.frame(segment.name));
  RobotTerms terms(robot, frames);
  const Eigen::Index step = std::atoi(argv[2]), count = (trial.motion.num_frames() + step - 1) / step;
  print(static_cast<double>(count));
  print(static_cast<double>(trial.subject.markers.size()));
  print(robot.mass());
  Eigen::VectorXd v = Eigen::VectorXd::Ones(robot.nv());
  v.head<6>().setZero();
  for (Eigen::Index i = 0; i < trial.motion.num_frames(); i += step) {
    terms.update({trial.motion.q.col(i), v});
    print(trial.motion.time_s(i));
    print(terms.com());
    print(0.5 * v.dot(terms.mass_matrix() * v));
    for (const BodyMarker& marker : trial.subject.markers) {
      const auto segment = static_cast<std::size_t>(marker.segment);
      print(Eigen::Vector3d(terms.frame(frames[segment]).T_world_frame * marker.offset));
    }
  }
  for (const BodyMarker& marker : trial.subject.markers) std::printf("%s\n", marker.label.c_str());
}
