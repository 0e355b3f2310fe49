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
        self.assertRegex(outcome.out, r"simulation +paper \(hardware\)")  # 19.6 mm were not measured in simulation
        files = self.files_here()
        for name in ("log.csv", "log.npz", "metrics.json", "report.html", "timing.json", "natural.c3d", "elderly.c3d",
                     "natural/report.html", "elderly/log.npz"):
            self.assertIn(f"out/{name}", files)
        metrics = strict_json((self.folder / "out/metrics.json").read_text())
        self.assertEqual((metrics["verb"], metrics["verdict"]), ("demo", "pass"))
        self.assertEqual([metrics["metrics"][f"{style}_failed_checks"] for style in ("natural", "elderly")], [0, 0])
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
    """As docs/sit_to_stand.md walks through it: identified masses, each of the five rises."""

    def test_the_robot_stands_at_the_persons_speed_and_the_checks_hold(self):
        outcome = self.run_here("human", DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static",
                                DATA / "static1.trc", "--out", "person")
        self.assertEqual(outcome.code, 0, outcome)
        for rise in range(1, 6):
            with self.subTest(rise=rise):
                plan = f"plan={{demonstration: {self.folder / 'person'}, rise: {rise}}}"
                outcome = self.run_here("run", "sit_to_stand_natural", "--set", plan, "--set", "duration_s=9", "--json")
                result = strict_json(outcome.out)
                metrics = result["metrics"]
                self.assertTrue(metrics["stood_up"], metrics["rise_failure"])
                self.assertEqual([check["metric"] for check in result["checks"] if not check["ok"]], [])
                self.assertEqual(outcome.code, 0)
                self.assertLess(metrics["foot_force_peak_per_weight"], 1.4)  # legs that strike each other: 1.5
                self.assertEqual(metrics["slowdown"], 1.0)
                self.assertLess(metrics["com_target_shift_max_m"], 0.02)
                self.assertGreater(min(metrics["heel_margin_min_m"], metrics["toe_margin_min_m"]), 0.01)


if __name__ == "__main__":
    unittest.main()
