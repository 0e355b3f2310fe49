"""`aplomb identify` as its users meet it: an example made, identified, its robot used; and files that are wrong."""

import json
import unittest

import support


class Identify(support.AppTest):
    @classmethod
    def setUpClass(cls):
        cls.example = None

    def make_example(self) -> str:
        """The text of a small example; it is made once, since the postures are held in simulation."""
        if Identify.example is None:
            done = self.run_here("identify", "--make-example", "made.csv", "--robot", "sarcos_real", "--postures", 24)
            self.assertEqual(done.code, 0, done)
            Identify.example = (self.folder / "made.csv").read_text()
        self.write("postures.csv", Identify.example)
        return Identify.example

    def test_an_example_is_identified_and_its_robot_loads(self):
        self.make_example()
        done = self.run_here("identify", "postures.csv", "--robot", "sarcos_real", "--out", "out", "--json")
        self.assertEqual(done.code, 0, done)
        metrics = support.strict_json(done.out)["metrics"]
        self.assertLess(metrics["com_path_error_rms_m"], 0.25 * metrics["com_path_error_cad_rms_m"])
        self.assertLess(metrics["holdout_rms_m"], 0.3 * metrics["cad_holdout_rms_m"])
        self.assertEqual(metrics["infeasible_links"], 0)
        for name in ("identified.urdf", "identified.yaml", "metrics.json", "timing.json", "log.csv", "report.html"):
            self.assertTrue((self.folder / "out" / name).is_file(), name)
        info = self.run_here("info", "out/identified.urdf", "--json")
        self.assertEqual(info.code, 0, info)
        self.assertAlmostEqual(json.loads(info.out)["mass_kg"], metrics["identified_mass_kg"], places=6)

    def test_without_ground_truth_no_error_against_it_is_reported(self):
        self.make_example()
        done = self.run_here("identify", "postures.csv", "--robot", "sarcos", "--json")
        self.assertEqual(done.code, 0, done)
        metrics = support.strict_json(done.out)["metrics"]
        self.assertIsNone(metrics["com_path_error_rms_m"])
        again = self.run_here("identify", "postures.csv", "--robot", "sarcos_real", "--json")
        known = support.strict_json(again.out)["metrics"]
        # The truth changes what is told, never what is estimated.
        self.assertEqual(metrics["holdout_rms_m"], known["holdout_rms_m"])
        self.assertEqual(metrics["identified_mass_kg"], known["identified_mass_kg"])

    def test_damaged_files_are_refused_and_nothing_is_written(self):
        text = self.make_example()
        lines = text.splitlines()
        spoilt = {
            "missing column": ("column 'left_knee_rad' is missing", text.replace("left_knee_rad", "left_kneee_rad")),
            "no header": ("must name the columns", "\n".join(lines[1:])),
            "not a number": ("which is not a number", text.replace(lines[3].split(",")[5], "abc")),
            "too few": ("at least 8", "\n".join(lines[:6])),
            "alike": ("all alike", "\n".join([lines[0]] + [f"{i}," + lines[1].split(",", 1)[1] for i in range(20)])),
            "empty": ("empty", ""),
        }
        for name, (words, content) in spoilt.items():
            with self.subTest(name):
                self.write("bad.csv", content)
                self.refuse_here(["identify", "bad.csv", "--robot", "sarcos", "--out", "out"], words)

    def test_a_foot_sensor_that_moved_between_the_postures_fails_the_check(self):
        lines = self.make_example().splitlines()
        names = lines[0].split(",")
        moved = [line.split(",") for line in lines[1:]]
        for row in moved[:len(moved) // 2]:
            for column in (names.index("left_foot_cop_x_m"), names.index("right_foot_cop_x_m")):
                row[column] = str(float(row[column]) + 0.02)
        self.write("moved.csv", "\n".join([lines[0]] + [",".join(row) for row in moved]) + "\n")
        done = self.run_here("identify", "moved.csv", "--robot", "sarcos_real", "--json")
        self.assertEqual(done.code, 1, done)
        failed = [check["metric"] for check in support.strict_json(done.out)["checks"] if not check["ok"]]
        self.assertEqual(failed, ["holdout_rms_m"])

    def test_bad_usage_is_refused(self):
        self.refuse_here(["identify", "missing.csv", "--robot", "sarcos"], "missing.csv", "no such file")
        self.refuse_here(["identify", "x.csv"], "--robot")
        self.refuse_here(["identify", "--make-example", "x.txt", "--robot", "sarcos"], ".csv or .npz")

    def test_an_experiment_runs_and_repeats(self):
        one = self.run_here("run", "identify_sarcos_real", "--set", "identify.postures=24", "--out", "one")
        self.assertEqual(one.code, 0, one)
        self.assertTrue((self.folder / "one" / "identified.urdf").is_file())
        many = self.run_here("run", "identify_sarcos_real", "--set", "identify.postures=24", "--repeat", 2, "--json")
        self.assertEqual(many.code, 1, many)  # 24 postures are too few for the mean error that 88 are judged by
        result = support.strict_json(many.out)
        self.assertEqual(result["metrics"]["runs"], 2)
        failed = [check["metric"] for check in result["checks"] if not check["ok"]]
        self.assertEqual(failed, ["holdout_rms_m_mean"])
        self.refuse_here(["run", "identify_sarcos_real", "--set", "identify.posture=24"], "identify.posture", "postures")
        self.assertIn("identify_sarcos_real", self.run_here("list").out)


if __name__ == "__main__":
    unittest.main()
