#pragma once

#include <string>

#include "aplomb/core/result.hpp"

namespace aplomb {

/// The text of metrics.json and of `--json`: schema, verb, scenario, verdict, metrics, checks, faults,
/// provenance. Non-finite numbers become `null`; invalid UTF-8 bytes are replaced.
std::string to_json(const Result& result);

/// The text of timing.json: one flat object. A separate file, so that the same seed gives the same metrics.json.
std::string timing_to_json(const Result& result);

}  // namespace aplomb
