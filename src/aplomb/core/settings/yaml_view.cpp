#include "aplomb/core/settings/yaml_view.hpp"

#include <stdexcept>

namespace aplomb {
namespace {

template <typename Value>
Value expect(const std::optional<Value>& value, const Schema& schema) {
  if (!value) throw std::logic_error("'" + schema.key + "' is read as what its schema does not say");
  return *value;
}

}  // namespace

const YamlNode& YamlView::node() const {
  if (node_ == nullptr) throw std::logic_error("'" + schema_->key + "' is absent and has no default");
  return *node_;
}

bool YamlView::has(std::string_view key) const { return node_ != nullptr && node_->find(key) != nullptr; }

YamlView YamlView::operator[](std::string_view key) const {
  const Schema* child = schema_->child(key);
  if (child == nullptr) throw std::logic_error("the schema has no key '" + std::string(key) + "'");
  const YamlNode* written = node_ == nullptr ? nullptr : node_->find(key);
  return {written != nullptr ? written : child->default_value.get(), child};
}

Place YamlView::place() const { return node_ == nullptr ? Place{} : node_->origin.place(); }

const std::string& YamlView::text() const { return node().text; }
double YamlView::number() const { return expect(node().number(), *schema_); }
std::int64_t YamlView::integer() const { return expect(node().integer(), *schema_); }
bool YamlView::boolean() const { return expect(node().boolean(), *schema_); }

std::vector<double> YamlView::numbers() const {
  std::vector<double> values;
  for (const YamlNode& item : node().items) values.push_back(expect(item.number(), *schema_));
  return values;
}

Eigen::Vector3d YamlView::vector3() const {
  const std::vector<double> values = numbers();
  if (values.size() != 3) throw std::logic_error("'" + schema_->key + "' is not a list of 3 numbers");
  return {values[0], values[1], values[2]};
}

MetricValue YamlView::value() const {
  if (node().kind == YamlNode::Kind::null) return std::monostate{};
  if (is_list()) return numbers();
  if (const auto flag = node().boolean()) return *flag;
  if (const auto count = node().integer()) return *count;
  if (const auto number = node().number()) return *number;
  return node().text;
}

std::vector<YamlView> YamlView::items() const {
  std::vector<YamlView> views;
  if (node_ == nullptr) return views;
  for (const YamlNode& item : node_->items) views.emplace_back(item, schema_->children.at(0));
  return views;
}

std::vector<std::pair<std::string, YamlView>> YamlView::named() const {
  std::vector<std::pair<std::string, YamlView>> views;
  if (node_ == nullptr) return views;
  for (const YamlEntry& entry : node_->entries) {
    const Schema& value = schema_->value_of(entry.key);
    if (&value == &schema_->children.front()) views.emplace_back(entry.key, YamlView(entry.value, value));
  }
  return views;
}

std::map<std::string, double> YamlView::named_numbers() const {
  std::map<std::string, double> values;
  for (const auto& [name, view] : named()) values[name] = view.number();
  return values;
}

}  // namespace aplomb
