#include "aplomb/robot/urdf/urdf_xml.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kLargestQuantity = 1e9;  // larger values are unit errors, and their products could overflow
constexpr std::size_t kLongestName = 200;

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t end = 0; true;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n", end);
    if (begin == std::string_view::npos) return words;
    end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
  }
}

double to_number(const UrdfElement& element, const char* attribute, std::string_view word) {
  const std::string where = fmt::format("<{}> {}", element.tag(), attribute);
  if (word.find("${") != std::string_view::npos) {
    element.refuse(fmt::format("{} is \"{}\": run xacro first (`xacro in.xacro > out.urdf`)", where, shown(word)));
  }
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);  // from_chars accepts no plus sign
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::result_out_of_range) {
    element.refuse(fmt::format("{} is \"{}\", beyond what a number can hold", where, shown(word)));
  }
  const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
  if (!is_whole || digits.starts_with('-') != word.starts_with('-')) {
    element.refuse(fmt::format("{} is \"{}\", which is not a number; valid are 1, -0.5, 1e-3", where, shown(word)));
  }
  if (!std::isfinite(number)) element.refuse(fmt::format("{} is \"{}\"; it must be finite", where, shown(word)));
  return number;
}

std::vector<double> to_numbers(const UrdfElement& element, const char* attribute, std::size_t count) {
  const std::string text = element.text(attribute);
  const std::vector<std::string_view> words = split(text);
  if (words.size() != count) {
    const char* hint = text.find(',') != std::string::npos ? " separated by spaces, without commas" : "";
    element.refuse(fmt::format("<{}> {} is \"{}\": {} words; it takes {} numbers{}", element.tag(), attribute,
                               shown(text), words.size(), count, hint));
  }
  std::vector<double> numbers;
  for (const std::string_view word : words) numbers.push_back(to_number(element, attribute, word));
  for (const double number : numbers) {
    if (std::abs(number) > kLargestQuantity) {
      element.refuse(fmt::format("<{}> {} is {}; at most {:g} (SI units) is allowed", element.tag(), attribute, number,
                                 kLargestQuantity));
    }
  }
  return numbers;
}

Eigen::Quaterniond orientation(const UrdfElement& origin) {
  if (origin.has("quat_xyzw")) {
    if (origin.has("rpy")) origin.refuse("<origin> has both rpy and quat_xyzw; keep one");
    const std::vector<double> q = to_numbers(origin, "quat_xyzw", 4);
    const Eigen::Quaterniond quaternion(q[3], q[0], q[1], q[2]);
    if (quaternion.norm() < 1e-6) origin.refuse("<origin> quat_xyzw is zero, which is no rotation");
    return quaternion.normalized();
  }
  const Eigen::Vector3d rpy = origin.has("rpy") ? origin.vector("rpy") : Eigen::Vector3d::Zero();
  // Roll, pitch, yaw about the parent's fixed x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll).
  return Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX());
}

/// Edit distance in which a swap of two neighbours counts once (optimal string alignment).
std::size_t typing_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

/// The member of `known` that `name` misspells; empty when `name` is known, or similar to none.
std::string_view meant(std::string_view name, std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, name) != known.end()) return {};
  const auto* found = std::ranges::find_if(known, [name](auto word) { return is_misspelling(name, word); });
  return found != known.end() ? *found : std::string_view{};
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out(text.substr(0, kLongest));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text.size() > kLongest ? out + "..." : out;
}

bool is_misspelling(std::string_view name, std::string_view known) {
  constexpr std::size_t kLongWord = 5;
  const std::size_t allowed = known.size() >= kLongWord ? 2 : 1;
  if (name.size() > known.size() + allowed || name.size() + allowed < known.size()) return false;
  return typing_distance(name, known) <= allowed;
}

std::string UrdfElement::tag() const { return shown(xml_->Name()); }
int UrdfElement::line() const { return xml_->GetLineNum(); }

