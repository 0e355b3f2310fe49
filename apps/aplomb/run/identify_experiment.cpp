#include "run/identify_experiment.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/checks.hpp"
#include "aplomb/scenario/overrides.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;

const Schema& experiment_schema() {
  const auto number = [](std::string_view key, std::string_view about, std::string_view unit,
                         std::string_view standard) {
    return schema::number(key, about).in(unit).at_least(0).at_most(100).defaults_to(standard);
  };
  static const Schema kSchema = schema::map(
      "", "an identification in simulation",
      {schema::text("scenario", "its name").required(), schema::text("about", "one sentence").defaults_to("''"),
       schema::text("robot", "a robot of `aplomb list` whose YAML names its `cad`").required(),
       schema::map(
           "identify", "the postures and their measurement",
           {schema::integer("postures", "number of postures").at_least(8).at_most(10000).defaults_to("88"),
            schema::choice("motion", {"sagittal", "spatial"}, "which joints move").defaults_to("sagittal"),
            number("cop_noise_m", "standard deviation of the CoP of both feet", "m", "0.002"),
            number("force_noise_n", "standard deviation of the vertical force of both feet", "N", "2"),
            number("joint_noise_rad", "standard deviation of every joint angle", "rad", "0.0035"),
            number("joint_zero_rad", "constant error of each sagittal joint's zero", "rad", "0"),
            number("foot_moment_offset_nm", "constant error of each foot's pitch moment", "N m", "0"),
            number("edge_margin_m", "margin of the CAD's CoM and of the CoP to heel and toe", "m", "0.03"),
            schema::boolean("torques", "whether the torques of all joints are measured and used, as in the paper")
                .defaults_to("false"),
            number("torque_noise_nm", "standard deviation of every joint torque", "N m", "1")})
           .required(),
       schema::integer("seed", "seed of postures and noise").at_least(0).defaults_to("1"),
       schema::list("checks", "conditions for the experiment to pass", check_schema())});
  return kSchema;
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "scenarios" / "identify")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::optional<std::filesystem::path> experiment_file(const std::string& name_or_path) {
  const std::filesystem::path path(name_or_path);
  if (path.extension() != ".yaml") {
    const std::vector<std::string> names = experiment_names();
    if (std::ranges::find(names, name_or_path) == names.end()) return std::nullopt;
    return data_dir() / "scenarios" / "identify" / (name_or_path + ".yaml");
  }
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  try {
    return parse_yaml(read_file(path, kMostBytes), path.string()).find("identify") != nullptr ? std::optional(path)
                                                                                              : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // the error is reported when the file is read as a scenario
  }
}

IdentifyExperiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  if (find_problems(yaml, experiment_schema()).empty()) require_valid_damage(yaml, experiment_schema());
  for (const std::string& text : overrides) apply_override(yaml, experiment_schema(), parse_override(text));
  require_valid(yaml, experiment_schema());
  const YamlView root(yaml, experiment_schema());
  const YamlView settings = root["identify"];
  IdentifyExperiment experiment{
      .name = root["scenario"].text(), .about = root["about"].text(), .robot = root["robot"].text()};
  experiment.example = {.postures = static_cast<int>(settings["postures"].integer()),
                        .is_spatial = settings["motion"].text() == "spatial",
                        .seed = static_cast<std::uint64_t>(root["seed"].integer()),
                        .cop_noise_m = settings["cop_noise_m"].number(),
                        .force_noise_n = settings["force_noise_n"].number(),
                        .joint_noise_rad = settings["joint_noise_rad"].number(),
                        .joint_zero_rad = settings["joint_zero_rad"].number(),
                        .foot_moment_offset_nm = settings["foot_moment_offset_nm"].number(),
                        .edge_margin_m = settings["edge_margin_m"].number(),
                        .measures_torques = settings["torques"].boolean(),
                        .torque_noise_nm = settings["torque_noise_nm"].number()};
  for (const YamlView& check : root["checks"].items()) experiment.checks.push_back(read_check(check));
  experiment.text = to_yaml(yaml);
  return experiment;
}

}  // namespace aplomb
