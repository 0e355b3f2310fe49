// What libFuzzer calls; one program for each value of APLOMB_FUZZ_FORMAT.
#include <cstdint>

#include "fuzz/fuzz_one.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  aplomb::test::fuzz_one(aplomb::RecordingFormat::APLOMB_FUZZ_FORMAT, {reinterpret_cast<const char*>(data), size});
  return 0;
}
