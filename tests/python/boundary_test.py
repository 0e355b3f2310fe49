"""Whatever Python passes in: an exception with our text, never a crash."""

import random
import unittest

import aplomb
import numpy as np


class Errors(unittest.TestCase):
    def test_an_error_has_the_text_of_the_command_line(self):
        for call, kind, text in [
            (lambda: aplomb.run("stand_comann"), aplomb.UnknownName, "closest is 'stand_coman'"),
            (lambda: aplomb.run("nowhere/x.yaml"), aplomb.FileError, "no such file"),
            (lambda: aplomb.run("stand_coman", {"world.floor.frictoin": 1}), aplomb.FileError, "closest is 'friction'"),
            (lambda: aplomb.run("stand_coman", {"duration_s": "long"}), aplomb.FileError, "duration_s"),
            (lambda: aplomb.run("stand_coman", {"duration_s": float("nan")}), aplomb.InvalidValue, "duration_s"),
            (lambda: aplomb.run("stand_coman", {"duration_s": object()}), aplomb.InvalidValue, "duration_s"),
            (lambda: aplomb.run("stand_coman", ["duration_s"]), aplomb.InvalidValue, "valid is a dict"),
            (lambda: aplomb.run("stand_coman", controller="joint_pdd"), aplomb.FileError, "closest is 'joint_pd'"),
            (lambda: aplomb.run("stand_coman", controller=3), aplomb.InvalidValue, "controller is 3"),
            (lambda: aplomb.run("stand_coman", {"controller.kind": "python"}), aplomb.InvalidValue, "registered"),
            (lambda: aplomb.run("stand_coman", progress=3), aplomb.InvalidValue, "progress"),
            (lambda: aplomb.repeat("stand_coman", 0), aplomb.InvalidValue, "runs is 0"),
            (lambda: aplomb.repeat("stand_coman", 1, jobs=0), aplomb.InvalidValue, "jobs is 0"),
            (lambda: aplomb.search("stand_coman"), aplomb.InvalidValue, "search"),
            (lambda: aplomb.compare("stand_coman", "joint_pd"), aplomb.InvalidValue, "a list"),
            (lambda: aplomb.compare("stand_coman", ["nobody"]), aplomb.UnknownName, "nobody"),
            (lambda: aplomb.Robot("nobody"), aplomb.UnknownName, "nobody"),
            (lambda: aplomb.Robot("coman").cad, aplomb.Error, "cad"),
            (lambda: aplomb.Robot("coman").posture("lying"), aplomb.UnknownName, "lying"),
            (lambda: aplomb.read_recording("none.c3d"), aplomb.FileError, "none.c3d"),
            (lambda: aplomb.demonstrate("dancing"), aplomb.UnknownName, "dancing"),
            (lambda: aplomb.demonstrate(speed=float("nan")), aplomb.InvalidValue, "speed"),
            (lambda: aplomb.load_plan("nowhere"), aplomb.FileError, "nowhere"),
            (lambda: aplomb.Postures("none.csv"), aplomb.FileError, "none.csv"),
            (lambda: aplomb.identify(aplomb.Postures.from_columns({}), aplomb.Robot("coman")), aplomb.Error, ""),
            (lambda: aplomb.Postures.from_columns({"a": [1.0, 2.0], "b": [1.0]}), aplomb.InvalidValue, "b has the shape"),
        ]:
            with self.assertRaises(kind) as raised:
                call()
            self.assertIsInstance(raised.exception, aplomb.Error)
            self.assertIn(text, str(raised.exception))

    def test_a_wrong_type_is_a_type_error(self):
        for call in [lambda: aplomb.run(3), lambda: aplomb.analyse("sts.c3d"), lambda: aplomb.retarget(None, None),
                     lambda: aplomb.stand_up(1, 2, 3), lambda: aplomb.identify({}, aplomb.Robot("coman"))]:
            self.assertRaises(TypeError, call)


class Arrays(unittest.TestCase):
    def test_a_wrong_array_is_an_invalid_value(self):
        robot = aplomb.Robot("coman")
        q = robot.posture()
        wrong = [q[:-1], np.append(q, 0.0), q.reshape(1, -1), np.zeros((0,)), np.float64(1.0), q.astype(complex), "q",
                 [1, None], [[1.0], [1.0, 2.0]], np.full(robot.nq, np.nan), np.full(robot.nq, np.inf), q.astype(str), np.zeros(robot.nq),
                 {"q": 1}, object()]
        for value in wrong:
            with self.assertRaises(aplomb.InvalidValue, msg=repr(value)[:60]):
                robot.terms(value)
        for value in wrong[1:12]:  # the first one has the size of v
            with self.assertRaises(aplomb.InvalidValue, msg=repr(value)[:60]):
                robot.terms(q, value)

    def test_readings_and_commands_of_another_robot_are_refused(self):
        controller, simulation = aplomb.make_controller("stand_coman"), aplomb.simulate("stand_coman")
        other = aplomb.Robot("sarcos")
        with self.assertRaisesRegex(aplomb.InvalidValue, "readings are of a robot"):
            controller.step(aplomb.SensorReadings(other))
        with self.assertRaisesRegex(aplomb.InvalidValue, "command is for"):
            simulation.step(aplomb.Command(other))
        command = aplomb.Command(simulation.robot)
        command.torque[0] = np.nan
        with self.assertRaisesRegex(aplomb.InvalidValue, "torque"):
            simulation.step(command)
        with self.assertRaises(aplomb.InvalidValue):
            command.position = [0.0]
        with self.assertRaises(aplomb.UnknownName):
            aplomb.SensorReadings(other).set_lost("nose", True)

    def test_random_arguments_do_not_crash(self):
        """Any object at any place: an exception or a result. A crash would end this process."""
        random.seed(1)
        robot, readings = aplomb.Robot("coman"), aplomb.SensorReadings(aplomb.Robot("coman"))
        command = aplomb.Command(robot)
        objects = [None, 0, -1, 2**70, 1.5, float("nan"), "", "coman", b"x", [], [1.0], {}, {"a": 1}, (), object(), robot,
                   readings, command, np.zeros(3), np.zeros((2, 3))[:, ::-1], np.zeros(0), np.array("x"), np.array(None),
                   lambda *a: 1, type, iter([])]
        functions = [robot.terms, robot.posture, aplomb.Robot, aplomb.SensorReadings, aplomb.Command, aplomb.load_plan,
                     aplomb.Postures, aplomb.Postures.from_columns, aplomb.read_recording, aplomb.identify, aplomb.retarget,
                     aplomb.stand_up, aplomb.analyse, aplomb.make_controller, aplomb.simulate, readings.set_lost,
                     readings.is_lost, lambda value: setattr(command, "torque", value),
                     lambda value: setattr(readings, "time_s", value), lambda value: setattr(readings, "q", value)]
        refused = 0
        for _ in range(3000):
            arguments = random.choices(objects, k=random.randint(0, 3))
            try:
                random.choice(functions)(*arguments)
            except Exception:  # noqa: BLE001  any exception is fine
                refused += 1
        self.assertGreater(refused, 1000)


if __name__ == "__main__":
    unittest.main()
