#include "run/shared_planner.hpp"

namespace aplomb {

RisePlanner*& shared_planner() {
  static RisePlanner* planner = nullptr;
  return planner;
}

}  // namespace aplomb
