"""`aplomb human` as its users meet it: a recording made, analysed, its model used again; and files that are wrong."""

import csv
import math
import os
import random
import re
import unittest
from pathlib import Path

import rise_bvh
import support

DATA = Path(os.environ.get("APLOMB_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "sit_to_stand"
FILES = ("subject.yaml", "human.urdf", "human.osim", "angles.mot", "contacts.yaml", "moments.mot", "trial.yaml", "metrics.json",
         "timing.json", "log.csv", "report.html")


class Human(support.AppTest):
    def demonstrate(self, *options: object) -> None:
        (self.folder / "trial.c3d").unlink(missing_ok=True)  # a file with other contents is not overwritten
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

    def test_a_people_file_compares_people_and_trials_in_one_report(self):
        for name, seed, more in (("ann", 4, ("--height", 1.62, "--mass", 55, "--sex", "F")), ("bob", 5, ("--mass", 90))):
            done = self.run_here("demonstrate", "natural", "--seed", seed, *more, "--marker-noise-m", 0.001, "--out", f"{name}.c3d",
                                 "--static", f"{name}_still.c3d")
            self.assertEqual(done.code, 0, done)
        self.run_here("demonstrate", "elderly", "--seed", 5, "--mass", 90, "--marker-noise-m", 0.001, "--out", "bob2.c3d")
        self.write("people.yaml", """
people:
  - {name: ann, mass_kg: 55, sex: F, static: ann_still.c3d, trials: [{markers: ann.c3d}]}
  - {name: bob, mass_kg: 90, trials: [{markers: bob.c3d}, {markers: bob2.c3d}]}
""")
        done = self.run_here("human", "people.yaml", "--out", "out")
        self.assertEqual(done.code, 0, done)
        rows = [line.split()[:2] for line in done.out.splitlines() if line.startswith(("ann", "bob"))]
        self.assertEqual(rows[:3], [["ann", "ann"], ["bob", "bob"], ["bob", "bob2"]])
        for folder in ("out", "out/ann/ann", "out/bob/bob", "out/bob/bob2"):
            self.assertTrue((self.folder / folder / "report.html").is_file(), folder)
        # Each is the analysis of that person: as in a call of its own.
        alone = support.strict_json(self.run_here("human", "ann.c3d", "--static", "ann_still.c3d", "--mass", 55, "--sex", "F",
                                                  "--json").out)
        whole = support.strict_json(self.run_here("human", "people.yaml", "--json").out)
        self.assertEqual(whole[1]["metrics"], alone["metrics"])
        self.assertEqual([whole[0]["metrics"][key] for key in ("people", "trials", "trials_failed")], [2, 3, 0])

    def test_a_person_that_fails_is_named_and_does_not_stop_the_rest(self):
        self.demonstrate()
        self.write("people.yaml", """
people:
  - {name: ann, trials: [{markers: trial.c3d}]}
  - {name: bob, trials: [{markers: nowhere.c3d}]}
""")
        done = self.run_here("human", "people.yaml", "--out", "out")
        self.assertEqual(done.code, 1, done)
        self.assertIn("bob", done.err)
        self.assertIn("nowhere.c3d", done.err)
        self.assertTrue((self.folder / "out/ann/trial/report.html").is_file())

    def test_a_people_file_with_a_mistake_is_refused_in_one_line(self):
        one = "people:\n  - {name: ann, trials: [{markers: trial.c3d}]}\n"
        for text, word in (("people: []\n", "no people"), ("people:\n  - {name: ../ann, trials: [{markers: a.c3d}]}\n", "folder"),
                           ("people:\n  - {name: ann, trials: []}\n", "no trials"), ("people:\n  - {nmae: ann}\n", "name"),
                           (one + "  - {name: ann, trials: [{markers: b.c3d}]}\n", "two people"),
                           (one.replace("trials", "mass_kg: 900, trials"), "400")):
            self.write("people.yaml", text)
            done = self.run_here("human", "people.yaml", "--out", "out")
            self.assertEqual(done.code, 2, done)
            self.assertEqual(len(done.err.strip().splitlines()), 1, done.err)
            self.assertIn(word, done.err)
        self.write("people.yaml", one)
        done = self.run_here("human", "people.yaml", "--mass", 70)
        self.assertEqual(done.code, 2, done)
        self.assertIn("people file", done.err)

    def test_plates_that_the_file_shifts_fail(self):
        self.demonstrate("--marker-noise-m", 0.001, "--plate-shift-m", 0.0, 0.03)
        done = self.run_here("human", "trial.c3d", "--json")
        self.assertEqual(done.code, 1, done)

    def test_arm_rests_with_plates_of_their_own_are_the_hands(self):
        self.run_here("demonstrate", "arm_rests", "--arm-rest-plates", "--out", "rests.c3d")
        done = self.run_here("human", "rests.c3d", "--json")
        self.assertEqual(done.code, 0, done)
        self.assertEqual(len(support.strict_json(done.out)["metrics"]["hands_off_times_s"]), 1)
        refused = self.run_here("demonstrate", "natural", "--arm-rest-plates", "--out", "none.c3d")
        self.assertEqual(refused.code, 2, refused)
        self.assertIn("no arm rests", refused.err)

    def test_a_static_trial_of_another_person_fails(self):
        self.run_here("demonstrate", "natural", "--out", "one.c3d", "--static", "one_static.c3d", "--seed", 1)
        self.run_here("demonstrate", "natural", "--out", "other.c3d", "--static", "other_static.c3d", "--seed", 2,
                      "--height", 1.55)
        right = self.run_here("human", "one.c3d", "--static", "one_static.c3d", "--json")
        self.assertEqual(right.code, 0, right)
        self.assertLess(support.strict_json(right.out)["metrics"]["marker_distance_change_m"], 0.002)
        wrong = self.run_here("human", "one.c3d", "--static", "other_static.c3d", "--json", "--out", "wrong")
        self.assert_fails(wrong, "marker_distance_change_m")
        self.assertIn("another person", wrong.err)
        refused = self.run_here("retarget", "wrong", "--robot", "sarcos", "--out", "none")
        self.assertIn("another person", refused.err)
        self.assertNotEqual(refused.code, 0)
        # The same of a model that an earlier run left.
        self.run_here("human", "other.c3d", "--static", "other_static.c3d", "--out", "other")
        self.assert_fails(self.run_here("human", "one.c3d", "--model", "other", "--json"), "marker_distance_change_m")

    def test_forces_of_another_trial_fail(self):
        for name, style in (("natural", "natural"), ("elderly", "elderly"), ("squat", "squat")):
            self.run_here("demonstrate", style, "--out", f"{name}.c3d")
        for trial in ("natural", "elderly", "squat"):
            for forces in ("natural", "elderly", "squat"):
                with self.subTest(f"{trial} with the forces of {forces}"):
                    done = self.run_here("human", f"{trial}.c3d", "--forces", f"{forces}.c3d", "--json")
                    self.assertEqual(done.code, 0 if trial == forces else 1, done.err)

    def test_a_mass_that_the_plates_contradict_fails(self):
        self.demonstrate()  # 70 kg
        for stated, code in ((70, 0), (73, 0), (35, 1), (90, 1), (140, 1)):
            with self.subTest(f"{stated} kg"):
                done = self.run_here("human", "trial.c3d", "--mass", stated, "--json", "--out", f"out_{stated}")
                self.assertEqual(done.code, code, done.err)
                if code == 0:
                    continue
                self.assert_fails(done, "mass_disagreement_ratio")
                self.assertIn("contradict the stated mass", done.err)
                self.assertIn("plates_agree: false", (self.folder / f"out_{stated}" / "trial.yaml").read_text())
        refused = self.run_here("retarget", "out_90", "--robot", "sarcos", "--out", "none")
        self.assertIn("--force", refused.err)
        self.assertNotEqual(refused.code, 0)

    def test_without_plates_nothing_is_judged(self):
        self.write("trial.bvh", rise_bvh.rise_bvh())
        done = self.run_here("human", "trial.bvh", "--json")
        self.assertEqual(done.code, 0, done)
        found = support.strict_json(done.out)
        self.assertEqual((found["verdict"], found["checks"]), ("not_judged", []))

    def test_times_of_an_analysed_motion_are_checked(self):
        self.demonstrate()
        self.run_here("human", "trial.c3d", "--out", "out")
        angles = self.folder / "out" / "angles.mot"
        lines = angles.read_text().split("\n")
        first = lines.index("endheader") + 2
        good = [line.split("\t") for line in lines[first:] if line]

        def damage(change, *words):
            rows = [list(row) for row in good]
            change(rows)
            angles.write_text("\n".join(lines[:first] + ["\t".join(row) for row in rows]) + "\n")
            done = self.run_here("retarget", "out", "--robot", "sarcos", "--out", "none")
            self.assertNotEqual(done.code, 0, done)
            for word in words:
                self.assertIn(word, done.err)

        def exchange(rows):
            rows[100][0], rows[101][0] = rows[101][0], rows[100][0]

        def far(rows):
            rows[100][0] = "50"

        def leap(rows):
            rows[100][1] = str(float(rows[100][1]) + 1.0)

        damage(exchange, f"angles.mot:{first + 102}", "time does not increase")
        damage(far, f"angles.mot:{first + 102}", "time does not increase")
        damage(leap, "error: out/angles.mot: the pelvis jumps")

    def assert_fails(self, done, metric: str):
        self.assertEqual(done.code, 1, done)
        found = support.strict_json(done.out)
        self.assertEqual(found["verdict"], "fail")
        self.assertIn(metric, [check["metric"] for check in found["checks"] if not check["ok"]])

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
            "grams": (["trial.c3d", "--mass", 59200], "59200 kg is not within 2 ... 400 kg; is 59.2 kg meant?"),
            "centimetres": (["trial.c3d", "--height", 168], "168 m is not within 0.4 ... 2.6 m; is 1.68 m meant?"),
            "no mass": (["trial.c3d", "--mass", "nan"], "--mass: nan kg"),
            "no height": (["trial.c3d", "--height", "nan"], "--height: nan m"),
        }
        for name, (arguments, words) in wrong.items():
            with self.subTest(name):
                done = self.run_here("human", *arguments, "--out", "none")
                self.assertEqual(done.code, 2, done)
                self.assertIn(words, done.err)
                self.assertEqual(len(done.err.strip().splitlines()), 1, done.err)
                self.assertFalse((self.folder / "none").exists())


@unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
class FromARecording(support.AppTest):
    def test_a_real_recording_is_as_good_as_published_ones(self):
        done = self.run_here("human", DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static",
                             DATA / "static1.trc", "--mass", 62.6, "--json")
        self.assertEqual(done.code, 0, done)
        metrics = support.strict_json(done.out)["metrics"]
        below = {"marker_rms_m": 0.007, "marker_p95_frame_m": 0.010, "marker_worst_m": 0.020, "cop_x_rms_m": 0.013,
                 "cop_y_rms_m": 0.010, "cop_x_holdout_rms_m": 0.013, "cop_y_holdout_rms_m": 0.010, "force_x_rms_n": 12.0, "force_z_rms_n": 22.0}
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
        # From the motion alone, the plates held back.
        self.assertLess(metrics["feet_force_error_ratio"], 0.06)
        self.assertLess(metrics["seat_share_error_ratio"], 0.08)
        # Calibrated: 95 % within two standard deviations.
        self.assertGreater(metrics["cop_within_two_deviations_ratio"], 0.90)
        self.assertLess(metrics["cop_within_two_deviations_ratio"], 0.985)
        self.assertEqual(len(metrics["com_uncertainty_m"]), 3)

    def test_trials_of_one_person_share_their_masses_and_judge_each_other(self):
        done = self.run_here("human", DATA / "STS1.trc", DATA / "static1.trc", "--forces", DATA / "STS1_grf.mot",
                             "--forces", DATA / "static1_grf.mot", "--static", DATA / "static1.trc", "--same-person",
                             "--json", "--out", "both")
        rising, standing = support.strict_json(done.out)
        # Standing is judged by the masses that the rises give.
        self.assertLess(standing["metrics"]["cop_x_holdout_rms_m"], 0.01)
        self.assertEqual(standing["verdict"], "pass")
        self.assertGreater(rising["metrics"]["cop_x_holdout_rms_m"], rising["metrics"]["cop_x_rms_m"])
        coms = [re.findall(r"com_m: \[.*?\]", (self.folder / "both" / name / "subject.yaml").read_text())
                for name in ("static1", "STS1")]
        self.assertGreater(len(coms[0]), 10)
        self.assertEqual(coms[0], coms[1])
        self.assertTrue((self.folder / "both" / "STS1" / "forces.mot").exists())
        alone = self.run_here("human", DATA / "STS1.trc", "--same-person")
        self.assertEqual(alone.code, 2, alone)
        self.assertIn("at least two", alone.err)

    def people(self):
        """Trials and static trials by person, and the forces that there are."""
        people = DATA.parent / "people"
        trials = {"P1": [DATA / "STS1.trc"], "P3": sorted((people / "P3").glob("[Sw]*.trc")),
                  "P5": sorted((people / "P5").glob("S*.trc"))}
        statics = {"P1": DATA / "static1.trc", "P3": people / "P3" / "static1.trc", "P5": people / "P5" / "static1.trc"}
        forces = {DATA / "STS1.trc": DATA / "STS1_grf.mot",
                  people / "P3" / "walking1.trc": people / "P3" / "walking1_grf.mot"}
        trials["P3"] = [trial for trial in trials["P3"] if not trial.stem.startswith("static")]
        return trials, statics, forces

    def test_another_persons_static_trial_fails_and_the_own_does_not(self):
        trials, statics, _ = self.people()
        for person, files in trials.items():
            for trial in files:
                for other, static in statics.items():
                    with self.subTest(f"{person} {trial.stem} with the static trial of {other}"):
                        done = self.run_here("human", trial, "--static", static, "--json")
                        found = support.strict_json(done.out)
                        if person == other:
                            self.assertEqual((done.code, found["verdict"]), (0, "not_judged"), done.err)
                            self.assertLess(found["metrics"]["marker_distance_change_m"], 0.009)
                        else:
                            self.assertEqual((done.code, found["verdict"]), (1, "fail"), done.err)
                            self.assertGreater(found["metrics"]["marker_distance_change_m"], 0.015)

    def test_a_table_of_trials_says_why_one_of_another_person_fails(self):
        people = DATA.parent / "people"
        done = self.run_here("human", people / "P3" / "STS1.trc", people / "P5" / "STS1.trc")
        self.assertEqual(done.code, 1, done)
        first, second = done.out.splitlines()[2:]
        self.assertRegex(first, r"not judged$")
        self.assertRegex(second, r"fail: marker_distance_change_m")

    def test_forces_of_another_trial_fail(self):
        trials, statics, forces = self.people()
        for person, files in trials.items():
            for trial in files:
                for owner, file in [*forces.items(), (None, DATA / "static1_grf.mot")]:
                    if owner == trial:
                        continue
                    with self.subTest(f"{person} {trial.stem} with {file.stem}"):
                        done = self.run_here("human", trial, "--forces", file, "--static", statics[person], "--json")
                        self.assertEqual((done.code, support.strict_json(done.out)["verdict"]), (1, "fail"), done.err)

    def test_a_stated_mass_of_90_kg_fails_and_plans_need_force(self):
        done = self.run_here("human", DATA / "STS1.trc", "--forces", DATA / "STS1_grf.mot", "--static",
                             DATA / "static1.trc", "--mass", 90, "--json", "--out", "wrong")
        self.assertEqual(done.code, 1, done)
        found = support.strict_json(done.out)
        self.assertEqual(found["verdict"], "fail")
        self.assertEqual([check["metric"] for check in found["checks"] if not check["ok"]], ["mass_disagreement_ratio"])
        plan = f"plan={{demonstration: {self.folder / 'wrong'}}}"
        run = self.run_here("run", "sit_to_stand_natural", "--set", plan, "--out", "none")
        self.assert_refused(run, "contradict the stated mass", "plan.force: true")

    def test_a_plan_finds_the_force_plates_beside_a_recording(self):
        plan = f"plan={{demonstration: {DATA / 'STS1.trc'}, parameters: 'true'}}"
        run = self.run_here("run", "sit_to_stand_natural", "--set", plan, "--set", "duration_s=0.1")
        self.assertIn("note: Force plates of the demonstration: STS1_grf.mot, found beside it.", run.err)

    def test_walking_is_accepted_and_judged_sideways_too(self):
        trials, statics, forces = self.people()
        trial = next(trial for trial in trials["P3"] if trial.stem == "walking1")
        done = self.run_here("human", trial, "--forces", forces[trial], "--static", statics["P3"], "--json")
        self.assertEqual(done.code, 0, done.out)
        found = support.strict_json(done.out)
        checked = {check["metric"]: check for check in found["checks"]}
        for axis in "xy":
            self.assertEqual(checked[f"cop_{axis}_holdout_rms_m"]["below"], 0.02)
            self.assertLess(found["metrics"][f"cop_{axis}_rms_m"], 0.014)
        self.assertEqual(checked["cop_y_holdout_rms_m"]["ok"], found["metrics"]["cop_y_holdout_rms_m"] < 0.02)

    def test_outlying_samples_are_left_out_and_listed(self):
        lines = (DATA / "STS1.trc").read_text().split("\n")
        first = next(i for i, line in enumerate(lines) if line.startswith("X1") or line.strip().startswith("X1")) + 1
        while not lines[first].strip():
            first += 1
        row = lines[first + 400].split("\t")
        away = row[:2] + [str(float(cell) + (1.0 if i % 3 == 0 else 0.0)) for i, cell in enumerate(row[2:]) if cell.strip()]
        wild = [*row[:5], "1e30", *row[6:]]
        for name, damaged, lost in (("all markers 1 m away", away, row[:2] + [""] * len(away[2:])),
                                    ("one coordinate of 1e30", wild, [*row[:5], "", "", "", *row[8:]])):
            with self.subTest(name):
                found, gap = (self.metrics_of(self.write(
                    "odd.trc", "\n".join([*lines[:first + 400], "\t".join(cells), *lines[first + 401:]])))
                    for cells in (damaged, lost))
                self.assertEqual(found["outlying_frames"], 1)
                self.assertEqual(found["outlying_samples"], 51 if damaged is away else 1)
                for key in ("cop_x_rms_m", "cop_y_rms_m", "marker_rms_m"):
                    self.assertEqual(found[key], gap[key], "an outlying sample is a gap, and nothing else")
                self.write("odd.trc", "\n".join([*lines[:first + 400], "\t".join(damaged), *lines[first + 401:]]))
                self.assertIn("leaves these samples out", self.run_here("doctor", "odd.trc").out)

    def metrics_of(self, trial):
        done = self.run_here("human", trial, "--forces", DATA / "STS1_grf.mot", "--static", DATA / "static1.trc",
                             "--json")
        self.assertEqual(done.code, 0, done.err)
        return support.strict_json(done.out)["metrics"]

    @unittest.skipIf(support.SANITIZED, "repeats an analysis for its figure")
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
