#include "aplomb/scenario/keys/sensor_keys.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"

namespace aplomb {
namespace {

std::vector<std::string> sensor_names() { return {kSensorNames.begin(), kSensorNames.end()}; }

Sensor sensor_named(const std::string& name) {
  return static_cast<Sensor>(std::ranges::find(kSensorNames, name) - kSensorNames.begin());
}

const SettingsOf<SensorSettings>& error_keys() {
  using Errors = SensorSettings;
  static const auto keys =
      SettingsOf<Errors>()
          .add(&Errors::noise,
               schema::number("noise", "standard deviation, independent each tick").at_least(0).at_most(1e4))
          .add(&Errors::bias, schema::number("bias", "constant offset of every channel").at_least(-1e4).at_most(1e4))
          .add(&Errors::delay_s,
               schema::number("delay_s", "rounded to control ticks of 1 ms").in("s").at_least(0).at_most(1))
          .add(&Errors::quantisation,
               schema::number("quantisation", "readings are multiples of this").at_least(0).at_most(1e4))
          .add(&Errors::dropout,
               schema::number("dropout", "probability that a tick's reading is lost and the last one is repeated")
                   .at_least(0)
                   .at_most(1))
          .add(&Errors::bias_spread,
               schema::number("bias_spread", "standard deviation of a constant offset, drawn for each channel")
                   .at_least(0)
                   .at_most(1e4))
          .add(&Errors::bias_walk, schema::number("bias_walk", "random walk of each channel's offset, after one second")
                                       .at_least(0)
                                       .at_most(1e4))
          .add(&Errors::drift_per_s,
               schema::number("drift_per_s", "growth of each channel's offset in a second, with a drawn sign")
                   .at_least(0)
                   .at_most(1e4))
          .add(&Errors::jitter_s,
               schema::number("jitter_s", "each reading is later by up to this").in("s").at_least(0).at_most(1))
          .add(&Errors::misalignment_rad,
               schema::number("misalignment_rad",
                              "of a three-axis sensor: standard deviation of each angle of its mounting")
                   .in("rad")
                   .at_least(0)
                   .at_most(1))
          .add(&Errors::moment_lever_m,
               schema::number("moment_lever_m", "of a wrench: errors of the moments over those of the forces")
                   .in("m")
                   .at_least(0)
                   .at_most(10))
          .add(&Errors::rate_cutoff_hz,
               schema::number("rate_cutoff_hz",
                              "of joint_velocity: differentiated from joint_position readings, with a "
                              "first-order low-pass of this; 0: measured")
                   .in("Hz")
                   .at_least(0)
                   .at_most(500))
          .add(&Errors::is_fitted, schema::boolean("fitted", "false: the robot lacks this sensor"));
  return keys;
}

const SettingsOf<SensorFault>& fault_keys() {
  using Fault = SensorFault;
  using Kind = SensorFault::Kind;
  static const auto keys =
      SettingsOf<Fault>()
          .add(schema::choice("sensor", sensor_names(), "the sensor that fails").required(),
               [](const YamlView& view, Fault& fault) { fault.sensor = sensor_named(view.text()); })
          .add(&Fault::kind,
               schema::choice("kind", {"lost", "frozen", "nan", "bias"},
                              "does not answer, repeats its last reading, reads not-a-number, or is off by `bias`")
                   .required(),
               {Kind::lost, Kind::frozen, Kind::nan, Kind::bias})
          .add(&Fault::bias, schema::number("bias", "offset of every channel, in the units of its readings")
                                 .at_least(-1e4)
                                 .at_most(1e4))
          .add(&Fault::channel,
               schema::integer("channel", "only this channel, counted from 0; a lost one reads zero, unreported")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent("all of them"))
          .add(&Fault::start_s, schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600))
          .add(&Fault::duration_s,
               schema::number("duration_s", "duration").in("s").above(0).at_most(3600).when_absent("until the end"));
  return keys;
}

}  // namespace

Schema sensors_schema() {
  return schema::named("sensors", "errors of the readings that the controller gets, by sensor",
                       error_keys().schema("",
                                           "errors of this sensor, in the units of its readings; absent keys: as in "
                                           "the profile"))
      .with_names(sensor_names())
      .with_keys({schema::choice("profile", {"ideal", "laboratory"},
                                 "errors of all sensors that are not named: none, or those of docs/simulation.md")
                      .defaults_to("ideal")});
}

SensorSuite::Settings read_sensors(const YamlView& view) {
  const bool is_laboratory = view["profile"].text() == "laboratory";
  SensorSuite::Settings settings = is_laboratory ? SensorSuite::laboratory() : SensorSuite::Settings{};
  for (const auto& [name, sensor] : view.named()) {
    SensorSettings& errors = settings[static_cast<std::size_t>(sensor_named(name))];
    errors = error_keys().read(sensor, errors);
  }
  return settings;
}

Schema sensor_fault_schema() { return fault_keys().schema("sensor_fault", "a sensor fails for a limited time"); }

SensorFault read_sensor_fault(const YamlView& view) {
  const SensorFault fault = fault_keys().read(view);
  if (fault.kind == SensorFault::Kind::bias && !view.has("bias")) {
    throw FileError(view.place(), "a sensor_fault of kind bias needs the key bias, its offset");
  }
  if (fault.kind != SensorFault::Kind::bias && view.has("bias")) {
    throw FileError(view["bias"].place(), "the key bias requires kind: bias");
  }
  return fault;
}

}  // namespace aplomb
