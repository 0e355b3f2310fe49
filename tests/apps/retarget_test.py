"""`aplomb retarget` as its users meet it: a demonstration made, analysed and given to a robot; and what cannot be."""

import unittest

import support

FILES = ("trajectory.csv", "trajectory.npz", "trajectory.mot", "contacts.yaml", "metrics.json", "timing.json", "log.csv",
         "report.html")


class Retarget(support.AppTest):
    def demonstrate(self, style: str = "natural", file: str = "trial.c3d") -> None:
        done = self.run_here("demonstrate", style, "--out", file)
        self.assertEqual(done.code, 0, done)

    def test_a_demonstration_becomes_a_robots_motion(self):
        self.demonstrate()
        done = self.run_here("human", "trial.c3d", "--out", "person")
        self.assertEqual(done.code, 0, done)
        done = self.run_here("retarget", "person", "--robot", "sarcos_real", "--out", "out", "--json")
        self.assertEqual(done.code, 0, done)
        result = support.strict_json(done.out)
        metrics = result["metrics"]
        self.assertEqual(result["verb"], "retarget")
        self.assertEqual(metrics["infeasible_frames"], 0)
        self.assertLess(metrics["com_residual_max_m"], 1e-6)
        self.assertLess(metrics["com_target_shift_max_m"], 0.03)
        self.assertGreater(metrics["zmp_margin_planned_min_m"], 0.025)
        for name in FILES:
            self.assertTrue((self.folder / "out" / name).is_file(), name)

    def test_a_recording_is_analysed_on_the_way_and_the_map_is_printed(self):
        self.demonstrate()
        self.write("map.yaml", "head: none\n")
        done = self.run_here("retarget", "trial.c3d", "--robot", "coman", "--map", "map.yaml")
        self.assertEqual(done.code, 0, done)
        for text in ("left_thigh", "given", "seat-off"):
            self.assertIn(text, done.out)

    def test_many_motions_make_a_table_and_a_bad_one_does_not_stop_the_rest(self):
        self.demonstrate()
        self.demonstrate("elderly", "old.c3d")
        self.write("bad.trc", "no recording")
        tables = []
        for jobs in (1, 2):
            done = self.run_here("retarget", "trial.c3d", "bad.trc", "old.c3d", "--robot", "coman", "--jobs", jobs,
                                 "--out", f"out{jobs}")
            self.assertEqual(done.code, 1, done)
            self.assertIn("bad.trc", done.err)
            tables.append((self.folder / f"out{jobs}" / "motions.csv").read_text())
        self.assertEqual(tables[0], tables[1])
        for name in ("trial", "old"):
            files = [(self.folder / out / name / "trajectory.csv").read_bytes() for out in ("out1", "out2")]
            self.assertEqual(files[0], files[1], name)

    def test_another_persons_model_and_another_trials_plates_are_refused_unless_forced(self):
        self.demonstrate()
        done = self.run_here("demonstrate", "natural", "--height", 1.95, "--seed", 5, "--out", "tall.c3d")
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.run_here("human", "tall.c3d", "--out", "tall").code, 0)
        arguments = ["retarget", "trial.c3d", "--robot", "coman"]
        self.refuse_here([*arguments, "--model", "tall"], "another subject", "--force")
        self.demonstrate("elderly", "old.c3d")
        self.refuse_here([*arguments, "--forces", "old.c3d"], "plates", "--force")
        done = self.run_here(*arguments, "--forces", "old.c3d", "--force", "--json")
        self.assertEqual(support.strict_json(done.out)["metrics"]["infeasible_frames"], 0)

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.demonstrate()
        self.refuse_here(["retarget", "trial.c3d", "--robot", "coman", "--chair-height", 0.05], "0.05", "--chair-height")
        self.refuse_here(["retarget", "trial.c3d", "--robot", "nobody"], "nobody")
        self.refuse_here(["retarget", "missing.c3d", "--robot", "coman"], "missing.c3d")
        self.write("map.yaml", "tail: head\n")
        self.refuse_here(["retarget", "trial.c3d", "--robot", "coman", "--map", "map.yaml"], "tail")
        self.demonstrate("squat", "squat.c3d")
        self.refuse_here(["retarget", "squat.c3d", "--robot", "coman"], "seat")


if __name__ == "__main__":
    unittest.main()
