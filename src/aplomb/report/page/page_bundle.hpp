#pragma once

#include <string_view>

namespace aplomb {

/// Script and style sheet of a report, bundled from web/ at build time (web/build.mjs writes the definitions), and
/// their hashes for the page's content-security policy: "sha256-…".
extern const std::string_view kReportScript;
extern const std::string_view kReportScriptHash;
extern const std::string_view kReplayScript;  ///< replaces kReportScript in a report with a replay
extern const std::string_view kReplayScriptHash;
extern const std::string_view kReportStyle;
extern const std::string_view kReportStyleHash;

}  // namespace aplomb
