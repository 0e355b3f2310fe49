#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aplomb {

struct BenchCase {
  std::string name;
  std::function<void()> call;  ///< the work to be timed, once
};

/// All that `aplomb bench` times. Each case owns what it needs.
std::vector<BenchCase> bench_cases();

}  // namespace aplomb
