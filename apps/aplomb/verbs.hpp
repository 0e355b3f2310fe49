#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {  // CLI11's header takes seconds to compile: only files that add options include it
class App;
}

namespace aplomb {

inline constexpr int kSuccess = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// Runs a verb after its options are parsed; returns the exit code.
using Action = std::function<int()>;

/// Adds a verb: `about` is its line in `aplomb --help`, `examples` are shown at the end of `aplomb VERB --help`.
CLI::App* add_verb(CLI::App& program, const char* name, const char* about, const char* examples);

void print(const std::string& text);  ///< to stdout; `main` reports a failure
void tell(const std::string& text);   ///< to stderr; a failure is ignored

/// A command of `aplomb` in this process: its verb with arguments and options. Returns the exit code; throws what
/// `main` reports.
int run_verb(const std::vector<std::string>& command);
void require_valid_command(const std::vector<std::string>& command);  ///< throws as run_verb does of its words alone

// Each adds its verb to the program and returns the action to run when it is chosen. One file per verb.
Action add_rise(CLI::App& program);
Action add_demo(CLI::App& program);
Action add_run(CLI::App& program);
Action add_compare(CLI::App& program);
Action add_list(CLI::App& program);
Action add_demonstrate(CLI::App& program);
Action add_human(CLI::App& program);
Action add_identify(CLI::App& program);
Action add_retarget(CLI::App& program);
Action add_estimate(CLI::App& program);
Action add_convert(CLI::App& program);
Action add_grade(CLI::App& program);
Action add_info(CLI::App& program);
Action add_view(CLI::App& program);
Action add_doctor(CLI::App& program);
Action add_batch(CLI::App& program);
Action add_serve(CLI::App& program);
Action add_control(CLI::App& program);
Action add_bench(CLI::App& program);

}  // namespace aplomb
