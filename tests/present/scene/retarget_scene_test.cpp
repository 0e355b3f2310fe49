#include "aplomb/present/scene/retarget_scene.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

class RetargetScene : public testing::Test {
 protected:
  struct Made {
    HumanTrial trial = test::demonstrated_trial("natural");
    RobotModel robot = RobotModel::load("sarcos_real");
    Retargeted motion = retarget(trial, robot, {});
    Scene scene = make_retarget_scene(trial, robot, motion);
  };
  static const Made& made() {
    static const Made all;
    return all;
  }
  static double track(std::size_t row, const std::string& column) {
    return made().scene.tracks.at(row, made().scene.tracks.index(column));
  }
  static Eigen::VectorXd posture(const RobotModel& robot, const std::string& prefix, std::size_t row) {
    const std::vector<std::string> columns = posture_columns(robot, prefix);
    Eigen::VectorXd q(static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) q[static_cast<Eigen::Index>(i)] = track(row, columns[i]);
    return q;
  }
};

TEST_F(RetargetScene, ThePersonsMarkersAreOnThePersonInEveryFrame) {
  const RobotModel person = human_robot(made().trial.subject.skeleton);
  const std::vector<int> bodies = segment_bodies(made().trial.subject.skeleton, person);
  // Between the recording's frames both are interpolated, each in its way: a millimetre at the speed of a rise.
  const double tolerance = made().motion.slowdown == 1.0 ? 1e-9 : 1e-3;
  TreeKinematics tree(person);
  for (std::size_t row = 0; row < made().scene.tracks.num_rows(); row += 25) {
    tree.update(posture(person, "person_", row));
    for (std::size_t i = 0; i < made().trial.subject.markers.size(); ++i) {
      const BodyMarker& marker = made().trial.subject.markers[i];
      const Eigen::Vector3d place = tree.point(bodies[static_cast<std::size_t>(marker.segment)], marker.offset);
      const Eigen::Vector3d shown(track(row, fmt::format("person_marker_{}_x_m", i)),
                                  track(row, fmt::format("person_marker_{}_y_m", i)),
                                  track(row, fmt::format("person_marker_{}_z_m", i)));
      EXPECT_LT((place - shown).norm(), tolerance) << row << " " << marker.label;
    }
  }
}

TEST_F(RetargetScene, ThePersonsComBeforeTheMappingStandsOnTheRobotsFeetInFullSize) {
  const Log log = describe(made().motion, made().robot, "test").log;
  const auto at = [&log](std::size_t row, const char* column) { return log.at(row, log.index(column)); };
  const std::size_t last = log.num_rows() - 1;
  const auto moved = [&](const char* column) { return at(last, column) - at(0, column); };
  EXPECT_NEAR(moved("com_unmapped_x_m"), moved("human_com_x_m"), 1e-12);
  EXPECT_GT(std::abs(moved("com_unmapped_x_m") - moved("com_mapped_x_m")), 0.01);  // the robot has another size
  // Standing, both are over the same soles.
  EXPECT_NEAR(at(last, "com_unmapped_x_m"), at(last, "com_x_m"), 0.1);
}

TEST_F(RetargetScene, TheRobotsMarkersDifferFromThePersonsByTheReportedError) {
  TreeKinematics tree(made().robot);
  const Overlay& overlay = made().motion.overlay;
  double sum = 0.0;
  for (std::size_t row = 0; row < made().scene.tracks.num_rows(); ++row) {
    tree.update(posture(made().robot, "", row));
    for (std::size_t i = 0; i < overlay.markers.size(); ++i) {
      const Eigen::Vector3d wanted = overlay.target(made().motion.human, i, static_cast<Eigen::Index>(row));
      const ScenePoint& point = made().scene.markers[i].point;
      sum += (tree.point(point.node, point.constant) - wanted).squaredNorm();
    }
  }
  const double count = static_cast<double>(made().scene.tracks.num_rows() * overlay.markers.size());
  EXPECT_NEAR(std::sqrt(sum / count), made().motion.marker_rms, 1e-6);
}

TEST_F(RetargetScene, ThePersonIsBesideTheRobotOnTheSameFloor) {
  const std::size_t last = made().scene.tracks.num_rows() - 1;
  EXPECT_GT(track(last, "person_base_y_m"), track(last, "base_y_m") + 0.8);
  EXPECT_NEAR(track(last, "person_base_x_m"), track(last, "base_x_m"), 0.3);
  EXPECT_EQ(made().scene.events.at(0).label, "seat-off");
}

}  // namespace
}  // namespace aplomb
