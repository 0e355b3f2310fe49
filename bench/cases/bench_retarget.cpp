#include <memory>
#include <random>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/retarget/clip/smoother.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping/planted.hpp"
#include "aplomb/robot/limbs.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

constexpr int kFrames = 200;

/// A rise of sarcos_real at 100 Hz with 41 markers and 2 mm of noise; feet and CoM are equality constraints.
struct Rising {
  Rising() : robot(RobotModel::load("sarcos_real")), tree(robot) {
    const Limbs limbs = find_limbs(robot);
    const RobotState seated = robot.posture("seated"), standing = robot.posture("half_sitting");
    for (int i = 0; i < kFrames; ++i) {
      const double rise = minimum_jerk(i, kFrames - 1).position;
      RobotState state = seated;
      state.q = (1.0 - rise) * seated.q + rise * standing.q;
      state.q.segment<4>(3).normalize();
      robot.stand_on_soles(state);
      postures.push_back(state.q);
    }
    tree.update(postures[0]);
    std::vector<PointRow> rows = planted_foot(robot, tree, 0);
    for (const PointRow& row : planted_foot(robot, tree, 1)) rows.push_back(row);
    for (PointRow& row : com_rows()) {
      row.kind = RowKind::equal;
      rows.push_back(row);
    }
    solver = std::make_unique<PostureSolver>(robot, place_markers(), rows, hands_and_thighs(robot, limbs, tree),
                                             PostureSolver::Settings{});
    record();
    q = postures[0];
    shape.resize(robot.nq(), kFrames);
    for (int i = 0; i < kFrames; ++i) shape.col(i) = postures[static_cast<std::size_t>(i)];
  }

  void ask(int i) {
    for (std::size_t k = 0; k < solver->targets.size(); ++k) {
      solver->targets[k] = seen[static_cast<std::size_t>(i) * solver->targets.size() + k];
    }
    for (int axis = 0; axis < 3; ++axis) {
      solver->rows[solver->rows.size() - 3 + static_cast<std::size_t>(axis)].value =
          coms[static_cast<std::size_t>(i)][axis];
    }
  }
  void next() {
    ask(frame);
    solver->pull = q.tail(robot.num_joints());
    solver->solve(q);
    frame += forward ? 1 : -1;  // forwards and backwards, so that successive frames are neighbours
    if (frame == kFrames - 1 || frame == 0) forward = !forward;
  }
  /// One frame including its part of the clip pass: solved, then projected three times onto the constraints; at the
  /// first frame the whole clip is smoothed.
  void next_of_clip() {
    solver->pull_weight.setConstant(1e-3);
    next();
    solver->pull_weight.setConstant(0.3);
    if (frame == 0) smooth_postures(smoother, shape);
    for (int round = 0; round < 3; ++round) put_back();
  }
  void put_back() {
    posture = shape.col(frame);
    tree.update(posture);
    for (std::size_t k = 0; k < solver->targets.size(); ++k) {
      solver->targets[k] = tree.point(solver->markers()[k].body, solver->markers()[k].offset);
    }
    solver->pull = posture.tail(robot.num_joints());
    solver->solve(posture);
    shape.col(frame) = posture;
  }

  RobotModel robot;
  TreeKinematics tree;
  std::vector<Eigen::VectorXd> postures;
  std::unique_ptr<PostureSolver> solver;
  std::vector<Eigen::Vector3d> seen, coms;
  Eigen::VectorXd q, posture;
  Eigen::MatrixXd shape;
  Smoother smoother{kFrames, 100.0, 4.0};
  int frame = 0;
  bool forward = true;

 private:
  std::vector<RobotMarker> place_markers() {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<int> solid;
    for (int body = 0; body < tree.num_bodies(); ++body) {
      if (tree.mass(body) > 0.0) solid.push_back(body);
    }
    std::vector<RobotMarker> markers;
    for (std::size_t i = 0; i < 41; ++i) {
      markers.push_back(
          {.body = solid[i % solid.size()], .offset = {0.1 * unit(engine), 0.1 * unit(engine), 0.15 * unit(engine)}});
    }
    return markers;
  }
  void record() {
    std::mt19937 engine(1);
    std::normal_distribution<double> noise(0.0, 0.002);
    for (const Eigen::VectorXd& shown : postures) {
      tree.update(shown);
      coms.push_back(tree.com());
      for (const RobotMarker& marker : solver->markers()) {
        seen.push_back(tree.point(marker.body, marker.offset) +
                       Eigen::Vector3d(noise(engine), noise(engine), noise(engine)));
      }
    }
  }
};

}  // namespace

void add_retargeting(std::vector<BenchCase>& cases) {
  const auto frames = std::make_shared<Rising>(), clip = std::make_shared<Rising>();
  cases.push_back({"retarget_frame", [frames] { frames->next(); }});
  cases.push_back({"retarget_clip_frame", [clip] { clip->next_of_clip(); }});
}

}  // namespace aplomb
