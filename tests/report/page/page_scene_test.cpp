#include "aplomb/report/page/page_scene.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "report/sample_scene.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

TEST(SceneJson, HasAHundredFramesPerSecond) {
  const test::Sample sample = test::sample_of_motion(2.0);
  const Json motion = scene_json(*sample.page.scene, sample.log)["motion"];
  EXPECT_EQ(motion["rows"], 2001);
  EXPECT_EQ(motion["time"].size(), 201u);
  EXPECT_EQ(motion["time"][200], 2.0);
  EXPECT_EQ(motion["columns"].size(), sample.log.columns().size() - 1 + 3);  // without time, with the tracks
  EXPECT_EQ(motion["base64"].get<std::string>().size(), (2 * 201 * motion["columns"].size() + 2) / 3 * 4);
}

TEST(SceneJson, OfALongRunHasFewerFramesPerSecond) {
  const test::Sample sample = test::sample_of_motion(60.0);
  EXPECT_LE(scene_json(*sample.page.scene, sample.log)["motion"]["time"].size(), 3000u);
}

TEST(SceneJson, NamesEveryPartOfTheScene) {
  const test::Sample sample = test::sample_of_motion(0.1);
  const Json json = scene_json(*sample.page.scene, sample.log);
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

TEST(SceneJson, OfAMissingColumnIsAnError) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->markers[0].point.columns[0] = "com_m";
  EXPECT_THROW(scene_json(*sample.page.scene, sample.log), UnknownName);
}

TEST(SceneJson, WithTracksOfOtherInstantsIsAnError) {
  test::Sample sample = test::sample_of_motion(0.1);
  sample.page.scene->tracks.append(std::array{0.0, 0.0, 0.0});
  EXPECT_THROW(scene_json(*sample.page.scene, sample.log), InvalidValue);
}

TEST(Report, OfTenSecondsOfAThirtyFourJointRobotIsUnderFourMegabytes) {
  // A run logs four columns a joint and some 50 others.
  const test::Sample sample = test::sample_of_motion(10.0, 4 * 34 + 50);
  EXPECT_LT(report_html(sample.result, sample.log, sample.page, {}).size(), 4'000'000u);
}

}  // namespace
}  // namespace aplomb
