// The parameter section of a C3D file, bytes to records and back. A record is
//   length of its name (negative: locked), number of its group (negative: this is the group itself), name,
//   distance from here to the next record (0: the last one),
//   [parameters only: type, count of sizes, sizes, data,] length of the description, description.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <map>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/c3d/c3d_parameters.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kFirstRecord = 4;  ///< after two unused bytes, the count of blocks and the processor

int signed_byte(char byte) {
  const int value = static_cast<unsigned char>(byte);
  return value < 128 ? value : value - 256;
}

/// One walk through the section; `at` never goes back, and never beyond the end.
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

  /// What is wrong with the record; empty when nothing is.
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
      num_bytes = std::min(num_bytes * parameter.sizes.back(), section_.size() + 1);  // no overflow
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

  /// A parameter may come before its group.
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

/// One record; its link is set as if another one followed.
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
