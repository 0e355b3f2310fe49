#pragma once

#include <string>

#include "aplomb/core/result.hpp"

namespace aplomb {

/// The text of metrics.json, which `--json` prints too: schema, verb, scenario, verdict, metrics, checks, faults,
/// provenance. A number that is not finite is `null`; text that is not UTF-8 has its wrong bytes replaced.
std::string to_json(const Result& result);

/// The text of timing.json: one flat object. Kept apart, so that the same seed gives the same metrics.json.
std::string timing_to_json(const Result& result);

}  // namespace aplomb
