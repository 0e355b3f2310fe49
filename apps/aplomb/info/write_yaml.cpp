#include "info/write_yaml.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/robot/guess/guess.hpp"
#include "aplomb/robot/package_path.hpp"
#include "aplomb/robot/robot_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

/// The URDF of a robot of `aplomb list`, or the given file.
fs::path urdf_of(const std::string& robot) {
  const std::vector<std::string> names = robot_names();
  return std::ranges::find(names, robot) == names.end() ? fs::path(robot) : read_robot_yaml(robot_yaml(robot)).urdf;
}

void check_target(const fs::path& file) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    throw FileError({file.string()}, "already exists and is not overwritten; choose another name, or remove it first");
  }
  if (file.extension() != ".yaml" && file.extension() != ".yml") {
    throw FileError({file.string()}, "--write-yaml needs a name that ends in .yaml");
  }
}

/// Writes the file under a temporary name, checks that the robot can be loaded with it, then renames it.
void write_checked(const fs::path& file, const std::string& text, const Urdf& urdf) {
  fs::path draft = file;
  draft.replace_extension(fmt::format(".{}.tmp", ::getpid()));
  std::error_code error;
  if (file.has_parent_path() && !fs::is_directory(file.parent_path(), error)) {
    throw FileError({file.string()}, "cannot be written: its folder does not exist");
  }
  write_file(draft, text);
  try {
    const RobotModel readable(urdf, read_robot_yaml(draft));
    fs::create_hard_link(draft, file, error);  // fails when the file has appeared meanwhile
    if (error && error != std::errc::file_exists) fs::rename(draft, file, error);
  } catch (const Error&) {
    fs::remove(draft, error);
    throw;
  }
  std::error_code ignored;
  fs::remove(draft, ignored);
  if (error) throw FileError({file.string()}, "cannot be written: " + error.message());
}

/// Advice on how to use the file; a scenario finds it beside the URDF.
std::string next_step(const fs::path& file, const fs::path& urdf) {
  std::error_code error;
  const fs::path expected = fs::path(urdf).replace_extension(".yaml");
  if (fs::weakly_canonical(file, error) == fs::weakly_canonical(expected, error)) {
    return fmt::format("Use the robot in a scenario with `robot: {}`.", urdf.string());
  }
  return fmt::format("Use the robot in a scenario with `robot: {}`; one that names the URDF looks for {} beside it.",
                     file.has_parent_path() ? file.string() : "./" + file.string(), expected.filename().string());
}

std::string guess_text(const Guess& guess, const fs::path& file, const fs::path& urdf) {
  std::string text = fmt::format("{} written. Guessed values to review:\n", file.string());
  for (const std::string& line : guess.found) text += "  " + line + "\n";
  if (!guess.missing.empty()) text += "Not determined:\n";
  for (const std::string& line : guess.missing) text += "  " + line + "\n";
  return text + next_step(file, urdf) + "\n";
}

}  // namespace

int write_yaml_command(const std::string& robot, const fs::path& file, bool json) {
  check_target(file);
  const Urdf urdf = read_robot_file(urdf_of(robot));
  const std::vector<fs::path> roots = package_roots();
  Guess guess = guess_description(urdf, roots);
  guess.description.urdf = urdf_as_named_in(file, urdf.file, roots);
  write_checked(file, guess_yaml(guess), urdf);
  if (json) {
    const nlohmann::ordered_json document = {
        {"file", file.string()}, {"guessed", guess.found}, {"not_found", guess.missing}};
    print(document.dump(2) + "\n");
  } else {
    print(guess_text(guess, file, urdf.file));
  }
  return kSuccess;
}

}  // namespace aplomb
