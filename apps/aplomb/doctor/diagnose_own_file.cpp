#include "doctor/diagnose_own_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>

#include "aplomb/core/table/table_file.hpp"
#include "aplomb/human/marker_set.hpp"
#include "aplomb/human/phases/contact_schedule.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : "."; }

void diagnose_subject(const fs::path& file) {
  const SubjectModel subject = read_subject(file);
  print(fmt::format("{}: a subject's model that `aplomb human` wrote, no problems found\n\n", file.string()));
  print(fmt::format("skeleton    {} coordinates, {} segments, {}\n",
                    subject.skeleton.size == SkeletonSize::light ? 47 : 155, subject.skeleton.segments.size(),
                    subject.skeleton.sex == Sex::female ? "female" : "male"));
  print(fmt::format("mass        {:.2f} kg\nmarkers     {}\n", subject.skeleton.mass, subject.markers.size()));
  print(fmt::format("next        aplomb human TRIAL --model {}\n", folder_of(file).string()));
}

void diagnose_trial(const fs::path& file) {
  const HumanTrial trial = read_trial(folder_of(file));
  print(fmt::format("{}: an analysed trial of `aplomb human`, readable with the files beside it\n\n", file.string()));
  print(fmt::format("trial       {}, {} frames, cutoff {:g} Hz\n", trial.name, trial.motion.num_frames(),
                    trial.cutoff_hz));
  print(fmt::format("rises       {}\n", trial.rises.size()));
  if (!trial.verdict.empty()) print(fmt::format("plates      {}\n", trial.verdict));
  if (const std::string reason = contradiction(trial); !reason.empty()) print(fmt::format("problem     {}\n", reason));
  print(fmt::format("next        aplomb retarget {} --robot ROBOT\n", folder_of(file).string()));
}

void diagnose_contacts(const fs::path& file) {
  const MotionPlan plan = read_plan(folder_of(file));
  print(fmt::format("{}: the contacts of a motion that `aplomb retarget` planned, readable with its trajectory\n\n",
                    file.string()));
  print(fmt::format("robot       {}\nchair       {:.3f} m\n", plan.trajectory.robot, plan.contacts.chair_height_m));
  for (const auto& contact : plan.contacts.contacts) {
    print(fmt::format("contact     {} ({}), {:.3f} s ... {:.3f} s\n", to_string(contact.site), contact.link,
                      contact.start_s, contact.end_s));
  }
}

void diagnose_schedule(const fs::path& file) {
  const ContactSchedule schedule = read_contact_schedule(file);
  print(fmt::format("{}: contacts of a person over a recording, as `aplomb human` found them, no problems found\n\n",
                    file.string()));
  for (const ContactTime& contact : schedule.contacts) {
    print(fmt::format("contact     {}, {:.3f} s ... {:.3f} s\n", to_string(contact.site), contact.start_s,
                      contact.end_s));
  }
}

void diagnose_marker_set(const fs::path& file) {
  const MarkerSet set = read_marker_set(file);
  print(fmt::format("{}: marker set '{}', no problems found\n\nabout       {}\nmarkers     {}\n", file.string(),
                    set.name, set.about, set.places.size()));
  print("next        aplomb human TRIAL --markers " + file.string() + "\n");
}

/// A flat map in which at least half of the keys are segments of the person.
bool is_link_map(const YamlNode& root) {
  if (root.kind != YamlNode::Kind::map || root.entries.empty()) return false;
  const Skeleton skeleton = make_skeleton(SkeletonSize::full, Sex::female, kGenericHeight, 60.0);
  const Skeleton light = make_skeleton(SkeletonSize::light, Sex::female, kGenericHeight, 60.0);
  const auto is_segment = [&](const YamlEntry& entry) {
    const auto has = [&](const Skeleton& in) {
      return std::ranges::find(in.segments, entry.key, &Segment::name) != in.segments.end();
    };
    return has(skeleton) || has(light);
  };
  const auto is_flat = [](const YamlEntry& entry) { return entry.value.kind == YamlNode::Kind::scalar; };
  return std::ranges::all_of(root.entries, is_flat) &&
         2 * std::ranges::count_if(root.entries, is_segment) >= std::ssize(root.entries);
}

void diagnose_link_map(const fs::path& file) {
  const auto links = read_link_map(file);
  print(fmt::format("{}: a map of {} segments of the person to links of a robot\n\n", file.string(), links.size()));
  for (const auto& [segment, link] : links) print(fmt::format("{:<20}{}\n", segment, link));
  print(fmt::format("next        aplomb retarget MOTION --robot ROBOT --map {}\n", file.string()));
}

// ---- tables
// ----------------------------------------------------------------------------------------------------------

