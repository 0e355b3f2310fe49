"""`aplomb demonstrate` as its users meet it: files, the truth beside them, and requests that make no sense."""

import csv
import os
import unittest

import support

TRUTH = ["events.csv", "human.urdf", "manifest.sha256", "markers.csv", "metrics.json", "motion.csv", "scales.csv",
         "swaps.csv"]
STYLES = ("natural", "elderly", "fast", "squat", "lean")


class Demonstrate(support.AppTest):
    def rows(self, name: str) -> list[dict[str, str]]:
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_every_style_is_physically_feasible(self):
        for style in STYLES:
            done = self.run_here("demonstrate", style, "--json")
            self.assertEqual(done.code, 0, done)
            found = support.strict_json(done.out)
            self.assertEqual(found["verdict"], "not_judged")
            self.assertGreater(found["metrics"]["zmp_margin_min_m"], 0.01)
            self.assertGreater(found["metrics"]["vertical_force_min_per_weight"], 0.4)
            self.assertGreater(found["metrics"]["zmp_margin_min_m"], 0.01)
            self.assertEqual(len(found["metrics"]["seat_off_times_s"]), 0 if style in ("squat", "lean") else 1)
        self.assertEqual(self.files_here(), [])

    def test_the_recording_agrees_with_the_ground_truth(self):
        done = self.run_here("demonstrate", "natural", "--out", "a.c3d", "--static", "still.c3d", "--truth", "truth",
                             "--height", 1.6, "--mass", 55, "--sex", "F", "--seed", 3)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.c3d", "still.c3d", "truth"])
        self.assertEqual(sorted(os.listdir(self.folder / "truth")), TRUTH)
        motion = self.rows("truth/motion.csv")
        for name in ("a.c3d", "still.c3d"):
            self.assertEqual(self.run_here("doctor", name, "--mass", 55).code, 0, name)
        weight = 55 * 9.81
        self.assertAlmostEqual(float(motion[0]["feet_fz_n"]) + float(motion[0]["seat_fz_n"]), weight, delta=0.01)
        self.assertAlmostEqual(float(motion[-1]["feet_fz_n"]), weight, delta=0.01)
        self.assertEqual(float(motion[-1]["seat_fz_n"]), 0)
        self.assertAlmostEqual(sum(float(row["mass_kg"]) for row in self.rows("truth/scales.csv")), 55, places=6)
        self.assertEqual(len(self.rows("truth/markers.csv")), 47)
        self.assertEqual([row["event"] for row in self.rows("truth/events.csv")], ["Seat Off"])
        self.assertEqual(self.run_here("info", "truth/human.urdf").code, 0)

    def test_the_same_seed_gives_the_same_bytes(self):
        for name, seed in (("a", 5), ("b", 5), ("c", 6)):
            done = self.run_here("demonstrate", "fast", "--marker-noise-m", 0.001, "--gaps", 0.1, "--swaps", 1,
                                 "--plate-noise-n", 1, "--seed", seed, "--out", f"{name}.c3d")
            self.assertEqual(done.code, 0, done)
        a, b, c = ((self.folder / f"{name}.c3d").read_bytes() for name in "abc")
        self.assertTrue(a == b)
        self.assertFalse(a == c)

    def test_invalid_requests_are_refused_and_nothing_is_written(self):
        for arguments, words in (
                (["naturl", "--out", "a.c3d"], ("'naturl'", "closest is 'natural'", "squat")),
                (["natural", "--out", "a.trc"], ("a.trc", ".c3d")),
                (["natural", "--height", "3", "--out", "a.c3d"], ("3 m", "1.2 ... 2.2")),
                (["natural", "--mass", "10", "--out", "a.c3d"], ("10 kg", "30 ... 200")),
                (["natural", "--speed", "4", "--out", "a.c3d"], ("speed", "not 4", "0.4 to 1.15")),
                (["natural", "--sex", "x", "--out", "a.c3d"], ("'x'", "F, M")),
                (["natural", "--gaps", "2", "--out", "a.c3d"], ("gaps of 2", "0 ... 0.9")),
                (["natural", "--out", "a.c3d", "--static", "a.c3d"], ("same file",)),
                (["natural", "--out", "missing/a.c3d"], ("missing/a.c3d",)),
                ([], ("STYLE",)),
                (["natural", "--truht", "x"], ("'--truht'", "'--truth'"))):
            with self.subTest(arguments):
                self.refuse_here(["demonstrate", *arguments], *words)

    def test_a_truth_that_cannot_be_written_leaves_no_recording(self):
        self.write("truth", "a file, no folder")
        self.refuse_here(["demonstrate", "natural", "--out", "a.c3d", "--truth", "truth"], "truth")


if __name__ == "__main__":
    unittest.main()
