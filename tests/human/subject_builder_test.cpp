#include "aplomb/human/subject_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/human/fit/label_faults.hpp"
#include "aplomb/human/subject/marker_set_text.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "human/synthetic_subject.hpp"

namespace aplomb {
namespace {

/// Root mean square distance of the fitted CoM from the true one. [m]
double com_error(const test::SyntheticSubject& truth, const SubjectModel& found) {
  const RobotModel true_robot = truth.robot(), robot = human_robot(found.skeleton);
  const MotionFit fit = fit_motion(found, robot, track_markers(truth.points, found, Eigen::Matrix3d::Identity()));
  TreeKinematics tree(robot), true_tree(true_robot);
  double sum = 0.0;
  for (Eigen::Index frame = 0; frame < fit.motion.num_frames(); ++frame) {
    tree.update(fit.motion.q.col(frame));
    true_tree.update(truth.motion.q.col(frame));
    sum += (tree.com() - true_tree.com()).squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(fit.motion.num_frames()));
}

class EveryMarkerSet : public testing::TestWithParam<const char*> {};

TEST_P(EveryMarkerSet, RecoversTheSubjectsCentreOfMass) {
  for (const double height : {1.5, 1.9}) {
    const test::SyntheticSubject truth(test::set_named(GetParam()), height, 11, 0.001);
    const SubjectOutcome found = build_subject(truth.points, nullptr, {.sets = built_in_marker_sets()});
    EXPECT_EQ(found.match.set, GetParam());
    const double error = com_error(truth, found.scaling.subject);
    // Seventeen joints say less of the trunk than markers around it.
    const bool are_joints = std::string(GetParam()).ends_with("_joints");
    EXPECT_LT(error, are_joints ? 0.010 : 0.005) << height;
    EXPECT_NEAR(found.scaling.subject.skeleton.height(), truth.subject.skeleton.height(), 0.06);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMarkerSet,
                         testing::Values("plug_in_gait", "helen_hayes", "cmu", "opencap_study", "bvh_joints",
                                         "soma_joints"));

TEST(MarkerSetText, IsReadAgainAndNamesEveryLabel) {
  test::SyntheticSubject truth(test::set_named("plug_in_gait"), 1.75, 12, 0.001);
  truth.points.labels[truth.points.index("LTHI")] = "my \"own\" thigh";
  const SubjectOutcome found = build_subject(truth.points, nullptr, {.sets = built_in_marker_sets()});
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "written_markers.yaml";
  write_file(file, marker_set_text(found, "written"));
  const MarkerSet set = read_marker_set(file);
  std::filesystem::remove(file);
  const LabelMatch match = match_labels(truth.points, {set});
  EXPECT_TRUE(match.unknown.empty());
  EXPECT_EQ(match.markers.size(), truth.points.labels.size());
  const auto own = std::ranges::find(set.places, std::string("my \"own\" thigh"), &MarkerPlace::label);
  ASSERT_NE(own, set.places.end());
  EXPECT_EQ(own->segment, "left_thigh");
}

TEST(Scaling, RecoversAKnownBodyWithinTheNoise) {
  const test::SyntheticSubject truth(test::set_named("plug_in_gait"), 1.75, 12, 0.001);
  EXPECT_LT(com_error(truth, truth.subject), 0.001);
}

TEST(Scaling, HasCorrectDerivatives) {
  const test::SyntheticSubject truth(test::set_named("cmu"), 1.6, 13, 0.0, 5);
  const RobotModel robot = truth.robot();
  const std::vector<int> bodies = segment_bodies(truth.subject.skeleton, robot);
  ScaleParameters parameters(truth.subject, 1.6 / kGenericHeight, {});
  SubjectModel subject = truth.subject;
  parameters.apply(subject);
  TreeKinematics tree(robot);
  const auto at = [&](std::size_t marker, const Eigen::VectorXd& values) {
    parameters.set_values(values);
    parameters.apply(subject);
    for (std::size_t i = 0; i < subject.skeleton.segments.size(); ++i) {
      const Segment& segment = subject.skeleton.segments[i];
      if (!segment.coordinates.empty())
        tree.set_joint_origin(robot.joint(segment.coordinates.front().name), segment.joint);
    }
    tree.update(truth.motion.q.col(2));
    const BodyMarker& one = subject.markers[marker];
    return tree.point(bodies[static_cast<std::size_t>(one.segment)], one.offset);
  };
  const Eigen::VectorXd values = parameters.values();
  for (std::size_t marker = 0; marker < subject.markers.size(); marker += 4) {
    at(marker, values);
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3, parameters.num());
    parameters.add_jacobian(subject, marker, tree, bodies, rows);
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      Eigen::VectorXd more = values, less = values;
      more[k] += 1e-5;
      less[k] -= 1e-5;
      EXPECT_LT(((at(marker, more) - at(marker, less)) / 2e-5 - rows.col(k)).norm(), 1e-8) << marker << " " << k;
    }
  }
}

TEST(UnknownLabels, AreAttachedToTheSegmentTheyMoveWith) {
  test::SyntheticSubject truth(test::set_named("plug_in_gait"), 1.75, 14, 0.001);
  std::map<std::string, std::string> hidden;
  for (std::size_t i = 0; i < truth.subject.markers.size(); ++i) {
    for (const char* label : {"LTHI", "RTIB", "LFRM", "RUPA", "LTOE"}) {
      if (truth.points.labels[i] != label) continue;
      truth.points.labels[i] = std::string("mystery_") + label;
      hidden[truth.points.labels[i]] =
          truth.subject.skeleton.segments[static_cast<std::size_t>(truth.subject.markers[i].segment)].name;
    }
  }
  ASSERT_EQ(hidden.size(), 5U);
  const SubjectOutcome found = build_subject(truth.points, nullptr, {.sets = {test::set_named("plug_in_gait")}});
  ASSERT_EQ(found.unknown.size(), hidden.size());
  for (const UnknownLabel& one : found.unknown) {
    EXPECT_TRUE(one.is_attached) << one.label;
    EXPECT_EQ(one.segment, hidden[one.label]) << one.label;
  }
}

TEST(LabelFaults, NameBothSwappedLabelsAndTheirFrames) {
  test::SyntheticSubject truth(test::set_named("plug_in_gait"), 1.75, 15, 0.001);
  Points& points = truth.points;
  const std::size_t a = points.index("LKNE"), b = points.index("LANK");
  for (std::size_t frame = 100; frame < 150; ++frame) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::swap(points.xyz[3 * (frame * points.num_points() + a) + k],
                points.xyz[3 * (frame * points.num_points() + b) + k]);
    }
  }
  const RobotModel robot = truth.robot();
  const MarkerTrack track = track_markers(points, truth.subject, Eigen::Matrix3d::Identity());
  const auto faults = find_label_faults(truth.subject, robot, track, fit_motion(truth.subject, robot, track));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(std::set<std::string>({faults[0].label, faults[0].other}), std::set<std::string>({"LKNE", "LANK"}));
  EXPECT_EQ(faults[0].first_frame, 100U);
  EXPECT_EQ(faults[0].last_frame, 149U);
  EXPECT_LT(com_error(truth, truth.subject), 0.004);
}

