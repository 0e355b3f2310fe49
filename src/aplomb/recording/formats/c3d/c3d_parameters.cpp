#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/formats/c3d/c3d_numbers.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

std::size_t width(C3dParameter::Type type) { return static_cast<std::size_t>(std::abs(static_cast<int>(type))); }

template <typename Value>
void append_bytes(std::string& bytes, Value value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  bytes.append(raw.data(), raw.size());
}

std::string continued(std::string_view name, int part) {
  return part == 1 ? std::string(name) : fmt::format("{}{}", name, part);
}

// The parameter section of a C3D file, bytes to records and back. A record is
//   length of its name (negative: locked), number of its group (negative: this is the group itself), name,
//   distance from here to the next record (0: the last one),
//   [parameters only: type, count of sizes, sizes, data,] length of the description, description.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kFirstRecord = 4;  ///< after two unused bytes, the count of blocks and the processor

int signed_byte(char byte) {
  const int value = static_cast<unsigned char>(byte);
  return value < 128 ? value : value - 256;
}

/// Reads the section in one pass, strictly forwards and never beyond its end.
class SectionReader {
 public:
  SectionReader(std::string_view section, Processor processor, std::vector<std::string>& notes)
      : section_(section), processor_(processor), notes_(notes) {}

  C3dParameters read() {
    std::size_t at = kFirstRecord;
    while (at + 2 <= section_.size()) {
      const int name_length = std::abs(signed_byte(section_[at]));
      const int id = signed_byte(section_[at + 1]);
      const std::size_t link = at + 2 + static_cast<std::size_t>(name_length);
      if (name_length == 0 || id == 0) break;
      if (link + 2 > section_.size()) {
        notes_.emplace_back("the parameter section ends inside of a name");
        break;
      }
      const std::string name = clean_label(section_.substr(at + 2, link - at - 2));
      const std::size_t distance = word_at(processor_, &section_[link]);
      const std::size_t stop = distance == 0 ? section_.size() : std::min(section_.size(), link + distance);
      const std::string_view body = stop > link + 2 ? section_.substr(link + 2, stop - link - 2) : std::string_view();
      id < 0 ? read_group(-id, name, body) : read_parameter(id, name, body);
      if (distance == 0) break;
      at = link + distance;
    }
    return assemble();
  }

 private:
  struct Member {
    int group = 0;
    C3dParameter parameter;
  };

  static std::string description(std::string_view body) {
    if (body.empty()) return {};
    return clean_label(body.substr(1, static_cast<unsigned char>(body[0])));
  }

  void read_group(int id, const std::string& name, std::string_view body) {
    names_.try_emplace(id, C3dGroup{.name = name, .description = description(body)});
    order_.push_back(id);
  }

  void read_parameter(int id, const std::string& name, std::string_view body) {
    C3dParameter parameter{.name = name};
    if (const std::string fault = fill(parameter, body); !fault.empty()) {
      if (notes_.size() < 20) notes_.push_back(fmt::format("parameter {} is left out: {}", name, fault));
      return;
    }
    members_.push_back({id, std::move(parameter)});
  }

  /// Decodes a parameter's record. Returns what is wrong with it; empty when nothing is.
  std::string fill(C3dParameter& parameter, std::string_view body) const {
    if (body.size() < 2) return "it is cut off";
    const int type = signed_byte(body[0]);
    if (type != -1 && type != 1 && type != 2 && type != 4) return fmt::format("its type is {}, valid: -1 1 2 4", type);
    parameter.type = static_cast<C3dParameter::Type>(type);
    const std::size_t num_sizes = static_cast<unsigned char>(body[1]);
    if (body.size() < 2 + num_sizes) return "it is cut off";
    std::size_t num_bytes = static_cast<std::size_t>(std::abs(type));
    for (std::size_t i = 0; i < num_sizes; ++i) {
      parameter.sizes.push_back(static_cast<unsigned char>(body[2 + i]));
      num_bytes = std::min(num_bytes * parameter.sizes.back(), section_.size() + 1);  // capped against overflow
    }
    const std::string_view data = body.substr(2 + num_sizes);
    if (num_bytes > data.size()) return fmt::format("its sizes ask for {} bytes, it has {}", num_bytes, data.size());
    parameter.bytes = data.substr(0, num_bytes);
    parameter.description = description(data.substr(num_bytes));
    to_intel(parameter);
    return {};
  }

