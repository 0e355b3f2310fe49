#include "person.hpp"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/present/scene/human_scene.hpp"
#include "aplomb/recording/recording.hpp"
#include "aplomb/recording/trial_recording.hpp"
#include "bindings.hpp"

namespace aplomb::python {

AnalysedPerson::AnalysedPerson(TrialAnalysis analysis)
    : DescribedOutcome(describe(analysis, analysis.scaling ? &*analysis.scaling : nullptr)),
      analysis_(std::move(analysis)),
      trial_(analysis_.trial()) {}

ReportPage AnalysedPerson::page() const {
  ReportPage page = output_.page;
  page.scene = make_human_scene(analysis_, output_.log);
  return page;
}

namespace {

struct HeldRecording {
  std::shared_ptr<const TrialRecording> trial;
  const Points* points() const { return trial->motion.points(); }
};

HeldRecording hold(TrialRecording trial) { return {std::make_shared<const TrialRecording>(std::move(trial))}; }

HeldRecording read(const std::filesystem::path& file, const std::optional<std::filesystem::path>& forces,
                   const std::optional<std::string>& unit, const std::optional<std::string>& up) {
  RecordingOptions options;
  options.unit = unit;
  if (up) {
    options.up = parse_axis(*up);
    if (!options.up) throw InvalidValue(fmt::format("up is '{}'; valid are x, y, z, -x, -y, -z", *up));
  }
  return release_and([&] {
    TrialRecording trial{.motion = read_recording(file, options), .forces = {}};
    if (forces) add_forces(trial.motion, trial.forces.emplace(read_recording(*forces, options)), options);
    return hold(std::move(trial));
  });
}

HeldRecording make_demonstration(const std::string& style, std::uint64_t seed, double speed, double marker_noise_m) {
  return release_and([&] {
    DemonstratorOptions options{.style = style, .speed = speed};
    options.person.seed = seed;
    const DemonstratedRecording made = record(demonstrate(options), {.marker_noise_m = marker_noise_m});
    return hold({.motion = to_recording(made.c3d, fmt::format("{}.c3d", style)), .forces = {}});
  });
}

Sex sex_from(const std::string& text) {
  if (text == "male" || text == "M") return Sex::male;
  if (text == "female" || text == "F") return Sex::female;
  throw InvalidValue(fmt::format("sex is '{}'; valid are male and female", text));
}

void require_positive(const std::optional<double>& value, const char* name, const char* unit) {
  if (value && !(*value > 0.0 && std::isfinite(*value))) {
    throw InvalidValue(fmt::format("{} is {}; it must be a positive number [{}]", name, *value, unit));
  }
}

std::unique_ptr<AnalysedPerson> analyse_recording(const HeldRecording& recording, std::optional<double> mass,
                                                  std::optional<double> height, const std::string& sex,
                                                  double cutoff_hz, const HeldRecording* static_trial,
                                                  nb::object progress) {
  require_positive(mass, "mass", "kg");
  require_positive(height, "height", "m");
  Watch watch(std::move(progress), "analyse", 1.0);
  AnalysisOptions options{.mass = mass,
                          .height = height,
                          .sex = sex_from(sex),
                          .cutoff_hz = cutoff_hz,
                          .plates = &recording.trial->plates(),
                          .on_progress = watch.callback()};
  if (static_trial != nullptr) options.static_trial = static_trial->points();
  return release_and([&] { return std::make_unique<AnalysedPerson>(analyse(recording.trial->motion, options)); });
}

nb::list rises_of(const AnalysedPerson& person) {
  nb::list rises;
  for (const RiseTimes& times : person.trial().rises) {
    nb::dict rise;
    rise["seat_off_s"] = times.seat_off_s;
    rise["seat_on_s"] = std::isfinite(times.seat_on_s) ? nb::object(nb::float_(times.seat_on_s)) : nb::none();
    rise["pushes_with_hands"] = times.hands.any();
    rises.append(rise);
  }
  return rises;
}

}  // namespace

void bind_person(nb::module_& module) {
  nb::class_<HeldRecording>(module, "Recording",
                            "A laboratory recording: markers, force plates; lengths in metres, z up.")
      .def_prop_ro("file", [](const HeldRecording& self) { return self.trial->motion.file.string(); })
      .def_prop_ro("format", [](const HeldRecording& self) { return format_name(self.trial->motion.format); })
      .def_prop_ro(
          "labels",
          [](const HeldRecording& self) {
            return self.points() != nullptr ? self.points()->labels : std::vector<std::string>();
          },
          "Names of the markers.")
      .def_prop_ro(
          "rate_hz", [](const HeldRecording& self) { return self.points() != nullptr ? self.points()->rate_hz : 0.0; },
          "Of the markers; 0 without any.")
      .def_prop_ro("num_frames",
                   [](const HeldRecording& self) {
                     return self.points() != nullptr ? self.points()->num_frames : std::size_t{0};
                   })
      .def_prop_ro("notes", [](const HeldRecording& self) { return self.trial->motion.notes; })
      .def("__repr__", [](const HeldRecording& self) {
        const Points* points = self.points();
        return fmt::format("<aplomb.Recording {}: {} markers, {} frames>", self.trial->motion.file.string(),
                           points != nullptr ? points->labels.size() : 0, points != nullptr ? points->num_frames : 0);
      });
  nb::class_<AnalysedPerson, Outcome>(module, "Person",
                                      "A person's motion and centre of mass; n frames, world frame, z up.")
      .def_prop_ro(
          "com", [](nb::pointer_and_handle<AnalysedPerson> self) { return points_of(self.p->log(), "com", self.h); },
          "Centre of mass, (n, 3) [m].")
      .def_prop_ro(
          "time_s",
          [](nb::pointer_and_handle<AnalysedPerson> self) {
            const Log& log = self.p->log();
            return view(log.values().data() + log.index("time_s"), {log.num_rows()}, self.h,
                        {static_cast<std::int64_t>(log.columns().size())});
          },
          "(n,) [s].")
      .def_prop_ro(
          "q",
          [](nb::pointer_and_handle<AnalysedPerson> self) { return samples_view(self.p->trial().motion.q, self.h); },
          "Posture of the skeleton, (n, nq).")
      .def_prop_ro("rises", &rises_of, "The rises from a seat, in order: seat_off_s, seat_on_s, pushes_with_hands.",
                   nb::sig("def rises(self) -> list[dict[str, float | bool | None]]"))
      .def_prop_ro(
          "plates_verdict", [](const AnalysedPerson& self) { return self.trial().verdict; },
          "A sentence on the agreement with the force plates.")
      .def("__repr__", [](const AnalysedPerson& self) {
        return fmt::format("<aplomb.Person {}: {} frames, {} rises>", self.trial().name,
                           self.trial().motion.num_frames(), self.trial().rises.size());
      });
  module.def("read_recording", &read, nb::arg("file"), nb::arg("forces") = nb::none(), nb::arg("unit") = nb::none(),
             nb::arg("up") = nb::none(),
             "Reads a recording: C3D, TRC, MOT, BVH, CSV.\n\n"
             "forces: the file of the force plates, when they are not in the same one.\n"
             "unit, up: the unit of length ('mm') and the up axis ('z', '-y'); found in the file when left out.");
  module.def("demonstrate", &make_demonstration, nb::arg("style") = "natural", nb::arg("seed") = 1,
             nb::arg("speed") = 1.0, nb::arg("marker_noise_m") = 0.001,
             "A recording of the built-in synthetic person, rising from a chair in one of `aplomb.styles()`.\n\n"
             "speed: factor on the style's usual speed. marker_noise_m: standard deviation of each coordinate [m].");
  module.def(
      "styles",
      [] {
        std::vector<std::string> names;
        for (const StyleSummary& style : known_styles()) names.push_back(style.name);
        return names;
      },
      "Styles of the synthetic person.");
  module.def("analyse", &analyse_recording, nb::arg("recording"), nb::kw_only(), nb::arg("mass") = nb::none(),
             nb::arg("height") = nb::none(), nb::arg("sex") = "male", nb::arg("cutoff_hz") = 4.0,
             nb::arg("static_trial") = nb::none(), nb::arg("progress") = nb::none(),
             "A person's motion and centre of mass from markers and, where there are any, force plates.\n\n"
             "mass: stated mass [kg]; force plates overrule it. height: [m], else from the markers.\n"
             "sex: 'male' or 'female', the mean mass distribution to begin with.\n"
             "cutoff_hz: of the zero-phase low-pass of motion and plates [Hz].\n"
             "static_trial: a recording of quiet standing, for a more accurate scaling.\n"
             "progress: None a bar on a terminal, False nothing, or a function of the fraction done.");
}

}  // namespace aplomb::python
