#pragma once

#include <gtest/gtest.h>

#include <string>

#include "aplomb/core/error.hpp"

namespace aplomb::test {

/// The text of the aplomb::Error that `action` throws; a failed test when it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "an error is expected here";
  return {};
}

/// `text` contains `part`; a failure shows both.
inline ::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}

}  // namespace aplomb::test