  void to_intel(C3dParameter& parameter) const {
    char* at = parameter.bytes.data();
    for (std::size_t i = 0; parameter.type == C3dParameter::Type::integer && i + 2 <= parameter.bytes.size(); i += 2) {
      const std::uint16_t word = word_at(processor_, at + i);
      std::memcpy(at + i, &word, sizeof(word));
    }
    for (std::size_t i = 0; parameter.type == C3dParameter::Type::real && i + 4 <= parameter.bytes.size(); i += 4) {
      const float real = real_at(processor_, at + i);
      std::memcpy(at + i, &real, sizeof(real));
    }
  }

  /// Assigns the parameters to their groups; a parameter may precede its group.
  C3dParameters assemble() {
    for (Member& member : members_) {
      const auto [group, is_new] = names_.try_emplace(member.group);
      if (is_new) order_.push_back(member.group);
      group->second.parameters.push_back(std::move(member.parameter));
    }
    C3dParameters parameters;
    for (const int id : order_) {
      if (const auto found = names_.find(id); found != names_.end()) {
        parameters.groups.push_back(std::move(found->second));
        names_.erase(found);
      }
    }
    return parameters;
  }

  std::string_view section_;
  Processor processor_;
  std::vector<std::string>& notes_;
  std::map<int, C3dGroup> names_;
  std::vector<int> order_;
  std::vector<Member> members_;
};

/// Appends one record; its link is set as if another record followed.
void append_record(std::string& section, std::string_view name, int id, const std::string& body) {
  section += static_cast<char>(name.size());
  section += static_cast<char>(id);
  section += name;
  const std::size_t distance = 2 + body.size();
  if (distance > 0xFFFFU || name.size() > 127) {
    throw InvalidValue(fmt::format("parameter {} with {} bytes does not fit a C3D file", name, body.size()));
  }
  section += static_cast<char>(distance & 0xFFU);
  section += static_cast<char>(distance >> 8);
  section += body;
}

void append_description(std::string& body, std::string_view description) {
  description = description.substr(0, 255);
  body += static_cast<char>(description.size());
  body += description;
}

}  // namespace

std::size_t C3dParameter::num_numbers() const { return type == Type::text ? 0 : bytes.size() / width(type); }

double C3dParameter::number(std::size_t index) const {
  const char* at = bytes.data() + index * width(type);
  if (type == Type::byte) return static_cast<signed char>(*at);
  if (type == Type::integer) return static_cast<std::int16_t>(word_at<Processor::intel>(at));
  return static_cast<double>(real_at<Processor::intel>(at));
}

std::optional<double> C3dParameter::find_number(std::size_t index) const {
  if (index >= num_numbers()) return std::nullopt;
  const double value = number(index);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> C3dParameter::find_count(std::size_t index) const {
  std::optional<double> value = find_number(index);
  if (!value) return std::nullopt;
  if (type == Type::byte && *value < 0.0) *value += 256.0;
  if (type == Type::integer && *value < 0.0) *value += 65536.0;
  if (*value < 0.0 || *value > 1e15) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

std::size_t C3dParameter::num_texts() const {
  if (type != Type::text || bytes.empty()) return 0;
  return sizes.empty() ? 1 : bytes.size() / sizes[0];
}

std::string C3dParameter::text(std::size_t index) const {
  const std::size_t length = sizes.empty() ? 1 : sizes[0];
  const std::string_view padded = std::string_view(bytes).substr(index * length, length);
  return clean_label(padded.substr(0, padded.find('\0')));
}

C3dParameter C3dParameter::of_texts(std::string name, const std::vector<std::string>& texts) {
  C3dParameter parameter{.name = std::move(name), .type = Type::text};
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  if (length > 255 || texts.size() > 255) {
    throw InvalidValue(fmt::format("a text of {} letters does not fit a C3D file, which holds 255", length));
  }
  for (const std::string& text : texts) parameter.bytes += text + std::string(length - text.size(), ' ');
  parameter.sizes = {length, texts.size()};
  return parameter;
}

C3dParameter C3dParameter::of_reals(std::string name, const std::vector<double>& values,
                                    std::vector<std::size_t> sizes) {
  C3dParameter parameter{.name = std::move(name), .type = Type::real, .sizes = std::move(sizes)};
  for (const double value : values) append_bytes(parameter.bytes, static_cast<float>(value));
  return parameter;
}

C3dParameter C3dParameter::of_words(std::string name, const std::vector<std::uint16_t>& values) {
  C3dParameter parameter{.name = std::move(name), .type = Type::integer, .sizes = {values.size()}};
  for (const std::uint16_t value : values) append_bytes(parameter.bytes, value);
  return parameter;
}

C3dParameter C3dParameter::scalar(std::string name, double value) { return of_reals(std::move(name), {value}, {}); }

C3dParameter C3dParameter::scalar_word(std::string name, std::uint16_t value) {
  C3dParameter parameter = of_words(std::move(name), {value});
  parameter.sizes.clear();
  return parameter;
}

const C3dParameter* C3dGroup::find(std::string_view parameter) const {
  const auto found = std::ranges::find_if(parameters, [&](auto& other) { return same_word(other.name, parameter); });
  return found != parameters.end() ? &*found : nullptr;
}

void C3dGroup::set(C3dParameter parameter) {
  std::erase_if(parameters, [&](auto& other) { return same_word(other.name, parameter.name); });
  parameters.push_back(std::move(parameter));
}

const C3dParameter* C3dParameters::find(std::string_view group, std::string_view parameter) const {
  for (const C3dGroup& candidate : groups) {
    if (!same_word(candidate.name, group)) continue;
    if (const C3dParameter* found = candidate.find(parameter)) return found;
  }
  return nullptr;
}

C3dGroup& C3dParameters::group(std::string_view name) {
  for (C3dGroup& candidate : groups) {
    if (same_word(candidate.name, name)) return candidate;
  }
  groups.push_back({.name = std::string(name)});
  return groups.back();
}

std::optional<double> C3dParameters::number(std::string_view group, std::string_view parameter,
                                            std::size_t index) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr ? found->find_number(index) : std::nullopt;
}

std::optional<std::size_t> C3dParameters::count(std::string_view group, std::string_view parameter,
                                                std::size_t index) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr ? found->find_count(index) : std::nullopt;
}

