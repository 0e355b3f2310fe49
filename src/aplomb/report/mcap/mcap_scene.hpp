#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "aplomb/report/page/scene_poses.hpp"
#include "aplomb/report/scene.hpp"

// Private to report/: the messages of a scene and their JSON schemas. Those named foxglove.* have the fields of
// Foxglove's schemas of that name.

namespace aplomb {

/// A unique name for each node's frame.
std::vector<std::string> frame_names(const Scene& scene);

nlohmann::ordered_json frame_transforms_schema();
nlohmann::ordered_json scene_update_schema();
nlohmann::ordered_json joint_states_schema();
nlohmann::ordered_json markers_schema();
nlohmann::ordered_json wrenches_schema();

nlohmann::ordered_json frame_transforms_message(const Scene& scene, const ScenePoses& poses,
                                                const std::vector<std::string>& names, std::uint64_t time_ns);
nlohmann::ordered_json shapes_message(const Scene& scene, const std::vector<std::string>& names, std::uint64_t time_ns);
nlohmann::ordered_json marks_message(const Scene& scene, const ScenePoses& poses, std::uint64_t time_ns);
nlohmann::ordered_json joint_states_message(const Scene& scene, const ScenePoses& poses);
nlohmann::ordered_json markers_message(const Scene& scene, const ScenePoses& poses);
nlohmann::ordered_json wrenches_message(const Scene& scene, const ScenePoses& poses);

}  // namespace aplomb
