#include "show_run.hpp"
#include "verbs.hpp"

namespace aplomb {

Action add_demo(CLI::App& program) {
  auto options = std::make_shared<ShowOptions>();
  options->verb = "demo";
  CLI::App* verb = add_verb(program, "demo", "The main job on built-in data, with a report to look at.",
                            "For now a robot stands for five seconds (the scenario stand_sarcos).\n\n"
                            "  aplomb demo --out out/demo    then open out/demo/report.html");
  verb->add_option("--out", options->out, "folder for the results and report.html")->type_name("DIR");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return show_run(load_scenario("stand_sarcos"), *options); };
}

}  // namespace aplomb
