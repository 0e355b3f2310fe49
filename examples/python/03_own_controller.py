"""A controller written in Python, in a scenario: springs and dampers at all joints, compared with one of aplomb's."""

import aplomb


class Springs(aplomb.Controller):
    def __init__(self, context):
        super().__init__(context)
        self.command.stiffness[:] = 20.0 * self.robot.mass  # [N m/rad]
        self.command.damping[:] = 1.0 * self.robot.mass  # [N m s/rad]
        self.command.position = self.start_q[7:]
        self.signals = {"hold_error_max_rad": 0.0}  # a column of the log

    def step(self, readings):
        self.signals["hold_error_max_rad"] = abs(readings.q[7:] - self.start_q[7:]).max()
        return self.command


run = aplomb.run("stand_coman", {"duration_s": 2.0}, controller=Springs)
print(run, "largest joint error:", run.log["hold_error_max_rad"].max(), "rad")
both = aplomb.compare("stand_coman", [Springs, "joint_pd"], {"duration_s": 2.0})
for name in ["python", "joint_pd"]:
    print(f"{name}: CoM error {1e3 * both.metrics[name + '.com_error_max_m']:.2f} mm")
raise SystemExit(0 if not run.metrics["fell"] else 1)
