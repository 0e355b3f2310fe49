#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/scene.hpp"

// Part of the data for a report's script (web/src/page_data.ts). Not installed, since it includes the JSON library.

namespace aplomb {

/// The triangle meshes of a page. Scenes that show the same robot share them.
class PageMeshes {
 public:
  int add(const SceneShape& mesh);  ///< its index in json()
  const nlohmann::ordered_json& json() const { return meshes_; }

 private:
  nlohmann::ordered_json meshes_ = nlohmann::ordered_json::array();
  std::map<std::string, int> indices_;  ///< by contents
};

/// What a replay's data has. `all`: every column, for a page whose reader may choose any to plot, at up to 100 frames
/// per second and at most 3000 frames. `used`: the columns that the scene names, at up to 50 and at most 600.
enum class MotionData { all, used };

/// The scene and its motion. Throws UnknownName on a column that neither the log nor the scene's tracks have,
/// InvalidValue when log and tracks differ in their number of rows.
nlohmann::ordered_json scene_json(const Scene& scene, const Log& log, PageMeshes& meshes,
                                  MotionData wanted = MotionData::all);

/// All rows of a log and of a scene's tracks, packed as scene_json packs a motion.
nlohmann::ordered_json motion_part(const Log& log, const Log& tracks);

}  // namespace aplomb
