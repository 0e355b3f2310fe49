"""What the calls return: the same as the program, in Python's types."""

import inspect
import json
import tempfile
import unittest
from pathlib import Path

import aplomb
import numpy as np


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = aplomb.run("stand_coman", {"duration_s": 0.5}, progress=False)

    def test_metrics_checks_and_verdict_are_those_of_metrics_json(self):
        written = json.loads(self.run_.to_json())
        self.assertEqual(self.run_.metrics, written["metrics"])
        self.assertEqual(self.run_.verdict, written["verdict"])
        self.assertEqual([check["ok"] for check in self.run_.checks], [check["ok"] for check in written["checks"]])
        self.assertIs(self.run_.passed, True)
        self.assertIn("stand_coman", self.run_.table())

    def test_values_of_numpy_and_paths_are_taken(self):
        run = aplomb.run("stand_coman", {"duration_s": np.float64(0.5), "seed": np.int64(1)}, progress=False)
        self.assertEqual(run.metrics, self.run_.metrics)

    def test_a_folder_and_a_report_are_written_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run"
            self.run_.save(out)
            self.assertEqual(json.loads((out / "metrics.json").read_text()), json.loads(self.run_.to_json()))
            with np.load(out / "log.npz") as log:
                np.testing.assert_array_equal(log["com_x_m"], self.run_.log["com_x_m"])
            self.run_.report(Path(folder) / "report.html")
            self.assertIn("<html", (Path(folder) / "report.html").read_text()[:200])
            with self.assertRaises(aplomb.Error):
                self.run_.report(Path(folder) / "nowhere" / "report.html")
            (out / "mine.txt").write_text("mine")
            with self.assertRaises(aplomb.Error):
                self.run_.save(out)  # never over other files
            self.assertEqual((out / "mine.txt").read_text(), "mine")

    def test_a_notebook_shows_table_and_replay(self):
        shown = self.run_._repr_html_()
        self.assertIn("<iframe", shown)
        self.assertIn("com_error_max_m", shown)
        self.assertNotIn("<script", shown)  # only inside the frame, escaped
        self.assertIn("coman", aplomb.Robot("coman")._repr_html_())

    def test_everything_public_says_what_it_is(self):
        for name in aplomb.__all__:
            value = getattr(aplomb, name)
            self.assertTrue(inspect.getdoc(value), name)
            if not inspect.isclass(value) or issubclass(value, Exception):
                continue
            for member, attribute in vars(value).items():
                if not member.startswith("_") and callable(attribute):
                    self.assertTrue(inspect.getdoc(attribute) or member in ("step",), f"{name}.{member}")


class SixCalls(unittest.TestCase):
    def test_a_persons_rise_becomes_a_robots(self):
        person = aplomb.analyse(aplomb.demonstrate("natural"), progress=False)
        self.assertEqual(person.com.shape, (len(person.time_s), 3))
        self.assertEqual(person.q.shape[0], len(person.com))
        self.assertEqual(person.verdict, "pass")
        self.assertEqual(len(person.rises), 1)
        robot = aplomb.Robot("sarcos_real")
        postures = aplomb.measure_postures(robot, progress=False)
        believed = aplomb.identify(postures, robot.cad)
        self.assertLess(abs(believed.mass - robot.mass), 0.02 * robot.mass)
        self.assertGreater(abs(robot.cad.mass - robot.mass), 0.1 * robot.mass)
        again = aplomb.identify(aplomb.Postures.from_columns(postures.columns), robot.cad)
        self.assertEqual(again.mass, believed.mass)
        plan = aplomb.retarget(person, believed)
        self.assertEqual(plan.q.shape, (len(plan), robot.nq))
        self.assertEqual(plan.com.shape, (len(plan), 3))
        self.assertEqual(plan.zmp.shape, (len(plan), 2))
        np.testing.assert_allclose(believed.terms(plan.q[10]).com, plan.com[10], atol=1e-6)
        with tempfile.TemporaryDirectory() as folder:
            plan.save(Path(folder) / "rise.npz")
            with np.load(Path(folder) / "rise.npz") as table:
                np.testing.assert_array_equal(table["com_z_m"], plan.com[:, 2])
            plan.save(Path(folder) / "plan")
            np.testing.assert_allclose(aplomb.load_plan(Path(folder) / "plan").q, plan.q, atol=1e-6)
        rise = aplomb.stand_up(robot, believed, plan, progress=False)
        self.assertTrue(rise.metrics["stood_up"])
        self.assertEqual(rise.robot.name, "sarcos_real")
        with self.assertRaisesRegex(aplomb.InvalidValue, "the plan was made for"):
            aplomb.stand_up(aplomb.Robot("coman"), aplomb.Robot("coman"), plan)


if __name__ == "__main__":
    unittest.main()
