#include "aplomb/control/contact/contact.hpp"

#include <cmath>

namespace aplomb {

void ContactPatch::fit_to(const Sole& sole, double margin_of_length, double margin_of_width, double twist_fraction) {
  const double length = sole.x_max - sole.x_min, width = sole.y_max - sole.y_min;
  half_length = (0.5 - margin_of_length) * length;
  half_width = (0.5 - margin_of_width) * width;
  twist_radius = twist_fraction * std::sqrt(length * width);
}

}  // namespace aplomb
