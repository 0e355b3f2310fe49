#include "aplomb/pipeline/rise_planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/mot_file.hpp"
#include "aplomb/recording/recording.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

RisePlanner::Task natural_task(RisePlanner& planner) {
  return {.plan = {.is_asked = true, .parameters = PlanRequest::Parameters::actual},
          .robot = "sarcos_real",
          .base = planner.load("sarcos_real"),
          .chair = Chair{.height = 0.45}};
}

/// Writes the forces of a demonstration, `late_s` late, as a table.
void write_forces(const Recording& recording, double late_s, const std::filesystem::path& file) {
  MotFile mot{.name = "forces"};
  mot.table.columns = {"time"};
  const auto& plates = recording.forces.plates;
  for (std::size_t i = 1; i <= plates.size(); ++i) {
    for (const char* kind : {"v", "p", "m"}) {
      for (const char* axis : {"x", "y", "z"}) {
        mot.table.columns.push_back("ground_force_" + std::to_string(i) + "_" + kind + axis);
      }
    }
  }
  const auto late = static_cast<std::size_t>(late_s * plates[0]->info().rate_hz);
  for (std::size_t row = 0; row < plates[0]->num_samples(); ++row) {
    mot.table.values.push_back(plates[0]->time_s(row));
    for (const auto& plate : plates) {
      const PlateSample sample = plate->sample(row - std::min(row, late));
      for (const Eigen::Vector3d& vector : {sample.force, sample.cop, sample.free_moment}) {
        for (int axis = 0; axis < 3; ++axis) {
          mot.table.values.push_back(sample.is_loaded ? vector[axis] : 0.0);
        }
      }
    }
  }
  write_mot(file, mot);
}

/// The fast demonstration, whose seat-off shows in the motion alone, as rise.c3d without its plates; `late_s`: with
/// rise_grf.mot beside it.
void write_demonstration(const std::filesystem::path& folder, std::optional<double> late_s) {
  C3dFile c3d = demonstrated_recording("fast");
  const Recording recording = to_recording(c3d, "rise");
  c3d.analog = {};
  c3d.parameters = {};
  write_c3d(folder / "rise.c3d", c3d);
  if (late_s) write_forces(recording, *late_s, folder / "rise_grf.mot");
}

bool mentions(const std::vector<std::string>& notes, const std::string& words) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(RisePlanner, FindsTheForcesBesideADemonstrationOrNotesThatThereAreNone) {
  const test::TemporaryFolder folder;
  for (const bool has_forces : {false, true}) {
    write_demonstration(folder.path(), has_forces ? std::optional(0.0) : std::nullopt);
    RisePlanner planner;
    RisePlanner::Task task = natural_task(planner);
    task.plan.demonstration = (folder.path() / "rise.c3d").string();
    const auto plan = planner.plan(task);
    EXPECT_EQ(plan->person->judgement.has_plates, has_forces);
    EXPECT_TRUE(
        mentions(plan->notes, has_forces ? "Force plates of the demonstration: rise_grf.mot" : "no rise_grf.mot"));
  }
}

TEST(RisePlanner, NeedsForceWhereThePlatesContradictTheDemonstration) {
  const test::TemporaryFolder folder;
  write_demonstration(folder.path(), /*late_s=*/0.5);
  RisePlanner planner;
  RisePlanner::Task task = natural_task(planner);
  task.plan.demonstration = (folder.path() / "rise.c3d").string();
  try {
    planner.plan(task);
    FAIL() << "forces half a second late were believed";
  } catch (const InvalidValue& error) {
    EXPECT_NE(std::string(error.what()).find("plan.force: true"), std::string::npos) << error.what();
  }
  task.plan.force = true;
  EXPECT_GT(planner.plan(task)->motion->trajectory.num_samples(), 100);
}

TEST(RisePlanner, LoadsARobotOnce) {
  RisePlanner planner;
  EXPECT_EQ(planner.load("coman"), planner.load("coman"));
  EXPECT_THROW(planner.load("comann"), UnknownName);
  EXPECT_THROW(planner.load("comann"), UnknownName);
}

TEST(RisePlanner, MakesAPlanOnceWhateverItsSpeedAndAnotherForAnotherChair) {
  RisePlanner planner;
  RisePlanner::Task task = natural_task(planner);
  const auto plan = planner.plan(task);
  task.plan.speed = 1.5;
  EXPECT_EQ(planner.plan(task), plan);
  task.chair->height = 0.46;
  const auto higher = planner.plan(task);
  EXPECT_NE(higher, plan);
  EXPECT_EQ(higher->person, plan->person);  // the person is analysed once
  EXPECT_NE(higher->motion->contacts.chair_height_m, plan->motion->contacts.chair_height_m);
}

TEST(RisePlanner, SaysWhoseMassesAreBelievedIn) {
  RisePlanner planner;
  RisePlanner::Task task = natural_task(planner);
  EXPECT_EQ(planner.plan(task)->believed, task.base);
  task.plan.parameters = PlanRequest::Parameters::cad;
  const auto by_cad = planner.plan(task);
  EXPECT_NE(by_cad->believed, task.base);
  EXPECT_NE(by_cad->believed->mass(), task.base->mass());
  EXPECT_EQ(by_cad->identified, nullptr);
}

}  // namespace
}  // namespace aplomb
