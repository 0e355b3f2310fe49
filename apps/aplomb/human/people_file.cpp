#include "human/people_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

const Schema& people_schema() {
  static const Schema whole = schema::map(
      "", "people and their trials",
      {schema::list(
           "people", "one entry for each person",
           schema::map("", "one person",
                       {schema::text("name", "of the person's folder and rows").required(),
                        schema::number("mass_kg", "stated body mass; force plates take precedence")
                            .in("kg")
                            .at_least(2.0)
                            .at_most(400.0)
                            .when_absent("70 until plates tell"),
                        schema::number("height_m", "stated body height")
                            .in("m")
                            .at_least(0.4)
                            .at_most(2.6)
                            .when_absent("from the markers"),
                        schema::choice("sex", {"F", "M"}, "selects the mean segment masses").defaults_to("M"),
                        schema::text("static", "static trial: the person stands still").when_absent("none"),
                        schema::text("markers", "marker set of one's own").when_absent("the built-in ones"),
                        schema::list("trials", "recordings; several share one mass distribution",
                                     schema::map("", "one trial",
                                                 {schema::text("markers", "the recording").required(),
                                                  schema::text("forces", "its force plates, when in another file")
                                                      .when_absent("those of the recording")}))
                            .required()}))
           .required()});
  return whole;
}

bool is_folder_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\\n\t") == std::string::npos;
}

}  // namespace

bool is_people_file(const std::vector<std::string>& trials) {
  if (trials.size() != 1) return false;
  const std::filesystem::path extension = std::filesystem::path(trials.front()).extension();
  return extension == ".yaml" || extension == ".yml";
}

std::vector<PersonFiles> read_people(const std::filesystem::path& file) {
  const YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  require_valid(yaml, people_schema());
  const YamlView root(yaml, people_schema());
  const auto beside = [&](const YamlView& path) { return file.parent_path() / path.text(); };
  std::vector<PersonFiles> people;
  std::set<std::string> taken;
  for (const YamlView& entry : root["people"].items()) {
    PersonFiles person{.name = entry["name"].text()};
    const Place place = entry["name"].place();
    if (!is_folder_name(person.name)) {
      throw FileError(
          place,
          fmt::format("'{}' is a folder's name below --out: without slashes, not beginning with a dot", person.name));
    }
    if (!taken.insert(person.name).second) {
      throw FileError(place, fmt::format("two people are named '{}'; each needs a name of its own", person.name));
    }
    if (entry.has("mass_kg")) person.subject.mass = entry["mass_kg"].number();
    if (entry.has("height_m")) person.subject.height = entry["height_m"].number();
    if (entry.has("static")) person.subject.still = beside(entry["static"]).string();
    if (entry.has("markers")) person.subject.markers = beside(entry["markers"]).string();
    person.subject.sex_text = entry["sex"].text();
    for (const YamlView& trial : entry["trials"].items()) {
      person.trials.push_back({beside(trial["markers"]), std::nullopt});
      if (trial.has("forces")) person.trials.back().forces = beside(trial["forces"]);
    }
    if (person.trials.empty()) {
      throw FileError(place, fmt::format("'{}' has no trials; name at least one recording", person.name));
    }
    people.push_back(std::move(person));
  }
  if (people.empty()) throw FileError({file.string()}, "names no people; `people:` lists at least one");
  return people;
}

}  // namespace aplomb