enum class TableKind { other, postures, trajectory, log };

TableKind kind_of(const std::vector<std::string>& columns) {
  const auto has = [&](std::string_view name) { return std::ranges::find(columns, name) != columns.end(); };
  const bool has_contact = std::ranges::any_of(
      columns, [](const std::string& name) { return name.ends_with("_foot_fz_n") || name == "plate_fz_n"; });
  const bool has_angles = std::ranges::any_of(columns, [](const std::string& name) { return name.ends_with("_rad"); });
  if (has("base_qw") && has("seat_share") && has("com_x_m")) return TableKind::trajectory;
  if (has("time_s") && has("com_x_m")) return TableKind::log;
  if (has_contact && has_angles) return TableKind::postures;
  return TableKind::other;
}

/// Header line of a CSV file. Only its first megabyte is looked at.
std::vector<std::string> header_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line(std::size_t{1} << 20, '\0');
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(stream.gcount()));
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    names.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

Log read_whole(const fs::path& file) {
  try {
    return read_table(file).table;
  } catch (const std::bad_alloc&) {
    throw FileError({file.string()}, "does not fit into memory");
  }
}

std::size_t num_nonfinite(const Log& table) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      count += std::isfinite(table.at(row, column)) ? 0 : 1;
    }
  }
  return count;
}

std::string rows_text(const Log& table) {
  std::string text = fmt::format("rows        {}, {} columns\n", table.num_rows(), table.columns().size());
  if (table.num_rows() > 0 && table.has("time_s")) {
    const std::size_t time = table.index("time_s");
    text += fmt::format("time        {:.3f} s ... {:.3f} s\n", table.at(0, time), table.at(table.num_rows() - 1, time));
  }
  return text;
}

void describe_postures(const fs::path& file, const Log& table) {
  std::vector<std::string> contacts;
  int num_angles = 0, num_torques = 0;
  for (const std::string& name : table.columns()) {
    if (name.ends_with("_fz_n")) {
      const std::string sensor = name.substr(0, name.size() - 5);
      contacts.push_back(sensor + (table.has(sensor + "_mx_nm") ? " (wrench)" : " (CoP)"));
    }
    if (name.ends_with("_rad")) ++num_angles;
    const bool is_moment = name.ends_with("_mx_nm") || name.ends_with("_my_nm") || name.ends_with("_mz_nm");
    if (name.ends_with("_nm") && !is_moment) ++num_torques;
  }
  print(fmt::format("{}: a posture file for `aplomb identify`\n\n{}", file.string(), rows_text(table)));
  print(fmt::format("joints      {} angles, {} torques\ncontacts    {}\n", num_angles, num_torques,
                    fmt::join(contacts, ", ")));
  if (const std::size_t count = num_nonfinite(table); count > 0) {
    print(fmt::format("problem     {} values are no finite numbers\n", count));
  }
  print(
      fmt::format("next        aplomb identify {} --robot ROBOT, which checks it against the robot\n", file.string()));
}

}  // namespace

bool diagnose_own_yaml(const fs::path& file, const YamlNode& root) {
  const auto has = [&root](const char* key) { return root.find(key) != nullptr; };
  if (root.kind != YamlNode::Kind::map) return false;
  if (has("skeleton") && has("segments")) {
    diagnose_subject(file);
  } else if (has("trial") && has("plates_agree")) {
    diagnose_trial(file);
  } else if (has("contacts") && has("robot_sha256")) {
    diagnose_contacts(file);
  } else if (has("contacts") && root.entries.size() == 1) {
    diagnose_schedule(file);
  } else if (has("marker_set")) {
    diagnose_marker_set(file);
  } else if (is_link_map(root)) {
    diagnose_link_map(file);
  } else {
    return false;
  }
  return true;
}

bool diagnose_own_table(const fs::path& file) {
  const bool is_npz = file.extension() == ".npz";
  if (!is_npz && kind_of(header_of(file)) == TableKind::other) return false;
  const Log table = read_whole(file);
  switch (kind_of(table.columns())) {
    case TableKind::postures:
      describe_postures(file, table);
      return true;
    case TableKind::trajectory:
      print(fmt::format("{}: a robot's motion that `aplomb retarget` planned\n\n{}", file.string(), rows_text(table)));
      return true;
    case TableKind::log:
      print(fmt::format("{}: the log of a run\n\n{}", file.string(), rows_text(table)));
      print(fmt::format("next        aplomb view {}\n", folder_of(file).string()));
      return true;
    case TableKind::other:
      break;
  }
  print(fmt::format("{}: a table\n\n{}", file.string(), rows_text(table)));
  return true;
}

}  // namespace aplomb
