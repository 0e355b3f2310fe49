#include "aplomb/report/mcap/mcap_log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/metric_json.hpp"
#include "aplomb/report/mcap/mcap_scene.hpp"
#include "aplomb/report/mcap/mcap_writer.hpp"
#include "aplomb/report/page/scene_poses.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSceneRate = 100.0;  // [1/s] largest rate of scene messages

std::string log_schema(const Log& log) {
  Json properties = Json::object();
  for (const std::string& name : log.columns()) properties[name] = {{"type", "number"}};
  return json_text({{"type", "object"}, {"properties", properties}});
}

/// Channels of a scene and their messages.
class SceneChannels {
 public:
  SceneChannels(const Scene& scene, const Log& log, McapWriter& writer)
      : scene_(scene), poses_(scene, log), names_(frame_names(scene)), writer_(writer) {
    tf_ = writer.add_channel("/tf", "foxglove.FrameTransforms", json_text(frame_transforms_schema()));
    scene_id_ = writer.add_channel("/scene", "foxglove.SceneUpdate", json_text(scene_update_schema()));
    joints_ = writer.add_channel("/joint_states", "aplomb.JointStates", json_text(joint_states_schema()));
    markers_ = writer.add_channel("/markers", "aplomb.Markers", json_text(markers_schema()));
    wrenches_ = writer.add_channel("/wrenches", "aplomb.Wrenches", json_text(wrenches_schema()));
  }

  void write(std::size_t row, std::uint64_t time_ns) {
    poses_.update(row);
    if (row == 0) writer_.write(scene_id_, time_ns, json_text(shapes_message(scene_, names_, time_ns)));
    writer_.write(tf_, time_ns, json_text(frame_transforms_message(scene_, poses_, names_, time_ns)));
    writer_.write(scene_id_, time_ns, json_text(marks_message(scene_, poses_, time_ns)));
    writer_.write(joints_, time_ns, json_text(joint_states_message(scene_, poses_)));
    writer_.write(markers_, time_ns, json_text(markers_message(scene_, poses_)));
    writer_.write(wrenches_, time_ns, json_text(wrenches_message(scene_, poses_)));
  }

 private:
  const Scene& scene_;
  ScenePoses poses_;
  std::vector<std::string> names_;
  McapWriter& writer_;
  std::uint16_t tf_ = 0, scene_id_ = 0, joints_ = 0, markers_ = 0, wrenches_ = 0;
};

Json row_message(const Log& log, std::size_t row) {
  Json message = Json::object();
  for (std::size_t column = 0; column < log.columns().size(); ++column) {
    if (std::isfinite(log.at(row, column))) message[log.columns()[column]] = log.at(row, column);
  }
  return message;
}

}  // namespace

void write_mcap(const Log& log, const Scene* scene, const std::filesystem::path& file) {
  const std::size_t time = log.index("time_s");
  McapWriter writer(file);
  const std::uint16_t channel = writer.add_channel("/log", "aplomb.Log", log_schema(log));
  std::optional<SceneChannels> scene_channels;
  if (scene != nullptr) scene_channels.emplace(*scene, log, writer);
  double next_s = -1.0;
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    const double time_s = std::max(0.0, log.at(row, time));
    const auto time_ns = static_cast<std::uint64_t>(std::llround(1e9 * time_s));
    writer.write(channel, time_ns, json_text(row_message(log, row)));
    if (!scene_channels || time_s < next_s - 1e-9) continue;
    scene_channels->write(row, time_ns);
    next_s = time_s + 1.0 / kSceneRate;
  }
  writer.close();
}

}  // namespace aplomb
