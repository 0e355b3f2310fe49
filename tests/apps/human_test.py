"""`aplomb human` as its users meet it: a recording made, analysed, its model used again; and files that are wrong."""

import csv
import math
import os
import random
import unittest
from pathlib import Path

import support

DATA = Path(os.environ.get("APLOMB_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "sit_to_stand"
FILES = ("subject.yaml", "human.urdf", "angles.mot", "moments.mot", "trial.yaml", "metrics.json", "timing.json",
         "log.csv", "report.html")


class Human(support.AppTest):
    def demonstrate(self, *options: object) -> None:
        done = self.run_here("demonstrate", "natural", "--out", "trial.c3d", *options)
        self.assertEqual(done.code, 0, done)

    def test_a_demonstration_is_analysed_and_its_model_can_be_reused(self):
        self.demonstrate("--marker-noise-m", 0.001)
        done = self.run_here("human", "trial.c3d", "--out", "out", "--json")
        self.assertEqual(done.code, 0, done)
        metrics = support.strict_json(done.out)["metrics"]
        self.assertLess(metrics["cop_x_rms_m"], 0.005)
        self.assertEqual(metrics["rises"], 1)
        for name in FILES:
            self.assertTrue((self.folder / "out" / name).is_file(), name)
        again = self.run_here("human", "trial.c3d", "--model", "out", "--json")
        self.assertEqual(again.code, 0, again)
        repeated = support.strict_json(again.out)["metrics"]
        # Nothing is fitted anew: the same markers on the same body.
        self.assertAlmostEqual(repeated["marker_rms_m"], metrics["marker_rms_m"], places=6)
        self.assertEqual(repeated["body_height_m"], metrics["body_height_m"])
        info = self.run_here("info", "out/human.urdf")
        self.assertEqual(info.code, 0, info)

    def test_marker_noise_is_not_mistaken_for_motion(self):
        for seed in (1, 2, 3):
            self.demonstrate("--marker-noise-m", 0.001, "--seed", seed)
            done = self.run_here("human", "trial.c3d", "--cutoff-hz", 6, "--json")
            metrics = support.strict_json(done.out)["metrics"]
            self.assertLess(metrics["cop_x_rms_m"], 0.005, seed)
            self.assertLess(metrics["cop_y_rms_m"], 0.005, seed)

    def test_many_trials_make_a_table_and_a_failed_one_does_not_stop_the_rest(self):
        self.demonstrate()
        (self.folder / "second.c3d").write_bytes((self.folder / "trial.c3d").read_bytes())
        self.write("bad.trc", "no recording")
        done = self.run_here("human", "trial.c3d", "second.c3d", "bad.trc", "--out", "out")
        self.assertEqual(done.code, 1, done)
        self.assertIn("bad.trc", done.err)
        for name in ("trial", "second"):
            self.assertTrue((self.folder / "out" / name / "report.html").is_file(), name)

    def test_wrong_input_is_refused_and_nothing_is_written(self):
        self.demonstrate()
        self.write("empty.mot", "")
        self.write("words.yaml", "marker_set: mine\nmarkers:\n  LASI: {landmark: left_assis}\n")
        wrong = {
            "missing file": (["nowhere.c3d"], "nowhere.c3d"),
            "a table": (["empty.mot"], "empty"),
            "forces too many": (["trial.c3d", "--forces", "trial.c3d", "--forces", "trial.c3d"], "2 force files"),
            "a model and a height": (["trial.c3d", "--model", "x", "--height", 1.7], "--model"),
            "no such model": (["trial.c3d", "--model", "x"], "subject.yaml"),
            "a landmark misspelt": (["trial.c3d", "--markers", "words.yaml"], "left_asis"),
            "a sex": (["trial.c3d", "--sex", "x"], "F or M"),
            "a cut-off": (["trial.c3d", "--cutoff-hz", 0], "cutoff"),
        }
        for name, (arguments, words) in wrong.items():
            with self.subTest(name):
                done = self.run_here("human", *arguments, "--out", "none")
                self.assertEqual(done.code, 2, done)
                self.assertIn(words, done.err)
                self.assertEqual(len(done.err.strip().splitlines()), 1, done.err)
                self.assertFalse((self.folder / "none").exists())

    @unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
    def test_a_real_recording_is_as_good_as_published_ones(self):
        done = self.run_here("human", DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static",
                             DATA / "static1.trc", "--mass", 62.6, "--json")
        self.assertEqual(done.code, 0, done)
        metrics = support.strict_json(done.out)["metrics"]
        below = {"marker_rms_m": 0.007, "marker_p95_frame_m": 0.010, "marker_worst_m": 0.020, "cop_x_rms_m": 0.020,
                 "cop_y_rms_m": 0.010, "cop_x_holdout_rms_m": 0.020, "force_x_rms_n": 12.0, "force_z_rms_n": 22.0}
        for name, limit in below.items():
            self.assertLess(metrics[name], limit, name)
        self.assertGreater(metrics["cop_x_rms_before_m"], 0.02)
        self.assertAlmostEqual(metrics["mass_from_plates_kg"], 60.0, delta=0.3)
        self.assertIn("62.6", done.err)
        self.assertEqual(metrics["rises"], 5)
        off, on = [0.85, 3.53, 6.15, 8.75, 11.44], [2.54, 5.12, 7.74, 10.46, 13.24]
        for found, wanted in zip(metrics["seat_off_times_s"] + metrics["seat_on_times_s"], off + on, strict=True):
            self.assertAlmostEqual(found, wanted, delta=0.02)  # of the plates' own
        self.assertEqual(metrics["hands_off_times_s"], [])  # these arms swing

    @unittest.skipIf(support.SANITIZED, "repeats an analysis for its figure")
    @unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
    def test_a_tenth_of_the_samples_may_be_lost(self):
        lines = (DATA / "STS1.trc").read_text().split("\n")
        rows = [line.split("\t") for line in lines[5:] if line.strip()]
        draw = random.Random(1)
        for marker in range(len(rows[0]) // 3):
            column = 2 + 3 * marker
            while (left := len(rows) // 10 - sum(row[column] == "" for row in rows)) > 0:
                length = draw.randrange(10, 60)  # bursts of 0.1 to 0.6 s; the last one is cut to what is left to lose
                first = draw.randrange(0, len(rows) - length)
                for row in rows[first:first + min(length, left)]:
                    row[column:column + 3] = ["", "", ""]
        self.write("lost.trc", "\n".join(lines[:5] + ["\t".join(row) for row in rows]) + "\n")
        places = [self.centre_of_mass(trial) for trial in (DATA / "STS1.trc", "lost.trc")]
        errors = [math.dist(one, other) for one, other in zip(*places, strict=True)]
        self.assertLess(math.sqrt(sum(error**2 for error in errors) / len(errors)), 0.0025)
        self.assertLess(max(errors), 0.012)

    def centre_of_mass(self, trial: object) -> list[list[float]]:
        self.run_here("human", trial, "--forces", DATA / "STS1_grf.mot", "--static", DATA / "static1.trc", "--mass",
                      62.6, "--out", "found")
        with (self.folder / "found" / "log.csv").open() as file:
            return [[float(row[f"com_{axis}_m"]) for axis in "xyz"] for row in csv.DictReader(file)]


if __name__ == "__main__":
    unittest.main()
