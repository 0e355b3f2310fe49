#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/version.hpp"
#include "verbs.hpp"

namespace aplomb {

CLI::App* add_verb(CLI::App& program, const char* name, const char* about, const char* examples) {
  CLI::App* verb = program.add_subcommand(name, about);
  verb->group("Verbs")->footer(examples);
  return verb;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void tell(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

namespace {

constexpr const char* kAbout =
    "aplomb: from a human demonstration to a robot that stands up and keeps its balance.\n\n"
    "  aplomb demo --out out/demo            the whole pipeline on built-in data, with a report\n"
    "  aplomb rise sts.c3d --robot g1        the same on a recording of yours\n"
    "  aplomb list                           scenarios, robots and controllers\n"
    "  aplomb run stand_coman --out out/run  one scenario\n"
    "  aplomb VERB --help                    what a verb does, with examples\n\n"
    "--out DIR is written whole or not at all. An earlier result there is replaced; a folder with\n"
    "other files, or with files that were changed since (DIR/manifest.sha256 lists them), is refused\n"
    "and left as it is.\n";

int complain(const std::string& what) {
  std::string line = what;
  for (char& letter : line) {
    if (letter == '\n') letter = ' ';
  }
  tell(fmt::format("aplomb: error: {}\n", line));
  return kBadInput;
}

/// Reports an unknown verb with the list of valid ones; CLI11 would only say "argument not expected".
void check_verb(const CLI::App& program, int argc, const char* const* argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands({})) verbs.push_back(verb->get_name());
  if (argc < 2) {
    throw InvalidValue(fmt::format("no verb given; valid: {}; `aplomb --help` explains them", fmt::join(verbs, ", ")));
  }
  const std::string first = argv[1];
  if (!first.starts_with('-') && std::ranges::find(verbs, first) == verbs.end()) {
    throw InvalidValue(fmt::format("no verb named '{}' in aplomb; {}", first, suggestion(first, verbs, verbs.size())));
  }
}

/// Reports an error of the command line, a misspelt option before a missing argument (CLI11 does the opposite).
[[noreturn]] void refuse(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  const CLI::App& verb = chosen.empty() ? program : *chosen.front();
  const std::string command = chosen.empty() ? "aplomb" : "aplomb " + verb.get_name();
  for (const std::string& extra : verb.remaining()) {
    if (!extra.starts_with('-')) continue;
    std::vector<std::string> options;
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    throw UnknownName("option", extra.substr(0, extra.find('=')), fmt::format("`{}`", command), options);
  }
  for (const std::string& extra : verb.remaining()) {
    throw InvalidValue(fmt::format("unexpected argument '{}'; see `{} --help`", extra, command));
  }
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    throw InvalidValue(fmt::format("{} is missing: {} (`{} --help` has examples)", option->get_name(),
                                   option->get_description(), command));
  }
  throw InvalidValue(fmt::format("{} (`{} --help` explains it)", error.what(), command));
}

/// The program's options and verbs.
class Program {
 public:
  Program() : app_(kAbout, "aplomb") {
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    app_.set_help_flag("-h,--help", "print this help");
    app_.set_version_flag("--version", fmt::format("aplomb {} ({})", version(), commit()), "version and commit");
    app_.require_subcommand(0, 1);
    for (const auto add : {add_rise, add_demo, add_run, add_compare, add_batch, add_demonstrate, add_human,
                           add_identify, add_retarget, add_estimate, add_convert, add_grade, add_list, add_info,
                           add_view, add_doctor, add_serve, add_control, add_bench}) {
      Action action = add(app_);
      verbs_.emplace_back(app_.get_subcommands({}).back(), std::move(action));
    }
  }

  /// False when --help or --version were all there was to do.
  bool parse(int argc, const char* const* argv) {
    check_verb(app_, argc, argv);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) refuse(app_, error);
      app_.exit(error, std::cout);
      return false;
    }
    return true;
  }

  bool parse(const std::vector<std::string>& command) {
    std::vector<const char*> words{"aplomb"};
    for (const std::string& word : command) words.push_back(word.c_str());
    return parse(static_cast<int>(words.size()), words.data());
  }

  int run() const {
    for (const auto& [verb, action] : verbs_) {
      if (verb->parsed()) return action();
    }
    return kSuccess;
  }

 private:
  CLI::App app_;
  std::vector<std::pair<CLI::App*, Action>> verbs_;
};

int run_program(int argc, char** argv) {
  Program program;
  return program.parse(argc, argv) ? program.run() : kSuccess;
}

}  // namespace

int run_verb(const std::vector<std::string>& command) {
  Program program;
  return program.parse(command) ? program.run() : kSuccess;
}

void require_valid_command(const std::vector<std::string>& command) { Program().parse(command); }

}  // namespace aplomb

int main(int argc, char** argv) {
  aplomb::catch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // an exceeded quota is reported like a full disk
  try {
    const int code = aplomb::run_program(argc, argv);
    // Output that could not be written (full disk, closed pipe) counts as a failure.
    const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush();
    return is_written ? code : aplomb::complain("cannot write to standard output");
  } catch (const aplomb::Interrupted&) {
    aplomb::tell("aplomb: interrupted, nothing was written\n");
    return aplomb::kInterrupted;
  } catch (const std::bad_alloc&) {
    return aplomb::complain("out of memory; a shorter run needs less");
  } catch (const std::exception& error) {
    return aplomb::complain(error.what());
  }
}
