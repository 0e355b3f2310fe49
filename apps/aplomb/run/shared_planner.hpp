#pragma once

namespace aplomb {

class RisePlanner;

/// The planner that single runs of this process share, set by the worker of a batch; nullptr: each run has its own.
RisePlanner*& shared_planner();

}  // namespace aplomb
