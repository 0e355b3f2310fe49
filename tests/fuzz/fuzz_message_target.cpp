// What libFuzzer calls for the messages of a link.
#include <cstdint>

#include "fuzz/fuzz_message.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  aplomb::test::fuzz_message({reinterpret_cast<const char*>(data), size});
  return 0;
}
