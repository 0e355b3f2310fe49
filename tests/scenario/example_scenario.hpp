#pragma once

namespace aplomb::test {

/// A scenario that uses every key that there is.
inline constexpr const char* kExampleScenario = R"(scenario: balance_push_forward
about: A push of 12 N s at the CoM, both feet on the floor.
robot: balancer
robot_model: balancer
start:
  posture: half_sitting
  joint_offset_rad: {left_knee: 0.01, right_knee: -0.01}
world: {floor: {friction: 0.7}}
controller: {kind: joint_pd, gain_scale: 2, joint_pd: {}}
events:
  - push: {link: trunk, at: com, force_n: [120, 0, 0], start_s: 1.0, duration_s: 0.1}
  - push: {link: head, at: [0, 0.1, 0.2], frame: link, shape: half_sine, impulse_n_s: [0, 3, 0], start_s: 2}
  - push: {force_per_weight: [0, 0, -0.1]}
  - push: {magnitude_n: 50, direction_deg: 90, start_s: 3}
duration_s: 6
seed: 3
checks:
  - {metric: fell, equals: false}
  - {metric: com_error_max_m, below: 0.012}
  - {metric: cop_margin_min_m, above: 0}
  - {metric: fell_at_s, equals: null}
)";

}  // namespace aplomb::test
