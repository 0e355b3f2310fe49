#include "aplomb/scenario/keys/plan_keys.hpp"

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

std::string path_text(const YamlView& view, const std::filesystem::path& folder) {
  const std::filesystem::path path(view.text());
  return (path.is_absolute() ? path : folder / path).string();
}

}  // namespace

bool PlanRequest::plans_as(const PlanRequest& other) const {
  return is_asked == other.is_asked && style == other.style && demonstration == other.demonstration &&
         trajectory == other.trajectory && parameters == other.parameters && rise == other.rise;
}

Schema plan_schema() {
  return schema::map(
      "plan", "a rise from a chair, planned from a human's (docs/sit_to_stand.md)",
      {schema::choice("style", {"natural", "elderly", "fast", "arm_rests"}, "of the built-in demonstrator")
           .defaults_to("natural"),
       schema::text("demonstration", "a recording, or a folder of `aplomb human`, instead of the demonstrator"),
       schema::choice("parameters", {"identified", "cad", "true"},
                      "whose masses plan and controller believe in: found from 88 postures, the CAD's, the "
                      "robot's own")
           .defaults_to("identified"),
       schema::integer("rise", "which rise of the demonstration").at_least(1).at_most(10000).defaults_to("1"),
       schema::number("speed", "at which it is played").at_least(0.1).at_most(5).defaults_to("1"),
       schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600).defaults_to("1")});
}

Schema trajectory_schema() {
  return schema::map("trajectory", "a plan that was made before",
                     {schema::text("folder", "what `aplomb retarget --out` wrote").required(),
                      schema::number("speed", "at which it is played").at_least(0.1).at_most(5).defaults_to("1"),
                      schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600).defaults_to("1")});
}

PlanRequest read_plan_request(const YamlView& root, const std::filesystem::path& folder) {
  PlanRequest request;
  const bool has_trajectory = root.has("reference") && root["reference"].has("trajectory");
  if (has_trajectory && root.has("plan")) {
    throw FileError(root["plan"].place(), "plan and reference.trajectory are both there: keep one of them");
  }
  request.is_asked = has_trajectory || root.has("plan");
  if (has_trajectory) {
    const YamlView view = root["reference"]["trajectory"];
    request.trajectory = path_text(view["folder"], folder);
    request.parameters = PlanRequest::Parameters::actual;  // whoever planned with others gives them as robot_model
    request.speed = view["speed"].number();
    request.start_s = view["start_s"].number();
    return request;
  }
  if (!request.is_asked) return request;
  const YamlView view = root["plan"];
  request.style = view["style"].text();
  if (view.has("style") && view.has("demonstration")) {
    throw FileError(view["style"].place(), "plan.style and plan.demonstration are both there: keep one of them");
  }
  if (view.has("demonstration")) request.demonstration = path_text(view["demonstration"], folder);
  if (view["parameters"].text() == "cad") request.parameters = PlanRequest::Parameters::cad;
  if (view["parameters"].text() == "true") request.parameters = PlanRequest::Parameters::actual;
  request.rise = static_cast<int>(view["rise"].integer());
  request.speed = view["speed"].number();
  request.start_s = view["start_s"].number();
  return request;
}

}  // namespace aplomb
