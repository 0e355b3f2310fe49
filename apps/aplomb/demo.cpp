#include "show_run.hpp"
#include "verbs.hpp"

namespace aplomb {

Action add_demo(CLI::App& program) {
  auto options = std::make_shared<ShowOptions>();
  options->verb = "demo";
  CLI::App* verb = program.add_subcommand("demo",
                                          "The main job on built-in data. Today that is a robot that stands and is "
                                          "pushed; the human demonstration comes with the sit-to-stand system.\n\n"
                                          "  aplomb demo --out out/demo");
  verb->add_option("--out", options->out, "folder for the results and report.html");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return show_run(load_scenario("stand_sarcos"), *options); };
}

}  // namespace aplomb
