#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace aplomb::test {

/// The folder with recordings of others: APLOMB_TEST_DATA, else ../shared/data beside the clone.
inline std::filesystem::path data_folder() {
  const char* given = std::getenv("APLOMB_TEST_DATA");
  return given != nullptr ? std::filesystem::path(given) : std::filesystem::path(APLOMB_SOURCE_DIR) / "../shared/data";
}

}  // namespace aplomb::test

#define APLOMB_NEEDS_DATA(name)                                                      \
  const std::filesystem::path data = ::aplomb::test::data_folder() / (name);         \
  if (!std::filesystem::exists(data)) {                                              \
    GTEST_SKIP() << data << " is not there: set APLOMB_TEST_DATA to the recordings"; \
  }                                                                                  \
  static_assert(true)