std::string C3dParameters::text(std::string_view group, std::string_view parameter) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr && found->num_texts() > 0 ? found->text(0) : std::string();
}

std::vector<std::string> C3dParameters::texts(std::string_view group, std::string_view name, std::size_t limit) const {
  std::vector<std::string> all;
  for (int part = 1; all.size() < limit; ++part) {
    const C3dParameter* found = find(group, continued(name, part));
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->num_texts() && all.size() < limit; ++i) all.push_back(found->text(i));
  }
  return all;
}

std::vector<double> C3dParameters::numbers(std::string_view group, std::string_view name, std::size_t limit,
                                           bool is_unsigned) const {
  std::vector<double> all;
  for (int part = 1; all.size() < limit; ++part) {
    const C3dParameter* found = find(group, continued(name, part));
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->num_numbers() && all.size() < limit; ++i) {
      const double value = found->number(i);
      const bool wraps = is_unsigned && value < 0.0 && found->type == C3dParameter::Type::integer;
      all.push_back(wraps ? value + 65536.0 : value);
    }
  }
  return all;
}

C3dParameters C3dParameters::parse(std::string_view section, Processor processor, std::vector<std::string>& notes) {
  return SectionReader(section, processor, notes).read();
}

std::string C3dParameters::serialise() const {
  std::string section(kFirstRecord, '\0');
  if (groups.size() > 127)
    throw InvalidValue(fmt::format("{} groups do not fit a C3D file, which holds 127", groups.size()));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::string body;
    append_description(body, groups[i].description);
    const int id = static_cast<int>(i) + 1;
    append_record(section, groups[i].name.empty() ? "_" : groups[i].name, -id, body);
    for (const C3dParameter& parameter : groups[i].parameters) {
      body = {static_cast<char>(parameter.type), static_cast<char>(parameter.sizes.size())};
      for (const std::size_t size : parameter.sizes) body += static_cast<char>(size);
      body += parameter.bytes;
      append_description(body, parameter.description);
      append_record(section, parameter.name.empty() ? "_" : parameter.name, id, body);
    }
  }
  section.append(2, '\0');  // a name of length 0 ends the section
  const std::size_t num_blocks = (section.size() + kBlock - 1) / kBlock;
  if (num_blocks > 255) {
    throw InvalidValue(fmt::format("parameters of {} blocks do not fit a C3D file, which holds 255", num_blocks));
  }
  section.resize(num_blocks * kBlock, '\0');
  section[0] = 1;
  section[1] = 0x50;
  section[2] = static_cast<char>(num_blocks);
  section[3] = static_cast<char>(Processor::intel);
  return section;
}

}  // namespace aplomb
