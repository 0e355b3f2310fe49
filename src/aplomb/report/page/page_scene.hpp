#pragma once

#include <nlohmann/json.hpp>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/scene.hpp"

// Part of the data that a report's script shows (web/src/page_data.ts). Not installed: it shows the JSON library.

namespace aplomb {

/// The scene and the log's columns at up to 100 instants a second, at most 3000 of them. Throws UnknownName on a column
/// that neither the log nor the scene's tracks have, InvalidValue when these two differ in their number of rows.
nlohmann::ordered_json scene_json(const Scene& scene, const Log& log);

}  // namespace aplomb