TEST(Labels, AreMatchedWhateverTheirPrefixesCaseAndDots) {
  const MarkerSet set = test::set_named("plug_in_gait");
  for (const std::string prefix : {"", "Subject 1:", "Bob_", "trial:bob:"}) {
    std::vector<std::string> labels;
    for (const char* label : {"LASI", "rasi", "L.KNE", "R_KNE", "C7", "CLAV", "LANK", "RANK", "LHJC"}) {
      labels.push_back(prefix + label);
    }
    const LabelMatch match = match_labels(test::labelled(labels, 1, 100.0), {set});
    EXPECT_EQ(match.markers.size(), 8U) << prefix;
    EXPECT_EQ(match.computed.size(), 1U) << prefix;
  }
  EXPECT_THROW(match_labels(test::labelled({"a", "b", "c"}, 1, 100.0), {set}), InvalidValue);
}

TEST(SubjectFile, IsReadBackAsItWasWritten) {
  const test::SyntheticSubject truth(test::set_named("helen_hayes"), 1.66, 16, 0.0, 5);
  SubjectModel subject = truth.subject;
  subject.markers[0].label = "odd \"label\": \\ # yes";
  const auto file = std::filesystem::temp_directory_path() / "aplomb_subject_test.yaml";
  write_subject(subject, file);
  const SubjectModel back = read_subject(file);
  std::filesystem::remove(file);
  ASSERT_EQ(back.markers.size(), subject.markers.size());
  for (std::size_t i = 0; i < back.markers.size(); ++i) {
    EXPECT_EQ(back.markers[i].label, subject.markers[i].label);
    EXPECT_EQ(back.markers[i].offset, subject.markers[i].offset);
    EXPECT_EQ(back.markers[i].segment, subject.markers[i].segment);
  }
  for (std::size_t i = 0; i < back.skeleton.segments.size(); ++i) {
    EXPECT_EQ(back.skeleton.segments[i].joint, subject.skeleton.segments[i].joint);
    EXPECT_EQ(back.skeleton.segments[i].inertia.mass, subject.skeleton.segments[i].inertia.mass);
    EXPECT_EQ(back.skeleton.segments[i].inertia.about_com, subject.skeleton.segments[i].inertia.about_com);
  }
}

}  // namespace
}  // namespace aplomb
