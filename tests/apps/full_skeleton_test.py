"""Mistry et al. 2010: markers fitted with a skeleton of 155 degrees of freedom, and a robot's rise planned from it."""

import os
import unittest
from pathlib import Path

import support

DATA = Path(os.environ.get("APLOMB_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "sit_to_stand"


class FullSkeleton(support.AppTest):
    def analysed(self, *arguments: object) -> dict:
        done = self.run_here("human", *arguments, "--skeleton", 155, "--out", "person", "--json")
        self.assertEqual(done.code, 0, done)
        self.assertIn("skeleton: '155'", (self.folder / "person" / "subject.yaml").read_text())
        return support.strict_json(done.out)["metrics"]

    def planned(self, *arguments: object) -> dict:
        done = self.run_here("retarget", "person", *arguments, "--robot", "sarcos_real", "--out", "rise", "--json")
        self.assertEqual(done.code, 0, done)
        return support.strict_json(done.out)["metrics"]

    def test_a_demonstration_is_fitted_and_a_robot_stands_up_from_it(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "trial.c3d").code, 0)
        metrics = self.analysed("trial.c3d")
        self.assertLess(metrics["marker_rms_m"], 0.003)
        self.assertLess(metrics["cop_x_rms_m"], 0.002)
        self.assertLess(metrics["cop_x_holdout_rms_m"], 0.002)
        plan = self.planned()
        self.assertEqual(plan["infeasible_frames"], 0)
        self.assertLess(plan["marker_rms_m"], 0.03)
        # The paper's own chain: each frame alone, joint PD.
        done = self.run_here("run", "paper_rise_natural", "--set", "plan={demonstration: person, mode: frames}", "--json")
        self.assertEqual(done.code, 0, done)
        self.assertTrue(support.strict_json(done.out)["metrics"]["stood_up"])

    @unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
    def test_a_recording_is_fitted_within_the_papers_two_centimetres_and_planned_from(self):
        metrics = self.analysed(DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static", DATA / "static1.trc")
        self.assertLess(metrics["marker_rms_m"], 0.006)
        for name in ("cop_x_rms_m", "cop_y_rms_m", "cop_x_holdout_rms_m", "cop_y_holdout_rms_m"):
            self.assertLess(metrics[name], 0.02, name)
        self.assertEqual(metrics["rises"], 5)
        plan = self.planned("--rise", 1)
        self.assertEqual(plan["infeasible_frames"], 0)
        self.assertLess(plan["marker_rms_m"], 0.05)


if __name__ == "__main__":
    unittest.main()
