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
  /// `owner` is its name in errors, e.g. "link 'torso'"; all three must outlive this object and its children.
  UrdfElement(const tinyxml2::XMLElement& xml, const std::string& file, const std::string& owner)
      : xml_(&xml), file_(&file), owner_(&owner) {}

  std::string tag() const;
  int line() const;
  [[noreturn]] void refuse(std::string_view why) const;  ///< FileError "file:line: owner: why"

  std::optional<UrdfElement> child(const char* tag) const;  ///< refuses a second one of this tag
  UrdfElement required_child(const char* tag) const;
  std::vector<UrdfElement> children() const;
  UrdfElement owned_by(const std::string& owner) const { return {*xml_, *file_, owner}; }

  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;                 ///< refuses an absent or empty one
  std::string name(const char* attribute) const;                 ///< as text(); must be printable and of limited length
  double number(const char* attribute) const;                    ///< refuses an absent one
  double number_or(const char* attribute, double absent) const;  ///< `absent` when there is no such attribute
  double quantity(const char* attribute) const;                  ///< a number of at most 1e9 (kg, m, kg m²)
  Eigen::Vector3d vector(const char* attribute) const;           ///< three quantities
  Eigen::Isometry3d pose() const;                                ///< pose of its <origin>; identity without one

  /// Refuses an unknown attribute or child element whose name is close to a known one.
  void check_spelling(std::initializer_list<std::string_view> attributes,
                      std::initializer_list<std::string_view> elements) const;

 private:
  const tinyxml2::XMLElement* xml_;
  const std::string* file_;
  const std::string* owner_;
};

/// Text of the file for display in an error: shortened, without control characters.
std::string shown(std::string_view text);

/// Whether `name` looks like a misspelling of `known`: one letter wrong, or two in a long name.
bool is_misspelling(std::string_view name, std::string_view known);

}  // namespace aplomb
