"""Controllers: of Python in our loop, ours in a loop of Python's."""

import gc
import unittest

import aplomb
import numpy as np

SHORT = {"duration_s": 0.3}


class Springs(aplomb.Controller):
    def __init__(self, context):
        super().__init__(context)
        self.command.stiffness[:] = 20.0 * self.robot.mass
        self.command.damping[:] = self.robot.mass
        self.command.position = self.start_q[7:]
        self.signals = {"my_time_s": -1.0}

    def step(self, readings):
        self.signals["my_time_s"] = readings.time_s
        return self.command


class OfPython(unittest.TestCase):
    def test_it_runs_in_a_scenario_and_its_signals_are_in_the_log(self):
        run = aplomb.run("stand_coman", SHORT, controller=Springs, progress=False)
        self.assertFalse(run.metrics["fell"])
        self.assertEqual(run.signals, ["my_time_s"])
        np.testing.assert_allclose(run.log["my_time_s"], run.log["time_s"] - 1e-3, atol=1e-9)

    def test_it_is_compared_and_repeated_like_the_others(self):
        both = aplomb.compare("stand_coman", [Springs, "joint_pd"], SHORT, progress=False)
        self.assertEqual(list(both.runs), ["python", "joint_pd"])
        self.assertEqual(len(aplomb.repeat("stand_coman", 3, SHORT, controller=Springs, jobs=2, progress=False)), 3)

    def test_a_torque_per_joint_is_a_command(self):
        class Limp(aplomb.Controller):
            def step(self, readings):
                return np.zeros(len(self.robot.joints))

        limp = aplomb.run("stand_coman", {"duration_s": 1.0}, controller=Limp, progress=False)
        self.assertLess(limp.log["com_z_m"][-1], 0.8 * limp.log["com_z_m"][0])

    def test_an_exception_reaches_the_caller_as_it_is(self):
        class Failing(aplomb.Controller):
            def step(self, readings):
                raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            aplomb.run("stand_coman", SHORT, controller=Failing, progress=False)

    def test_a_wrong_command_is_an_invalid_value(self):
        for answer in [None, [0.0], "torque", np.full(23, np.nan), aplomb.Command(aplomb.Robot("sarcos"))]:
            class Wrong(aplomb.Controller):
                def step(self, readings):
                    return answer

            with self.assertRaises(aplomb.InvalidValue, msg=repr(answer)):
                aplomb.run("stand_coman", SHORT, controller=Wrong, progress=False)

    def test_what_a_controller_keeps_stays_valid_after_the_run(self):
        kept = []

        class Keeping(Springs):
            def step(self, readings):
                kept.append((readings, readings.q, readings.foot_wrench, self.context.robot))
                return super().step(readings)

        aplomb.run("stand_coman", SHORT, controller=Keeping, progress=False)
        gc.collect()
        readings, q, wrench, robot = kept[-1]
        self.assertAlmostEqual(robot.mass, aplomb.Robot("coman").mass)
        self.assertTrue(np.isfinite(q).all() and np.isfinite(wrench).all())
        self.assertEqual(q.ctypes.data, readings.q.ctypes.data)


class OfOurs(unittest.TestCase):
    def test_stepped_from_python_it_does_what_it_does_in_our_loop(self):
        values = {"duration_s": 0.5}
        run = aplomb.run("balance_push_forward", values, progress=False)
        simulation = aplomb.simulate("balance_push_forward", values)
        controller = simulation.controller()
        path = []
        for _ in run.log["time_s"]:
            simulation.step(controller.step(simulation.read()))
            path.append(simulation.q[7:])
        name = f"position_{simulation.robot.joints[0]}_rad"
        np.testing.assert_allclose(np.array(path)[:, 0], run.log[name], atol=1e-12)

    def test_without_a_controller_the_robot_falls(self):
        simulation = aplomb.simulate("stand_coman")
        command, height = aplomb.Command(simulation.robot), simulation.q[2]
        for _ in range(1000):
            simulation.step(command)
        self.assertLess(simulation.q[2], 0.8 * height)
        simulation.reset()
        self.assertAlmostEqual(simulation.q[2], height, places=9)

    def test_a_controller_outlives_what_it_was_made_from(self):
        simulation = aplomb.simulate("stand_coman")
        controller, readings = simulation.controller(), simulation.read()
        del simulation
        gc.collect()
        self.assertEqual(controller.step(readings).status, "solved")


if __name__ == "__main__":
    unittest.main()
