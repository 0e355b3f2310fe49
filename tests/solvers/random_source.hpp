#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace aplomb::test {

/// Numbers that are the same with every compiler and library, and cheap to seed (splitmix64, Steele et al. 2014).
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}

  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int integer(int low, int high) { return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1)); }
  bool chance(int one_in) { return integer(1, one_in) == 1; }
  /// Box and Muller's way, one of the two numbers.
  double normal() { return std::sqrt(-2.0 * std::log(1.0 - uniform())) * std::cos(2.0 * M_PI * uniform()); }
  double power_of_ten(int low, int high) { return std::pow(10.0, integer(low, high)); }

  template <typename Dense>
  void fill(Dense& entries) {
    for (Eigen::Index i = 0; i < entries.size(); ++i) entries.data()[i] = normal();
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

/// `few` in an ordinary run, `many` when APLOMB_LONG_TESTS is set, as `make check-all` does.
inline int count_by_patience(int few, int many) { return std::getenv("APLOMB_LONG_TESTS") != nullptr ? many : few; }

}  // namespace aplomb::test
