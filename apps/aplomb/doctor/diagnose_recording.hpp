#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "aplomb/recording/recording.hpp"

namespace aplomb {

struct DoctorOptions {
  std::filesystem::path file;
  std::optional<std::string> forces;
  std::optional<std::string> unit;
  std::optional<std::string> up;
  std::optional<double> mass_kg;
  std::optional<double> threshold_n;
  bool json = false;
};

/// Reads a recording and prints its contents and the warnings about it. Returns the exit code.
int diagnose_recording(const DoctorOptions& options);

}  // namespace aplomb
