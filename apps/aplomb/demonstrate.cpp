#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/pending_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/present/demonstrator_report.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct DemonstrateRequest {
  DemonstratorOptions options;
  RecordingFaults faults;
  std::string sex = "M";
  std::optional<std::string> out, still, truth;
  std::vector<double> plate_shift;
  bool has_rest_plates = false;
  bool json = false;
};

void require_c3d(const std::optional<std::string>& file, const char* option) {
  if (!file || std::filesystem::path(*file).extension() == ".c3d") return;
  throw InvalidValue(fmt::format("{} '{}': the output is a C3D file; use a name that ends in .c3d", option, *file));
}

void check_files(const DemonstrateRequest& request) {
  require_c3d(request.out, "--out");
  require_c3d(request.still, "--static");
  if (request.out && request.still &&
      std::filesystem::weakly_canonical(*request.out) == std::filesystem::weakly_canonical(*request.still)) {
    throw InvalidValue(fmt::format("--out and --static are the same file, '{}'; name two files", *request.out));
  }
}

void write_all(const DemonstrateRequest& request, const Demonstration& demonstration,
               const DemonstratedRecording& recording, const Result& result, std::optional<OutputFolder>& folder) {
  std::optional<PendingFile> motion, still;  // get their final names only after everything else has been written
  if (request.out) motion.emplace(*request.out).fill([&](const auto& path) { write_c3d(path, recording.c3d); });
  if (request.still) {
    still.emplace(*request.still).fill([&](const auto& path) {
      write_c3d(path, record_at_rest(demonstration, request.faults).c3d);
    });
  }
  if (folder) {
    write_into(*folder, *request.truth, [&](const std::filesystem::path& path) {
      write_truth(demonstration, recording, path);
      write_file(path / "metrics.json", to_json(result) + "\n");
    });
  }
  check_interrupt();
  if (motion) motion->require_placeable();
  if (still) still->require_placeable();
  if (motion) motion->place();
  if (still) still->place();
  if (folder) folder->commit();
}

int demonstrate_command(const DemonstrateRequest& request) {
  check_files(request);
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (request.truth) folder.emplace(*request.truth);
  const Demonstration demonstration = demonstrate(request.options);
  const DemonstratedRecording recording =
      record(demonstration, request.faults, request.has_rest_plates ? ArmRestPlates::yes : ArmRestPlates::no);
  const Result result = describe(demonstration, recording);
  write_all(request, demonstration, recording, result, folder);
  print(request.json ? to_json(result) + "\n" : summary_table(result, wants_colours(STDOUT_FILENO)));
  if (request.out) tell(fmt::format("next: aplomb human {} --out out/human\n", *request.out));
  return result.any_check_fails() ? kCheckFailed : kSuccess;
}

void add_person_options(CLI::App& verb, DemonstrateRequest& request) {
  Person& person = request.options.person;
  verb.add_option("--height", person.height_m, "body height, 1.2 to 2.2")->type_name("M")->capture_default_str();
  verb.add_option("--mass", person.mass_kg, "body mass, 30 to 200")->type_name("KG")->capture_default_str();
  verb.add_option("--sex", request.sex, "F or M: selects the mean segment masses")
      ->type_name("F/M")
      ->capture_default_str();
  verb.add_option("--seed", person.seed, "seed of body proportions, movement, marker placement and faults")
      ->type_name("N")
      ->capture_default_str();
  verb.add_option("--speed", request.options.speed, "speed relative to the style's own, 0.4 to 1.15")
      ->type_name("X")
      ->capture_default_str();
  verb.add_option("--repeats", request.options.repeats, "number of repetitions; in between the person moves back")
      ->type_name("N")
      ->capture_default_str();
}

void add_fault_options(CLI::App& verb, DemonstrateRequest& request) {
  RecordingFaults& faults = request.faults;
  verb.add_option("--marker-noise-m", faults.marker_noise_m, "standard deviation of each marker coordinate")
      ->type_name("M")
      ->capture_default_str();
  verb.add_option("--gaps", faults.gap_ratio, "fraction of marker samples lost, in gaps of 0.1 to 0.6 s")
      ->type_name("RATIO")
      ->capture_default_str();
  verb.add_option("--swaps", faults.swaps, "number of times that two labels are swapped for 0.5 s")
      ->type_name("N")
      ->capture_default_str();
  verb.add_option("--plate-shift-m", request.plate_shift,
                  "shift of the foot plate in the file, forwards and to the left")
      ->type_name("X Y")
      ->expected(2);
  verb.add_flag("--arm-rest-plates", request.has_rest_plates, "arm rests have a force plate each");
  verb.add_option("--plate-noise-n", faults.plate_noise_n, "standard deviation of each force channel")
      ->type_name("N")
      ->capture_default_str();
}

std::string style_list() {
  std::string text = "Styles\n";
  for (const StyleSummary& style : known_styles()) {
    text += fmt::format("  {:13} {}\n", style.name, style.about);
  }
  return text;
}

}  // namespace

Action add_demonstrate(CLI::App& program) {
  auto request = std::make_shared<DemonstrateRequest>();
  static const std::string footer =
      style_list() +
      "\n  aplomb demonstrate natural --out natural.c3d --static still.c3d --truth truth\n"
      "  aplomb demonstrate elderly --height 1.60 --mass 55 --sex F --seed 7 --out elderly.c3d\n"
      "  aplomb demonstrate fast --repeats 5 --marker-noise-m 0.001 --gaps 0.1 --swaps 1 --out hard.c3d\n\n"
      "A synthetic person and its recording: 41 markers (Plug-in Gait) at 100 Hz and two force plates,\n"
      "under the feet and under the chair. Ground reaction forces follow from the motion (Newton-Euler);\n"
      "after seat-off the ZMP stays inside the feet. The same seed gives the same file.\n"
      "docs/demonstrator.md explains the model and the columns of --truth.\n"
      "A file with other contents is not overwritten.\n\n"
      "Exit 0: done; 2: bad input, nothing is written.";
  CLI::App* verb =
      add_verb(program, "demonstrate", "Record a synthetic person, with its ground truth.", footer.c_str());
  verb->add_option("STYLE", request->options.style, "a style of the list below")->required();
  verb->add_option("--out", request->out, "the recording to write, .c3d")->type_name("FILE");
  verb->add_option("--static", request->still, "also write a static trial with medial markers, .c3d")
      ->type_name("FILE");
  verb->add_option("--truth", request->truth, "folder for the true CoM, forces, angles, scales and markers as CSV")
      ->type_name("DIR");
  add_person_options(*verb, *request);
  add_fault_options(*verb, *request);
  verb->add_flag("--json", request->json, "print the metrics as JSON");
  return [request] {
    const std::optional<Sex> sex = parse_sex(request->sex);
    if (!sex) throw InvalidValue(fmt::format("--sex '{}'; valid: F, M", request->sex));
    request->options.person.sex = *sex;
    if (request->plate_shift.size() == 2)
      request->faults.plate_shift = {request->plate_shift[0], request->plate_shift[1]};
    return demonstrate_command(*request);
  };
}

}  // namespace aplomb
