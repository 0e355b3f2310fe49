#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/settings/schema.hpp"

namespace aplomb {

/// Typed view of a YAML value that `require_valid` has accepted; a key that is not in the file has the schema's
/// default. Points into the tree and the schema, which must outlive it. A key or type that the schema does not have is
/// a programming error: std::logic_error.
class YamlView {
 public:
  YamlView(const YamlNode& node, const Schema& schema) : node_(&node), schema_(&schema) {}

  bool has(std::string_view key) const;             ///< is the key written in the file?
  YamlView operator[](std::string_view key) const;  ///< of a map; the default when it is absent
  Place place() const;                              ///< where it is written; no place for a default

  const std::string& text() const;
  double number() const;
  std::int64_t integer() const;
  bool boolean() const;
  std::vector<double> numbers() const;
  Eigen::Vector3d vector3() const;
  bool is_list() const { return node_ != nullptr && node_->kind == YamlNode::Kind::list; }
  bool is_map() const { return node_ != nullptr && node_->kind == YamlNode::Kind::map; }
  MetricValue value() const;  ///< of Type::value

  std::vector<YamlView> items() const;  ///< of a list; none when it is absent
  /// Of a map of free names, in the file's order, without its fixed keys.
  std::vector<std::pair<std::string, YamlView>> named() const;
  std::map<std::string, double> named_numbers() const;

 private:
  YamlView(const YamlNode* node, const Schema* schema) : node_(node), schema_(schema) {}
  const YamlNode& node() const;

  const YamlNode* node_;  ///< nullptr: absent, and without a default
  const Schema* schema_;
};

}  // namespace aplomb
