#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/recording/recording.hpp"

namespace aplomb::test {

/// Reads and examines these bytes as a recording. An aplomb::Error is an answer; anything else that is thrown, over a
/// second of work, or memory beyond 64 MiB + 4 x the bytes ends the program.
void fuzz_one(RecordingFormat format, std::string_view bytes);

/// Small recordings of a format, from our own writers and by hand: where a fuzzer starts.
std::vector<std::string> fuzz_seeds(RecordingFormat format);

inline constexpr RecordingFormat kAllFormats[] = {RecordingFormat::c3d, RecordingFormat::trc, RecordingFormat::mot,
                                                  RecordingFormat::bvh, RecordingFormat::csv};

/// The folder of a format's seeds and found cases: "c3d".
std::string folder_name(RecordingFormat format);

}  // namespace aplomb::test