void UrdfElement::refuse(std::string_view why) const {
  throw FileError({*file_, line()}, fmt::format("{}: {}", *owner_, why));
}

std::optional<UrdfElement> UrdfElement::child(const char* tag) const {
  const tinyxml2::XMLElement* first = xml_->FirstChildElement(tag);
  if (first == nullptr) return std::nullopt;
  if (const tinyxml2::XMLElement* second = first->NextSiblingElement(tag)) {
    UrdfElement(*second, *file_, *owner_)
        .refuse(fmt::format("a second <{}>; the first is on line {}; keep one", tag, first->GetLineNum()));
  }
  return UrdfElement(*first, *file_, *owner_);
}

UrdfElement UrdfElement::required_child(const char* tag_name) const {
  const std::optional<UrdfElement> found = child(tag_name);
  if (!found) refuse(fmt::format("<{}> has no <{}>", tag(), tag_name));
  return *found;
}

std::vector<UrdfElement> UrdfElement::children() const {
  std::vector<UrdfElement> found;
  for (auto* element = xml_->FirstChildElement(); element != nullptr; element = element->NextSiblingElement()) {
    found.emplace_back(*element, *file_, *owner_);
  }
  return found;
}

bool UrdfElement::has(const char* attribute) const { return xml_->FindAttribute(attribute) != nullptr; }

std::string UrdfElement::text(const char* attribute) const {
  const tinyxml2::XMLAttribute* found = xml_->FindAttribute(attribute);
  if (found == nullptr) refuse(fmt::format("<{}> has no attribute '{}'", tag(), attribute));
  if (split(found->Value()).empty()) refuse(fmt::format("<{}> has an empty attribute '{}'", tag(), attribute));
  return found->Value();
}

std::string UrdfElement::name(const char* attribute) const {
  std::string value = text(attribute);
  if (value.size() > kLongestName) {
    refuse(fmt::format("<{}> {} is {} bytes long; at most {}", tag(), attribute, value.size(), kLongestName));
  }
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      refuse(fmt::format("<{}> {} \"{}\" has a control character", tag(), attribute, shown(value)));
    }
  }
  return value;
}

double UrdfElement::number(const char* attribute) const {
  const std::string value = text(attribute);
  const std::vector<std::string_view> words = split(value);
  if (words.size() != 1) {
    refuse(fmt::format("<{}> {} is \"{}\"; it takes one number", tag(), attribute, shown(value)));
  }
  return to_number(*this, attribute, words.front());
}

double UrdfElement::number_or(const char* attribute, double absent) const {
  return has(attribute) ? number(attribute) : absent;
}

double UrdfElement::quantity(const char* attribute) const { return to_numbers(*this, attribute, 1).front(); }

Eigen::Vector3d UrdfElement::vector(const char* attribute) const {
  return Eigen::Vector3d(to_numbers(*this, attribute, 3).data());
}

Eigen::Isometry3d UrdfElement::pose() const {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  if (const std::optional<UrdfElement> origin = child("origin")) {
    origin->check_spelling({"xyz", "rpy", "quat_xyzw"}, {});
    if (origin->has("xyz")) T.translation() = origin->vector("xyz");
    T.linear() = orientation(*origin).toRotationMatrix();
  }
  return T;
}

void UrdfElement::check_spelling(std::initializer_list<std::string_view> attributes,
                                 std::initializer_list<std::string_view> elements) const {
  for (const auto* attribute = xml_->FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
    if (const std::string_view word = meant(attribute->Name(), attributes); !word.empty()) {
      refuse(fmt::format("unknown attribute '{}' of <{}>; closest is '{}'", shown(attribute->Name()), tag(), word));
    }
  }
  for (const UrdfElement& element : children()) {
    const std::string name = element.tag();
    if (const std::string_view word = meant(name, elements); !word.empty()) {
      element.refuse(fmt::format("unknown element <{}> in <{}>; closest is <{}>", name, tag(), word));
    }
  }
}

}  // namespace aplomb
