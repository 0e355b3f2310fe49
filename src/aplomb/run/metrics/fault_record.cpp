#include "aplomb/run/metrics/fault_record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aplomb {
namespace {

std::string name_of(const SensorFault& fault) {
  constexpr const char* kKinds[] = {"lost", "frozen", "nan", "bias"};
  const std::string channel = fault.channel ? fmt::format("_{}", *fault.channel) : "";
  return fmt::format("{}{}_{}", kSensorNames[static_cast<std::size_t>(fault.sensor)], channel,
                     kKinds[static_cast<int>(fault.kind)]);
}

std::string text_without_fallback(const SensorFault& fault, double end_s) {
  if (end_s < fault.start_s) return fmt::format("not reached: the run ended at {:.4g} s", end_s);
  const bool is_visible = fault.kind == SensorFault::Kind::lost || fault.kind == SensorFault::Kind::nan;
  return is_visible ? "no fallback was taken" : "no fallback was taken: one reading does not show this fault";
}

}  // namespace

FaultRecord::FaultRecord(const std::vector<SensorFault>& faults) : faults_(faults) { entries_.reserve(32); }

std::optional<std::size_t> FaultRecord::cause_of(Sensor sensor, double time_s) const {
  std::optional<std::size_t> cause;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const SensorFault& fault = faults_[i];
    if (fault.sensor != sensor || time_s < fault.start_s) continue;
    // A fault that is over may still have a fallback; one that is present comes first.
    const bool is_present = time_s < fault.start_s + fault.duration_s;
    if (!cause || is_present) cause = i;
  }
  return cause;
}

void FaultRecord::add(double time_s, std::span<const Fallback> taken) {
  for (const Fallback& fallback : taken) {
    const std::optional<std::size_t> cause = cause_of(fallback.sensor, time_s);
    const auto is_same = [&](const Entry& entry) {
      return entry.fault == cause && entry.fallback.sensor == fallback.sensor &&
             entry.fallback.action == fallback.action;
    };
    auto found = std::ranges::find_if(entries_, is_same);
    if (found == entries_.end()) {
      entries_.push_back({.fault = cause, .fallback = fallback, .first_s = time_s});
      found = entries_.end() - 1;
    }
    ++found->ticks;
  }
}

std::vector<Fault> FaultRecord::finish(double end_s) const {
  const auto text_of = [](const Entry& entry) {
    return fmt::format("{} (from {:.4g} s, {} ticks)", entry.fallback.action, entry.first_s, entry.ticks);
  };
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    std::string fallback;
    for (const Entry& entry : entries_) {
      if (entry.fault != i) continue;
      fallback += (fallback.empty() ? "" : "; ") + text_of(entry);
    }
    if (fallback.empty()) fallback = text_without_fallback(faults_[i], end_s);
    faults.push_back({.name = name_of(faults_[i]), .start_s = faults_[i].start_s, .fallback = std::move(fallback)});
  }
  for (const Entry& entry : entries_) {
    if (entry.fault) continue;
    const std::string_view sensor = kSensorNames[static_cast<std::size_t>(entry.fallback.sensor)];
    faults.push_back(
        {.name = fmt::format("{}_unusable", sensor), .start_s = entry.first_s, .fallback = text_of(entry)});
  }
  return faults;
}

}  // namespace aplomb
