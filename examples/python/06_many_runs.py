"""Many runs of one scenario, each with a seed and a floor of its own, as a table."""

import aplomb

values = {"vary.world.floor.friction": [0.2, 0.9], "duration_s": 1.0}
many = aplomb.repeat("stand_coman", 8, values, progress=lambda done: print(f"{done:.0%}", end=" "))
print(f"\n{many.metrics['success_ratio']:.0%} of {len(many)} runs pass")
worst = many.log["com_error_max_m"].argmax()
print(f"the worst is run {many.log['run'][worst]:.0f}, with friction {many.log['vary.world.floor.friction'][worst]:.2f}")
raise SystemExit(0 if many.metrics["success_ratio"] == 1.0 else 1)
