#pragma once

#include <Eigen/Core>
#include <any>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/run/start.hpp"
#include "aplomb/scenario/overrides.hpp"
#include "aplomb/sim/drive_errors.hpp"
#include "aplomb/sim/sensors.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// How the simulated robot differs from what planner and controller believe.
struct Plant {
  double mass_scale = 1.0;                        ///< factor on every link's mass and inertia
  std::map<std::string, double> link_mass_scale;  ///< further factor on one link or role
  Place link_mass_place;                          ///< where that is written
  double torque_limit_scale = 1.0;
  double drive_delay_s = 0.0;  ///< from command to drive, rounded to control ticks
  DriveErrors drive_errors;

  bool changes_robot() const { return mass_scale != 1.0 || !link_mass_scale.empty() || torque_limit_scale != 1.0; }
};

/// A task of `controller.tasks` as it is written: links may be roles, lengths may be in heights of the CoM.
struct TaskRequest {
  TaskSpec spec;
  bool is_radius_per_com_height = false, is_point_per_com_height = false;
  std::string key;  ///< "controller.tasks.0", for errors
  Place place;
};

/// The block `controller` of a scenario.
struct ControllerRequest {
  std::string kind = "joint_pd";             ///< one of controller_kinds()
  double gain_scale = 1.0;                   ///< factor for the controller's feedback gains
  bool has_failsafe = true;                  ///< the failsafe ladder is around it
  std::map<std::string, std::any> settings;  ///< the block of every kind, by its name
  std::vector<TaskRequest> tasks;
};

/// One line of `vary`: every run of `--repeat` draws the key's value from this range, all values being equally likely.
struct VaryRange {
  std::string key;          ///< "world.floor.friction", "events.0.push.magnitude_n"
  double low = 0.0;         ///< in the key's unit
  double high = 0.0;        ///< not below `low`
  bool is_integer = false;  ///< drawn among low, low + 1, ..., high
  std::string unit;         ///< of the key; empty: none
};

/// A scenario's `search`: which value is looked for, and where.
struct SearchRequest {
  std::string key;              ///< "events.0.push.magnitude_n"
  std::string unit;             ///< of the key; empty: none
  double low = 0.0;             ///< in the key's unit
  double step = 0.0;            ///< > 0
  std::int64_t last_index = 0;  ///< the values are low + i step, i from 0 to this
  std::string direction_key;    ///< "events.0.push.direction_deg"; empty: one search, in no particular direction
  std::vector<double> directions_deg;

  double value(std::int64_t index) const;  ///< low + index step, without the digits that rounding adds
  bool is_push() const;                    ///< whether what is searched is a push's `magnitude_n`
  std::size_t num_searches() const { return direction_key.empty() ? 1 : directions_deg.size(); }
};

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
