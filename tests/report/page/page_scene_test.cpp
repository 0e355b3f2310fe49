#include "aplomb/report/page/page_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "report/sample_scene.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

class SceneJson : public testing::Test {
 protected:
  PageMeshes meshes;
};

/// A tetrahedron.
SceneShape small_mesh(double size) {
  SceneShape mesh{.kind = SceneShape::Kind::mesh, .points = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.colour = {1.0, 0.5, 0.0};
  return mesh;
}

TEST_F(SceneJson, SharesAMeshThatIsShownTwice) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->nodes[0].shapes = {small_mesh(0.1), small_mesh(0.2), small_mesh(0.1)};
  const Json first = scene_json(*sample.page.scene, sample.log, meshes);
  const Json second = scene_json(*sample.page.scene, sample.log, meshes);
  EXPECT_EQ(first["nodes"][0]["shapes"][0]["mesh"], 0);
  EXPECT_EQ(first["nodes"][0]["shapes"][1]["mesh"], 1);
  EXPECT_EQ(first["nodes"][0]["shapes"][2]["mesh"], 0);
  EXPECT_EQ(second["nodes"][0]["shapes"][1]["mesh"], 1);
  ASSERT_EQ(meshes.json().size(), 2u);
  EXPECT_EQ(meshes.json()[0]["points"].get<std::string>().size(), 4u * 3 * 2 / 3 * 4);     // 4 vertices of 3 codes
  EXPECT_EQ(meshes.json()[0]["triangles"].get<std::string>().size(), 4u * 3 * 2 / 3 * 4);  // 4 triangles of 3 indices
}

TEST_F(SceneJson, OfAChapterHasOnlyTheColumnsThatItShows) {
  const test::Sample sample = test::sample_of_motion(0.1, /*num_more_columns=*/50);
  const Json all = scene_json(*sample.page.scene, sample.log, meshes)["motion"]["columns"];
  const Json used = scene_json(*sample.page.scene, sample.log, meshes, MotionData::used)["motion"]["columns"];
  EXPECT_LT(used.size() + 50, all.size() + 1);
  const auto has = [&used](const std::string& name) {
    return std::ranges::any_of(used, [&](const Json& column) { return column["name"] == name; });
  };
  EXPECT_TRUE(has("position_knee_rad"));
  EXPECT_TRUE(has("base_quaternion_w"));
  EXPECT_FALSE(has("more_3"));
}

TEST_F(SceneJson, OfAChapterHasFewerFrames) {
  const test::Sample sample = test::sample_of_motion(60.0);
  const Json motion = scene_json(*sample.page.scene, sample.log, meshes, MotionData::used)["motion"];
  EXPECT_LE(motion["time"].size(), 600u);
  EXPECT_EQ(motion["time"].front(), 0.0);
  EXPECT_EQ(motion["time"].back(), 60.0);
}

TEST_F(SceneJson, HasThePhasesInOrder) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->phases = {{0.0, "It sits."}, {0.05, "It stands."}};
  const Json phases = scene_json(*sample.page.scene, sample.log, meshes)["phases"];
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[1]["start"], 0.05);
  EXPECT_EQ(phases[1]["text"], "It stands.");
}

TEST_F(SceneJson, HasAHundredFramesPerSecond) {
  const test::Sample sample = test::sample_of_motion(2.0);
  const Json motion = scene_json(*sample.page.scene, sample.log, meshes)["motion"];
  EXPECT_EQ(motion["rows"], 2001);
  EXPECT_EQ(motion["time"].size(), 201u);
  EXPECT_EQ(motion["time"][200], 2.0);
  EXPECT_EQ(motion["columns"].size(), sample.log.columns().size() - 1 + 3);  // without time, with the tracks
  EXPECT_EQ(motion["base64"].get<std::string>().size(), (2 * 201 * motion["columns"].size() + 2) / 3 * 4);
}

TEST_F(SceneJson, OfALongRunHasFewerFramesPerSecond) {
  const test::Sample sample = test::sample_of_motion(60.0);
  EXPECT_LE(scene_json(*sample.page.scene, sample.log, meshes)["motion"]["time"].size(), 3000u);
}

TEST_F(SceneJson, NamesEveryPartOfTheScene) {
  const test::Sample sample = test::sample_of_motion(0.1);
  const Json json = scene_json(*sample.page.scene, sample.log, meshes);
  EXPECT_EQ(json["nodes"].size(), 5u);
  EXPECT_EQ(json["nodes"][1]["joint"], "position_hip_rad");
  EXPECT_EQ(json["nodes"][0]["free"][6], "base_quaternion_w");
  EXPECT_TRUE(json["nodes"][0]["lower"].is_null());
  EXPECT_EQ(json["nodes"][4]["look"], "ground");
  EXPECT_EQ(json["markers"][1]["point"]["node"], 3);
  EXPECT_EQ(json["forces"][1]["kind"], "push");
  EXPECT_EQ(json["soles"][0]["corners"].size(), 4u);
  EXPECT_EQ(json["events"][0]["label"], "push");
}

TEST_F(SceneJson, OfAMissingColumnIsAnError) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->markers[0].point.columns[0] = "com_m";
  EXPECT_THROW(scene_json(*sample.page.scene, sample.log, meshes), UnknownName);
}

TEST_F(SceneJson, WithTracksOfOtherInstantsIsAnError) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->tracks.append(std::array{0.0, 0.0, 0.0});
  EXPECT_THROW(scene_json(*sample.page.scene, sample.log, meshes), InvalidValue);
}

TEST(Report, OfTenSecondsOfAThirtyFourJointRobotIsUnderFourMegabytes) {
  // A run logs four columns a joint and some 50 others.
  const test::Sample sample = test::sample_of_motion(10.0, 4 * 34 + 50);
  EXPECT_LT(report_html(sample.result, sample.log, sample.page, {}).size(), 4'000'000u);
}

}  // namespace
}  // namespace aplomb
