"""`aplomb demo`: a person stands up, and the robot does the same; the report in five chapters. And the same from a real
recording, as docs/sit_to_stand.md walks through it."""

import os
import re
import resource
import unittest
from pathlib import Path

from support import SANITIZED, AppTest, strict_json

DATA = Path(os.environ.get("APLOMB_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "sit_to_stand"


@unittest.skipIf(SANITIZED, "the whole story takes minutes under sanitizers; its steps are tested one by one")
class Demo(AppTest):
    def test_every_step_succeeds_and_the_report_is_written(self):
        outcome = self.run_here("demo", "--out", "out")
        computed_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.assertEqual(outcome.code, 0, outcome)
        for step in ("1 demonstrate", "2 human", "3 identify", "4 retarget", "5 stand up"):
            self.assertIn(step, outcome.out)
        self.assertNotIn("FAIL", outcome.out)
        files = self.files_here()
        for name in ("log.csv", "log.npz", "metrics.json", "report.html", "timing.json", "natural.c3d", "elderly.c3d",
                     "natural/report.html", "elderly/log.npz"):
            self.assertIn(f"out/{name}", files)
        metrics = strict_json((self.folder / "out/metrics.json").read_text())
        self.assertEqual((metrics["verb"], metrics["verdict"]), ("demo", "pass"))
        self.assertTrue(metrics["metrics"]["natural_stood_up"] and metrics["metrics"]["elderly_stood_up"])
        data = re.search(r'id="page-data">(.*?)</script>', (self.folder / "out/report.html").read_text(), re.S)
        chapters = strict_json(data.group(1))["chapters"]
        self.assertEqual(len(chapters), 5)
        for chapter in chapters:
            self.assertTrue(any(part["line_plots"] for part in chapter["parts"]), chapter["title"])
        self.assertLess(computed_s, 60.0)


@unittest.skipIf(SANITIZED, "as above")
@unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
class FromARecording(AppTest):
    """One of the five rises in any run, all of them with APLOMB_LONG_TESTS=1."""

    def test_the_robot_stands_up_as_somebody_in_a_laboratory_did(self):
        outcome = self.run_here("human", DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static",
                                DATA / "static1.trc", "--out", "person")
        self.assertEqual(outcome.code, 0, outcome)
        for rise in range(1, 6) if "APLOMB_LONG_TESTS" in os.environ else (5,):
            with self.subTest(rise=rise):
                outcome = self.run_here("retarget", "person", "--robot", "sarcos_real", "--rise", rise, "--json")
                metrics = strict_json(outcome.out)["metrics"]
                self.assertEqual(metrics["infeasible_frames"], 0)
                self.assertGreater(metrics["zmp_margin_planned_min_m"], 0.025)
                self.assertLess(metrics["jerk_rms_rad_per_s3"], 0.5 * metrics["jerk_rms_frames_rad_per_s3"])
                plan = f"plan={{demonstration: {self.folder / 'person'}, rise: {rise}, parameters: 'true'}}"
                outcome = self.run_here("run", "sit_to_stand_natural", "--set", plan, "--set", "duration_s=9", "--json")
                metrics = strict_json(outcome.out)["metrics"]
                self.assertTrue(metrics["stood_up"], metrics["rise_failure"])
                self.assertLess(metrics["hold_drift_m"], 0.006)
                self.assertLess(metrics["slowdown"], 3.0)  # no slower is tried
                # 29 mm for the ZMP at most, and what the height lags behind when the seat is left
                self.assertLess(metrics["com_target_shift_max_m"], 0.05)


if __name__ == "__main__":
    unittest.main()
