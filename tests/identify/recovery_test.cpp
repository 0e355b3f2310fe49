#include <gtest/gtest.h>

#include "aplomb/identify/model/regressor.hpp"
#include "identify/static_lab.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// CoM errors of an identified model against the truth, in postures that were not measured. [m]
double worst_com_error(const RobotModel& truth, const RobotModel& model, unsigned seed) {
  std::mt19937_64 engine(seed);
  RobotTerms true_terms(truth, {}), terms(model, {});
  double worst = 0.0;
  for (int i = 0; i < 50; ++i) {
    const RobotState state = test::tilted_state(truth, engine);
    true_terms.update(state);
    terms.update(state);
    worst = std::max(worst, (terms.com() - true_terms.com()).norm());
  }
  return worst;
}

class Recovery : public ::testing::TestWithParam<const char*> {};

TEST_P(Recovery, APerturbedRobotIsFoundThroughItsFile) {
  const RobotModel cad = RobotModel::load(GetParam());
  for (unsigned seed : {1u, 2u}) {
    const RobotModel truth = test::perturbed(cad, seed);
    const test::TemporaryFolder folder;
    for (const char* name : {"postures.csv", "postures.npz"}) {
      const std::filesystem::path file = folder.path() / name;
      const Log log = test::held_at_the_foot(truth, 150, seed);
      file.extension() == ".csv" ? write_csv(log, file) : write_npz(log, file);
      // Exact data: a small weight, so that the CAD only decides what the data do not show.
      const Identification found = identify(cad, read_postures(file, cad), {.prior_weight = 1e-4});
      EXPECT_EQ(found.num_infeasible, 0);
      const RobotModel model = with_body_inertias(cad, found.body_inertias);
      EXPECT_GT(worst_com_error(truth, cad, 7), 0.005);
      EXPECT_LT(worst_com_error(truth, model, 7), 2e-4) << GetParam() << " " << name;
      EXPECT_NEAR(model.mass(), truth.mass(), 1e-3);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Robots, Recovery, ::testing::Values("sarcos", "balancer", "coman", "hoap3"));

TEST(CorrectedUrdf, LoadsAgainAndItsComIsTheEstimates) {
  const RobotModel cad = RobotModel::load("sarcos"), truth = test::perturbed(cad, 3);
  const test::TemporaryFolder folder;
  write_npz(test::held_at_the_foot(truth, 60, 3), folder.path() / "p.npz");
  const Identification found = identify(cad, read_postures(folder.path() / "p.npz", cad), {});
  write_urdf_with_inertias(cad.urdf().file, link_inertias(cad, found.body_inertias), folder.path() / "identified.urdf");
  const RobotModel again = RobotModel::load((folder.path() / "identified.urdf").string());
  std::mt19937_64 engine(5);
  RobotTerms terms(again, {});
  BodyMotions motions(cad);
  for (int i = 0; i < 20; ++i) {
    const RobotState state = test::tilted_state(cad, engine);
    terms.update(state);
    motions.place(state.q);
    const Eigen::Vector3d com =
        com_rows(motions, found.columns) * found.estimate.phi / found.problem.mass.dot(found.estimate.phi);
    EXPECT_LT((terms.com() - com).norm(), 1e-9);
  }
}

TEST(Identify, ReturnsTheCorrectedRobotOfATableInMemory) {
  const RobotModel truth = test::perturbed(RobotModel::load("sarcos"), 4);
  const Log postures = test::held_at_the_foot(truth, 60, 4);
  const IdentifiedRobot identified = identify(postures, RobotModel::load("sarcos"));
  EXPECT_EQ(identified.postures.postures.size(), postures.num_rows());
  const RobotModel expected = with_body_inertias(*identified.cad, identified.found.body_inertias);
  EXPECT_EQ(worst_com_error(expected, identified.model, 7), 0.0);
  const RobotModel believed = identify(postures, RobotModel::load("sarcos"));
  EXPECT_EQ(worst_com_error(expected, believed, 7), 0.0);
  const std::string error = test::error_of([&] { identify(Log({"posture"}), RobotModel::load("sarcos")); });
  EXPECT_TRUE(test::has(error, "measured postures")) << error;
}

TEST(Identify, PredictsEachPostureFromOthersOnly) {
  const RobotModel cad = RobotModel::load("balancer"), truth = test::perturbed(cad, 6);
  const PostureSet set =
      read_postures(TableFile{.file = "held.csv", .table = test::held_at_the_foot(truth, 40, 6)}, cad);
  const Identification found = identify(cad, set, {});
  for (const std::size_t k : {found.held_out.front(), std::size_t{0}, std::size_t{17}}) {
    PostureSet changed = set;
    changed.postures[k].contacts[0][4] += 50.0;  // [N m]; no prior weight, fold or estimate may know of it
    const Identification other = identify(cad, changed, {});
    EXPECT_LT((other.predicted[k] - found.predicted[k]).norm(), 1e-12) << k;
    double moved = 0.0;
    for (std::size_t i = 0; i < set.postures.size(); ++i)
      moved = std::max(moved, (other.predicted[i] - found.predicted[i]).norm());
    EXPECT_GT(moved, 1e-6) << "those of other folds do";
  }
}

TEST(Identify, RefusesPosturesThatAreAllAlikeWithTheirRank) {
  const RobotModel cad = RobotModel::load("sarcos");
  Log one = test::held_at_the_foot(cad, 1, 1), many(one.columns());
  std::vector<double> row(one.columns().size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = one.at(0, i);
  for (int k = 0; k < 20; ++k) {
    row[0] = k;
    many.append(row);
  }
  const PostureSet set = read_postures(TableFile{.file = "alike.csv", .table = many}, cad);
  const std::string error = test::error_of([&] { identify(cad, set, {}); });
  EXPECT_TRUE(test::has(error, "all alike"));
  EXPECT_TRUE(test::has(error, "3 of 60 parameter combinations are seen (one posture alone shows 3)"));
}

TEST(Identify, TakesTheSpatialModelWhenTheBaseTiltsToASide) {
  const RobotModel cad = RobotModel::load("sarcos"), truth = test::perturbed(cad, 5);
  std::vector<int> in_plane;
  for (const char* name : {"left_hip_pitch", "left_knee", "right_hip_pitch", "right_knee", "torso_pitch"})
    in_plane.push_back(cad.joint(name));
  for (const bool rolls : {false, true}) {
    const auto draw = [&](std::mt19937_64& engine) {
      RobotState state = test::tilted_state(truth, engine);
      for (int joint = 0; joint < cad.num_joints(); ++joint) {
        if (std::ranges::find(in_plane, joint) == in_plane.end()) state.q[7 + joint] = 0.0;
      }
      state.q[rolls ? 4 : 3] = 0.0;  // of the quaternion
      state.q.segment<4>(3).normalize();
      return state;
    };
    const TableFile file{.file = "held.csv", .table = test::held_at_the_foot(truth, 40, 5, draw)};
    const Identification found = identify(cad, read_postures(file, cad), {.prior_weight = 1e-2});
    EXPECT_EQ(found.model, rolls ? "spatial" : "sagittal");
  }
}

TEST(Identify, NeedsEightPostures) {
  const RobotModel cad = RobotModel::load("sarcos");
  const PostureSet set = read_postures(TableFile{.file = "few.csv", .table = test::held_at_the_foot(cad, 7, 1)}, cad);
  EXPECT_TRUE(test::has(test::error_of([&] { identify(cad, set, {}); }), "at least 8"));
}

}  // namespace
}  // namespace aplomb
