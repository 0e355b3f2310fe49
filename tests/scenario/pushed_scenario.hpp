#pragma once

namespace aplomb::test {

/// Coman, pushed as the run may vary it: some of the runs pass, some do not.
inline constexpr const char* kPushedScenario = R"(scenario: pushed
robot: coman
duration_s: 0.12
events: [{push: {magnitude_n: 60, start_s: 0.02}}]
vary: {world.floor.friction: [0.1, 0.9], events.0.push.magnitude_n: [0, 400]}
checks: [{metric: fell, equals: false}, {metric: com_error_max_m, below: 0.02}, {metric: success_ratio, above: 0.1}]
)";

}  // namespace aplomb::test
