#pragma once

#include <string_view>

namespace aplomb {

/// The script and the style of a report, bundled from web/ at build time (web/build.mjs writes the definitions), and
/// the hashes by which a page's content-security policy names them: "sha256-…".
extern const std::string_view kReportScript;
extern const std::string_view kReportScriptHash;
extern const std::string_view kReplayScript;  ///< instead of kReportScript, where a scene is replayed
extern const std::string_view kReplayScriptHash;
extern const std::string_view kReportStyle;
extern const std::string_view kReportStyleHash;

}  // namespace aplomb
