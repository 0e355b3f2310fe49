#include "aplomb/scenario/keys/plan_keys.hpp"

#include <algorithm>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/demonstrator/demonstrator.hpp"

namespace aplomb {
namespace {

/// A relative path in a file counts from the file's folder, one on the command line (--set) from the current folder.
std::string resolved(const YamlView& view, const std::filesystem::path& folder) {
  const std::filesystem::path path(view.text());
  const bool is_from_file = view.place().line > 0;
  return (path.is_absolute() || !is_from_file ? path : folder / path).string();
}

Schema speed() { return schema::number("speed", "playback speed").at_least(0.1).at_most(5); }
Schema start_s() { return schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600); }

const SettingsOf<PlanRequest>& plan_keys() {
  using Parameters = PlanRequest::Parameters;
  static const auto keys =
      SettingsOf<PlanRequest>()
          .add(&PlanRequest::style, schema::choice("style",
                                                   {"natural", "elderly", "fast", "arm_rests", "sit_down",
                                                    "sit_down_elderly", "sit_stand_sit"},
                                                   "style of the built-in demonstrator"))
          .add(&PlanRequest::demonstration,
               schema::text("demonstration", "a recording, or a folder of `aplomb human`, instead of the demonstrator")
                   .when_absent("the demonstrator"))
          .add(&PlanRequest::contacts,
               schema::text("contacts", "file of contacts as `aplomb human` writes it, instead of those it finds")
                   .when_absent("found in the demonstration"))
          .add(&PlanRequest::parameters,
               schema::choice("parameters", {"identified", "cad", "true"},
                              "masses that plan and controller use: found from 88 postures, the CAD's, the "
                              "robot's own"),
               {Parameters::identified, Parameters::cad, Parameters::actual})
          .add(&PlanRequest::clip,
               schema::choice("clip", {"rise", "sit_down", "whole"},
                              "part of the demonstration that is planned: one rise, one sit-down, or all of it")
                   .when_absent("`sit_down` or `whole` where the style shows that, else `rise`"),
               {ClipKind::rise, ClipKind::sit_down, ClipKind::whole})
          .add(&PlanRequest::rise,
               schema::integer("rise", "which rise, or sit-down, of the demonstration").at_least(1).at_most(10000))
          .add(&PlanRequest::mode,
               schema::choice("mode", {"frames", "hard", "priced"},
                              "each frame alone, without forces (the paper's method); the whole motion with the CoM "
                              "as an equation; with the CoM as a cost"),
               {RetargetMode::frames, RetargetMode::hard, RetargetMode::priced})
          .add(&PlanRequest::force,
               schema::boolean("force", "plan even where force plates or markers contradict the person's model"))
          .add(&PlanRequest::speed, speed())
          .add(&PlanRequest::start_s, start_s());
  return keys;
}

const SettingsOf<PlanRequest>& trajectory_keys() {
  static const auto keys = SettingsOf<PlanRequest>()
                               .add(&PlanRequest::trajectory,
                                    schema::text("folder", "a folder that `aplomb retarget --out` wrote").required())
                               .add(&PlanRequest::speed, speed())
                               .add(&PlanRequest::start_s, start_s());
  return keys;
}

/// The part of a style of the demonstrator that shows all of it.
ClipKind clip_of_style(const std::string& name) {
  const std::vector<StyleSummary> styles = known_styles();
  const auto style = std::ranges::find(styles, name, &StyleSummary::name);
  if (style == styles.end() || !style->has_sit_down) return ClipKind::rise;
  return style->has_rise ? ClipKind::whole : ClipKind::sit_down;
}

}  // namespace

Schema plan_schema() {
  return plan_keys().schema("plan",
                            "a rise from a chair or the way back, planned from a human's (docs/sit_to_stand.md)");
}

Schema trajectory_schema() { return trajectory_keys().schema("trajectory", "a motion plan from a file"); }

PlanRequest read_plan_request(const YamlView& root, const std::filesystem::path& folder) {
  PlanRequest request;
  const bool has_trajectory = root.has("reference") && root["reference"].has("trajectory");
  if (has_trajectory && root.has("plan")) {
    throw FileError(root["plan"].place(), "plan and reference.trajectory are both there: keep one of them");
  }
  if (has_trajectory) {
    const YamlView view = root["reference"]["trajectory"];
    request = trajectory_keys().read(view);
    request.parameters = PlanRequest::Parameters::actual;  // other masses are given by the key robot_model
    request.trajectory = resolved(view["folder"], folder);
  } else if (root.has("plan")) {
    const YamlView view = root["plan"];
    if (view.has("style") && view.has("demonstration")) {
      throw FileError(view["style"].place(), "plan.style and plan.demonstration are both there: keep one of them");
    }
    request = plan_keys().read(view);
    if (!view.has("clip") && !view.has("demonstration")) request.clip = clip_of_style(request.style);
    if (view.has("demonstration")) request.demonstration = resolved(view["demonstration"], folder);
    if (view.has("contacts")) request.contacts = resolved(view["contacts"], folder);
  }
  request.is_asked = has_trajectory || root.has("plan");
  return request;
}

}  // namespace aplomb
