#include "aplomb/motion/trajectory.hpp"

#include <algorithm>
#include <string_view>

namespace aplomb {

bool ContactPlan::acts(std::string_view name, double time_s) const {
  return std::ranges::any_of(contacts, [&](const Contact& contact) {
    return contact.name == name && time_s >= contact.start_s && time_s < contact.end_s;
  });
}

}  // namespace aplomb
