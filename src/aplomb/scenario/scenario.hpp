#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/run/start.hpp"
#include "aplomb/scenario/keys/controller_keys.hpp"
#include "aplomb/scenario/keys/hand_keys.hpp"
#include "aplomb/scenario/keys/plan_keys.hpp"
#include "aplomb/scenario/keys/reference_keys.hpp"
#include "aplomb/scenario/many/search_request.hpp"
#include "aplomb/scenario/many/vary.hpp"
#include "aplomb/scenario/overrides.hpp"
#include "aplomb/scenario/setup/plant.hpp"
#include "aplomb/sim/sensors.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// A push as a scenario asks for it: the link may be a role, and the strength may depend on the robot.
struct PushRequest {
  enum class Strength { force_n, impulse_n_s, force_per_weight };
  std::string link = "trunk";  ///< a role or a link
  Push::At at = Push::At::robot_com;
  Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
  Push::Frame frame = Push::Frame::world;
  Push::Shape shape = Push::Shape::box;
  double start_s = 0.0;
  double duration_s = 0.1;
  double ramp_s = 0.0;
  Strength strength = Strength::force_n;
  Eigen::Vector3d amount = Eigen::Vector3d::Zero();  ///< [N], [N s] or 1, as `strength` says
  std::string key;                                   ///< "events.0.push", for errors
};

/// A payload whose link may be a role.
struct PayloadRequest {
  std::string key;  ///< "events.0.payload", for errors
  Payload payload{.link = "right_hand"};
};

/// A scenario, as docs/scenarios.md describes it: read, checked, with every default filled in.
struct Scenario {
  std::string name;
  std::string about;
  std::string robot;        ///< a name, or a path to a URDF
  std::string robot_model;  ///< what the controller believes in; empty: the robot itself
  Plant plant;
  StartRequest start;
  World world;           ///< as asked for; make_start() puts supports and chair in their place
  World believed_world;  ///< as it is written in the file: `--set` and `vary` change the world, not what is believed
  ComRequest com_reference;
  PlanRequest plan;
  HandForces hand_forces;
  ControllerRequest controller;
  SensorSuite::Settings sensors;
  std::string payload_link;  ///< a role or a link whose payload is estimated; empty: none is
  std::vector<PushRequest> pushes;
  std::vector<FrictionChange> friction_changes;
  std::vector<ContactLoss> contact_losses;
  std::vector<SensorFault> sensor_faults;
  std::vector<PayloadRequest> payloads;
  double duration_s = 0.0;
  std::int64_t seed = 1;
  std::vector<Check> checks;         ///< of one run
  std::vector<Check> checks_of_all;  ///< on what only many runs have: success_ratio, com_error_max_m_p90, push_limit_n
  std::vector<VaryRange> vary;       ///< for `--repeat`
  std::optional<SearchRequest> search;

  std::string text;                ///< the YAML that is run: the file's own text, or what overrides made of it
  YamlNode yaml;                   ///< the same as a tree
  std::filesystem::path folder;    ///< from which relative paths in it count
  std::vector<std::string> notes;  ///< what a reader of the result should know

  /// Where a value stands, "file:line:column" or "--set ..."; for a default, where the file begins.
  Place place(std::string_view key) const;
};

/// Reads a scenario: a name from `aplomb list`, or a path to a YAML file. Throws FileError with line, column and the
/// nearest valid key, UnknownName when there is no such scenario.
Scenario load_scenario(std::string_view name_or_path, std::span<const Override> overrides = {});

/// The same for a text in memory; `source` is what errors call it. Relative paths in it count from `folder`.
Scenario parse_scenario(std::string_view text, std::string_view source, std::span<const Override> overrides = {},
                        const std::filesystem::path& folder = {});

/// One run of many: the scenario with other values under some keys, and without `vary`, `search` and the checks that
/// judge many runs. What is wrong with a value is reported as "--set KEY=VALUE", which repeats that run alone.
Scenario with_values(const Scenario& scenario, std::span<const Override> changes);

}  // namespace aplomb
