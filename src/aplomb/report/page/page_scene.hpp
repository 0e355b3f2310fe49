#pragma once

#include <nlohmann/json.hpp>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/scene.hpp"

// Part of the data for a report's script (web/src/page_data.ts). Not installed, since it includes the JSON library.

namespace aplomb {

/// The scene and the log's columns, at up to 100 frames per second and at most 3000 frames. Throws UnknownName on a
/// column that neither the log nor the scene's tracks have, InvalidValue when log and tracks differ in their number of
/// rows.
nlohmann::ordered_json scene_json(const Scene& scene, const Log& log);

}  // namespace aplomb
