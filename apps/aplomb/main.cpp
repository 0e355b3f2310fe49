#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/version.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

constexpr const char* kAbout =
    "aplomb: from a human demonstration to a robot that stands up and keeps its balance.\n\n"
    "  aplomb demo --out out/demo            the story, with a report to look at\n"
    "  aplomb list                           scenarios, robots and controllers\n"
    "  aplomb run stand_coman --out out/run  one scenario\n"
    "  aplomb VERB --help                    what a verb does, with examples";

int complain(const std::string& what) {
  std::string line = what;
  for (char& letter : line) {
    if (letter == '\n') letter = ' ';
  }
  fmt::print(stderr, "aplomb: error: {}\n", line);
  return kBadInput;
}

/// CLI11 would answer an unknown verb with "argument not expected"; say which verbs there are.
void check_verb(const CLI::App& program, int argc, char** argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands({})) verbs.push_back(verb->get_name());
  if (argc < 2) {
    throw InvalidValue(fmt::format("no verb given; valid: {}; `aplomb --help` explains them", fmt::join(verbs, ", ")));
  }
  const std::string first = argv[1];
  if (!first.starts_with('-') && std::ranges::find(verbs, first) == verbs.end()) {
    throw UnknownName("verb", first, "aplomb", verbs);
  }
}

int run_program(int argc, char** argv) {
  CLI::App program(kAbout, "aplomb");
  program.set_version_flag("--version", fmt::format("aplomb {} ({})", version(), commit()));
  program.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App*, Action>> verbs;
  for (const auto add : {add_demo, add_run, add_list, add_info, add_doctor, add_bench}) {
    Action action = add(program);
    verbs.emplace_back(program.get_subcommands({}).back(), std::move(action));
  }
  check_verb(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error, std::cout);  // --help, --version
    return complain(std::string(error.what()) + " (`--help` lists what is valid)");
  }
  for (const auto& [verb, action] : verbs) {
    if (verb->parsed()) return action();
  }
  return kSuccess;
}

}  // namespace
}  // namespace aplomb

int main(int argc, char** argv) {
  aplomb::catch_interrupts();
  try {
    const int code = aplomb::run_program(argc, argv);
    // What could not be written (a full disk, a closed pipe) was not done.
    if (std::fflush(stdout) != 0 || !std::cout.flush()) return aplomb::complain("cannot write to standard output");
    return code;
  } catch (const aplomb::Interrupted&) {
    fmt::print(stderr, "aplomb: interrupted, nothing was written\n");
    return aplomb::kInterrupted;
  } catch (const std::exception& error) {
    return aplomb::complain(error.what());
  }
}
