#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace aplomb {

inline constexpr int kSuccess = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// What a verb does once its options are read; returns the exit code.
using Action = std::function<int()>;

// Each adds its verb to the program and returns what to do when it was chosen. One file a verb.
Action add_demo(CLI::App& program);
Action add_run(CLI::App& program);
Action add_list(CLI::App& program);
Action add_info(CLI::App& program);
Action add_doctor(CLI::App& program);
Action add_bench(CLI::App& program);

}  // namespace aplomb
