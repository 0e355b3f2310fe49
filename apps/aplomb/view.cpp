#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/pending_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/report/figure/figure.hpp"
#include "aplomb/report/view_server.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct ViewOptions {
  std::vector<std::string> folders;
  bool open = false;
  std::optional<std::string> figure, save;
};

/// Opens the desktop's browser; without one only the address is printed.
void open_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = 1;
  posix_spawn_file_actions_t quiet;  // without a browser xdg-open names every program that it has tried
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  }
  if (posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ) == 0) waitpid(child, &status, 0);
  posix_spawn_file_actions_destroy(&quiet);
  if (status != 0) tell("note: no browser could be opened; open the address yourself\n");
}

int save_figure(const ViewOptions& options) {
  if (!options.figure || !options.save) throw InvalidValue("--figure NAME and --save FILE belong together");
  const std::string ending = std::filesystem::path(*options.save).extension().string();
  const bool is_device = std::filesystem::is_character_file(*options.save) || std::filesystem::is_fifo(*options.save);
  if (ending != ".svg" && !is_device) {
    throw InvalidValue(
        fmt::format("--save '{}': a figure is an SVG file; use a name that ends in .svg", *options.save));
  }
  std::vector<RunFolder> folders;
  std::vector<FigureRun> runs;
  for (const std::string& folder : options.folders) folders.push_back(read_run_folder(folder));
  for (const RunFolder& folder : folders) runs.push_back({folder.name, folder.page_data});
  const std::string svg = figure_svg(runs, *options.figure);
  PendingFile pending(*options.save, is_unchanged_figure);
  pending.fill([&](const auto& path) { write_file(path, svg); });
  pending.place();
  tell(fmt::format("figure: {}\n", *options.save));
  return kSuccess;
}

int view_command(const ViewOptions& options) {
  if (options.figure || options.save) return save_figure(options);
  std::vector<RunFolder> runs;
  for (const std::string& folder : options.folders) runs.push_back(read_run_folder(folder));
  ViewServer server(std::move(runs));
  print(server.address() + "\n");
  std::fflush(stdout);
  tell("press Ctrl-C to stop\n");
  if (options.open) open_browser(server.address());
  server.run(is_interrupted);  // ends with Ctrl-C: no error
  return kSuccess;
}

}  // namespace

Action add_view(CLI::App& program) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* verb = add_verb(program, "view", "Show results in a browser, at the log's full rate; or draw a figure.",
                            "  aplomb view out/run                        prints an address to open\n"
                            "  aplomb view out/run out/other --open       the other overlaid in replay and plots\n"
                            "  aplomb view out/run --figure centre_of_mass_forward --save com.svg\n"
                            "  aplomb view out/run out/other --figure centre_of_mass_forward --save both.svg\n\n"
                            "The server listens on this machine only and requires the random token of the address.\n"
                            "Figures have the names of the report's plots; an unknown name lists all of them.\n"
                            "--save replaces a figure that aplomb drew and nobody changed; no other file.");
  verb->add_option("DIR", options->folders, "folders written with --out; the first is shown, others are overlaid")
      ->required();
  verb->add_flag("--open", options->open, "open a browser");
  verb->add_option("--figure", options->figure, "draw this plot of the report instead")->type_name("NAME");
  verb->add_option("--save", options->save, "the file for --figure, .svg")->type_name("FILE");
  return [options] { return view_command(*options); };
}

}  // namespace aplomb
