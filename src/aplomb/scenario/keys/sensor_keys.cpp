#include "aplomb/scenario/keys/sensor_keys.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

std::vector<std::string> sensor_names() { return {kSensorNames.begin(), kSensorNames.end()}; }

}  // namespace

Schema sensors_schema() {
  const Schema errors = schema::map(
      "", "how this sensor errs, in the units of its readings",
      {schema::number("noise", "standard deviation, independent each tick").at_least(0).at_most(1e4).defaults_to("0"),
       schema::number("bias", "constant, of every channel").at_least(-1e4).at_most(1e4).defaults_to("0"),
       schema::number("delay_s", "rounded to control ticks of 1 ms").in("s").at_least(0).at_most(1).defaults_to("0"),
       schema::number("quantisation", "readings are multiples of this").at_least(0).at_most(1e4).defaults_to("0"),
       schema::number("dropout", "probability that a tick's reading is lost and the last one stands")
           .at_least(0)
           .at_most(1)
           .defaults_to("0")});
  return schema::named("sensors", "how what the controller is told differs from the truth, by sensor", errors)
      .with_names(sensor_names());
}

SensorSuite::Settings read_sensors(const YamlView& view) {
  SensorSuite::Settings settings;
  for (const auto& [name, sensor] : view.named()) {
    const auto index = static_cast<std::size_t>(std::ranges::find(kSensorNames, name) - kSensorNames.begin());
    settings[index] = {.noise = sensor["noise"].number(),
                       .bias = sensor["bias"].number(),
                       .delay_s = sensor["delay_s"].number(),
                       .quantisation = sensor["quantisation"].number(),
                       .dropout = sensor["dropout"].number()};
  }
  return settings;
}

Schema sensor_fault_schema() {
  return schema::map(
      "sensor_fault", "a sensor breaks for a while",
      {schema::choice("sensor", sensor_names(), "which one").required(),
       schema::choice("kind", {"lost", "frozen", "nan", "bias"},
                      "does not answer, repeats its last reading, says not-a-number, or is off by `bias`")
           .required(),
       schema::number("bias", "of every channel, in the units of its readings")
           .at_least(-1e4)
           .at_most(1e4)
           .defaults_to("0"),
       schema::integer("channel", "only this one of its values, counted from 0; lost, it reads zero and nobody is told")
           .at_least(0)
           .at_most(1000)
           .when_absent("all of them"),
       schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600).defaults_to("0"),
       schema::number("duration_s", "how long it lasts").in("s").above(0).at_most(3600).when_absent("until the end")});
}

SensorFault read_sensor_fault(const YamlView& view) {
  static const std::vector<std::string> kinds = {"lost", "frozen", "nan", "bias"};  // as SensorFault::Kind
  SensorFault fault;
  fault.sensor = static_cast<Sensor>(std::ranges::find(kSensorNames, view["sensor"].text()) - kSensorNames.begin());
  fault.kind = static_cast<SensorFault::Kind>(std::ranges::find(kinds, view["kind"].text()) - kinds.begin());
  if (fault.kind == SensorFault::Kind::bias && !view.has("bias")) {
    throw FileError(view.place(), "a sensor_fault of kind bias needs the key bias: by how much it is off");
  }
  if (fault.kind != SensorFault::Kind::bias && view.has("bias")) {
    throw FileError(view["bias"].place(), "the key bias goes with kind: bias");
  }
  fault.bias = view["bias"].number();
  if (view.has("channel")) fault.channel = static_cast<int>(view["channel"].integer());
  fault.start_s = view["start_s"].number();
  if (view.has("duration_s")) fault.duration_s = view["duration_s"].number();
  return fault;
}

}  // namespace aplomb
