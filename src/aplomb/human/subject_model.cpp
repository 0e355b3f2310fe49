#include "aplomb/human/subject_model.hpp"

#include <fmt/format.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 4 << 20;

std::string list(const Eigen::Vector3d& v) {
  return fmt::format("[{}, {}, {}]", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

Schema triple(std::string_view key, std::string_view about) {
  return schema::numbers(key, 3, about).at_least(-10.0).at_most(10.0).required();
}

const Schema& subject_schema() {
  static const Schema whole = schema::map(
      "", "a subject",
      {schema::choice("skeleton", {"47", "155"}, "number of coordinates").required(),
       schema::choice("sex", {"female", "male"}, "whose mean body gave the masses").required(),
       schema::number("mass_kg", "of the body").above(0.0).at_most(1000.0).required(),
       schema::named(
           "segments", "by name",
           schema::map("", "one segment",
                       {triple("joint_m", "its joint in the parent's frame"),
                        triple("scale", "against the generic body, by axis"),
                        schema::number("mass_kg", "of the segment").at_least(0.0).at_most(1000.0).required(),
                        triple("com_m", "in its frame"),
                        schema::numbers("inertia_kg_m2", 6, "xx, xy, xz, yy, yz, zz about the CoM").required()}))
           .required(),
       schema::list(
           "markers", "on the skin",
           schema::map("", "one marker",
                       {schema::text("label", "in recordings").required(),
                        schema::text("landmark", "place on the body").defaults_to("''"),
                        schema::text("segment", "that it rides on").required(), triple("offset_m", "in its frame"),
                        triple("generic_m", "where the generic body has it"),
                        schema::number("weight", "in the fit").at_least(0.0).required(),
                        schema::number("deviation_m", "of the prior").above(0.0).required()}))
           .required()});
  return whole;
}

}  // namespace

void write_subject(const SubjectModel& subject, const std::filesystem::path& file) {
  const Skeleton& skeleton = subject.skeleton;
  std::string text =
      fmt::format("skeleton: '{}'\nsex: {}\nmass_kg: {}\nsegments:\n", skeleton.size == SkeletonSize::light ? 47 : 155,
                  skeleton.sex == Sex::female ? "female" : "male", skeleton.mass);
  for (const Segment& segment : skeleton.segments) {
    const Eigen::Matrix3d& I = segment.inertia.about_com;
    text += fmt::format(
        "  {}: {{joint_m: {}, scale: {}, mass_kg: {}, com_m: {},\n    inertia_kg_m2: [{}, {}, {}, {}, {}, {}]}}\n",
        segment.name, list(segment.joint), list(segment.scale), segment.inertia.mass, list(segment.inertia.com),
        I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
  }
  text += "markers:\n";
  for (const BodyMarker& marker : subject.markers) {
    std::string label;  // in double quotes, with quotes and backslashes escaped
    for (const char letter : marker.label) {
      if (letter == '"' || letter == '\\') label.push_back('\\');
      label.push_back(letter);
    }
    text += fmt::format(
        "  - {{label: \"{}\", landmark: '{}', segment: {}, offset_m: {},\n     generic_m: {}, weight: {}, deviation_m: "
        "{}}}\n",
        label, marker.landmark, skeleton.segments[static_cast<std::size_t>(marker.segment)].name, list(marker.offset),
        list(marker.generic_offset), marker.weight, marker.deviation);
  }
  write_file(file, text);
}

SubjectModel read_subject(const std::filesystem::path& file) {
  const YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  require_valid(yaml, subject_schema());
  const YamlView root(yaml, subject_schema());
  const SkeletonSize size = root["skeleton"].text() == "47" ? SkeletonSize::light : SkeletonSize::full;
  const Sex sex = root["sex"].text() == "female" ? Sex::female : Sex::male;
  SubjectModel subject{.skeleton = make_skeleton(size, sex, kGenericHeight, root["mass_kg"].number())};
  std::size_t count = 0;
  for (const auto& [name, entry] : root["segments"].named()) {
    Segment& segment = subject.skeleton.segments[static_cast<std::size_t>(subject.skeleton.segment(name))];
    segment.joint = entry["joint_m"].vector3();
    segment.scale = entry["scale"].vector3();
    const std::vector<double> I = entry["inertia_kg_m2"].numbers();
    segment.inertia.mass = entry["mass_kg"].number();
    segment.inertia.com = entry["com_m"].vector3();
    segment.inertia.about_com << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    ++count;
  }
  if (count != subject.skeleton.segments.size()) {
    throw FileError({file.string()}, fmt::format("has {} of {} segments; was it written by `aplomb human`?", count,
                                                 subject.skeleton.segments.size()));
  }
  for (const YamlView& entry : root["markers"].items()) {
    subject.markers.push_back({.label = entry["label"].text(),
                               .landmark = entry["landmark"].text(),
                               .segment = subject.skeleton.segment(entry["segment"].text()),
                               .offset = entry["offset_m"].vector3(),
                               .weight = entry["weight"].number(),
                               .generic_offset = entry["generic_m"].vector3(),
                               .deviation = entry["deviation_m"].number()});
  }
  return subject;
}

}  // namespace aplomb
