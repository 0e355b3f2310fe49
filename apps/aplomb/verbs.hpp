#pragma once

#include <functional>
#include <string>

namespace CLI {  // whose header takes seconds to compile: files that add options include it
class App;
}

namespace aplomb {

inline constexpr int kSuccess = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// What a verb does once its options are read; returns the exit code.
using Action = std::function<int()>;

/// A verb: `about` is its line in `aplomb --help`, `examples` stands at the end of `aplomb VERB --help`.
CLI::App* add_verb(CLI::App& program, const char* name, const char* about, const char* examples);

void print(const std::string& text);  ///< to stdout; `main` finds out when that failed
void tell(const std::string& text);   ///< to stderr; when that fails there is nobody left to tell

// Each adds its verb to the program and returns what to do when it was chosen. One file a verb.
Action add_demo(CLI::App& program);
Action add_run(CLI::App& program);
Action add_compare(CLI::App& program);
Action add_list(CLI::App& program);
Action add_demonstrate(CLI::App& program);
Action add_human(CLI::App& program);
Action add_identify(CLI::App& program);
Action add_retarget(CLI::App& program);
Action add_info(CLI::App& program);
Action add_view(CLI::App& program);
Action add_doctor(CLI::App& program);
Action add_bench(CLI::App& program);

}  // namespace aplomb
