#pragma once

#include <Eigen/Geometry>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tinyxml2 {
class XMLElement;
}

namespace aplomb {

/// An XML element together with the file and the link or joint that it belongs to, so that every error names
/// its place and its subject. Numbers are read strictly: the whole attribute, finite, in the right count.
class UrdfElement {
 public:
  /// `owner` is how errors name it, as "link 'torso'"; all three must outlive this object and those made from it.
  UrdfElement(const tinyxml2::XMLElement& xml, const std::string& file, const std::string& owner)
      : xml_(&xml), file_(&file), owner_(&owner) {}

  std::string tag() const;
  int line() const;
  [[noreturn]] void refuse(std::string_view why) const;  ///< FileError "file:line: owner: why"

  std::optional<UrdfElement> child(const char* tag) const;  ///< refuses a second one
  UrdfElement required_child(const char* tag) const;
  std::vector<UrdfElement> children() const;
  UrdfElement owned_by(const std::string& owner) const { return {*xml_, *file_, owner}; }

  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;                 ///< refuses an absent or empty one
  std::string name(const char* attribute) const;                 ///< the same, printable and of a sensible length
  double number(const char* attribute) const;                    ///< refuses an absent one
  double number_or(const char* attribute, double absent) const;  ///< `absent` when there is no such attribute
  double quantity(const char* attribute) const;                  ///< a number of at most 1e9 (kg, m, kg m²)
  Eigen::Vector3d vector(const char* attribute) const;           ///< three quantities
  Eigen::Isometry3d pose() const;                                ///< of its <origin>; identity without one

  /// Refuses an attribute that is not known but close to one that is, and the same for the elements inside.
  void check_spelling(std::initializer_list<std::string_view> attributes,
                      std::initializer_list<std::string_view> elements) const;

 private:
  const tinyxml2::XMLElement* xml_;
  const std::string* file_;
  const std::string* owner_;
};

/// A text of the file as an error may show it: short, without control characters.
std::string shown(std::string_view text);

/// Whether `name` looks like a misspelling of `known`: one letter wrong, or two in a long name.
bool is_misspelling(std::string_view name, std::string_view known);

}  // namespace aplomb
