#include "aplomb/report/plot.hpp"

#include <cctype>

namespace aplomb {
namespace {

std::string id_of_title(const std::string& title) {
  std::string id;
  for (const char letter : title) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (id.ends_with('_')) id.pop_back();
  return id.empty() ? "figure" : id;
}

}  // namespace

std::string plot_id(const LinePlot& plot) { return plot.id.empty() ? id_of_title(plot.title) : plot.id; }

std::string plot_id(const PlanePlot& plot) { return plot.id.empty() ? id_of_title(plot.title) : plot.id; }

}  // namespace aplomb
