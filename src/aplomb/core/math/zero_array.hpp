#pragma once

#include <array>
#include <cstddef>

namespace aplomb {

/// Vectors or matrices that are zero. `std::array<Eigen::Vector3d, 2> a{}` has what happens to be in memory.
template <typename Zeroed, std::size_t N>
std::array<Zeroed, N> zero_array() {
  std::array<Zeroed, N> all;
  all.fill(Zeroed::Zero());
  return all;
}

}  // namespace aplomb
