#pragma once

#include <array>
#include <cstddef>

namespace aplomb {

/// Array of zero vectors or matrices. `std::array<Eigen::Vector3d, 2> a{}` would be uninitialised.
template <typename Zeroed, std::size_t N>
std::array<Zeroed, N> zero_array() {
  std::array<Zeroed, N> all;
  all.fill(Zeroed::Zero());
  return all;
}

}  // namespace aplomb
