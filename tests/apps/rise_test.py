"""`aplomb rise`: a recording and a robot in one command; and a scenario's paths on the command line."""

import os
import shutil
import unittest
from pathlib import Path

import support
from support import SANITIZED, AppTest, strict_json

ROBOTS = Path(__file__).resolve().parents[2] / "robots"


@unittest.skipIf(SANITIZED, "the whole job takes minutes under sanitizers; its steps are tested one by one")
class Rise(AppTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "sts.c3d").code, 0)

    def rise(self, out: str, *options):
        """On a chair that suits the robot; that it may be another is another test."""
        return self.run_here("rise", "sts.c3d", "--robot", "coman", "--chair-height", 0.25, "--out", out, *options)

    def metrics_of(self, folder: str):
        return strict_json((self.folder / folder / "metrics.json").read_text())

    def test_one_command_does_the_whole_job_with_one_report(self):
        outcome = self.rise("out")
        self.assertEqual(outcome.code, 0, outcome)
        for words in ("1 person", "2 robot", "3 plan", "4 stand up", "chair [m]", "PASS"):
            self.assertIn(words, outcome.out)
        self.assertIn("report: out/report.html", outcome.err)
        result = self.metrics_of("out")
        metrics = result["metrics"]
        self.assertEqual((result["verb"], result["verdict"], metrics["stood_up"]), ("rise", "pass", True))
        # One set of figures: those of each step's own result, under their prefix.
        for step, prefix in (("person", "human_"), ("plan", "retarget_")):
            for name, value in self.metrics_of(f"out/{step}")["metrics"].items():
                self.assertEqual(metrics[prefix + name], value, name)
        for name in ("report.html", "log.csv", "person/subject.yaml", "person/trial.yaml", "plan/trajectory.csv"):
            self.assertIn(f"out/{name}", self.files_here())
        self.assertTrue(support.has_all_its_files(self.folder / "out"))

    def test_its_scenario_repeats_the_run_from_any_folder(self):
        self.assertEqual(self.rise("out").code, 0)
        again = support.aplomb("run", self.folder / "out/scenario.yaml", "--json", cwd="/")
        self.assertEqual(again.code, 0, again)
        first, second = self.metrics_of("out")["metrics"], strict_json(again.out)["metrics"]
        # The plan was written with nine digits.
        self.assertAlmostEqual(first["seat_off_s"], second["seat_off_s"], delta=0.002)
        self.assertAlmostEqual(first["com_x_error_rms_m"], second["com_x_error_rms_m"], delta=1e-4)
        pushed = support.aplomb("run", self.folder / "out/scenario.yaml", "--set", support.FALL, cwd="/")
        self.assertEqual(pushed.code, 1, pushed)

    def test_the_same_command_gives_the_same_bytes(self):
        for out in ("a", "b"):
            self.assertEqual(self.rise(out).code, 0)
        for name in ("metrics.json", "log.npz", "plan/trajectory.csv", "person/angles.mot", "scenario.yaml"):
            self.assertEqual((self.folder / "a" / name).read_bytes(), (self.folder / "b" / name).read_bytes(), name)

    def test_the_chair_is_the_one_asked_for_or_fits_the_robot_and_is_printed(self):
        chair = r"(?m)^3 plan +chair \[m\] +([0-9.]+) "
        self.assertRegex(self.rise("out").out, chair)
        self.assertAlmostEqual(self.metrics_of("out")["metrics"]["retarget_chair_height_m"], 0.25, delta=1e-6)
        fitting = self.run_here("rise", "sts.c3d", "--robot", "coman", "--out", "fitting")
        self.assertRegex(fitting.out, chair)
        found = self.metrics_of("fitting")
        self.assertTrue(found["metrics"]["stood_up"])
        # Level thighs: the hips as high as the knees, whose shanks lean back by 25 degrees.
        self.assertNotAlmostEqual(found["metrics"]["retarget_chair_height_m"], 0.25, delta=0.01)

    def test_masses_are_identified_where_the_yaml_names_a_cad_and_given_ones_go_first(self):
        outcome = self.run_here("rise", "sts.c3d", "--robot", "sarcos_real", "--out", "out")
        self.assertIn("masses identified from 88 postures", outcome.err)
        identified = self.metrics_of("out")["metrics"]
        self.assertLess(identified["identify_holdout_rms_m"], 0.005)
        given = self.run_here("rise", "sts.c3d", "--robot", "sarcos_real", "--robot-model", "out/masses/identified.urdf",
                              "--json")
        self.assertIn("use the model out/masses/identified.urdf", given.err)
        metrics = strict_json(given.out)["metrics"]
        self.assertNotIn("identify_holdout_rms_m", metrics)
        self.assertAlmostEqual(metrics["com_x_error_rms_m"], identified["com_x_error_rms_m"], delta=1e-4)

    def test_a_person_analysed_before_is_taken(self):
        self.assertEqual(self.run_here("human", "sts.c3d", "--out", "person").code, 0)
        outcome = self.run_here("rise", "person", "--robot", "coman", "--chair-height", 0.25)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("analysed before", outcome.out)
        self.refuse_here(["rise", "person", "--robot", "coman", "--mass", 60], "is already analysed")

    def test_two_commands_make_a_robot_of_ones_own_stand_up(self):
        shutil.copy(ROBOTS / "coman" / "coman.urdf", self.folder / "mine.urdf")
        self.refuse_here(["rise", "sts.c3d", "--robot", "mine.urdf"], "aplomb info mine.urdf --write-yaml mine.yaml")
        self.assertEqual(self.run_here("info", "mine.urdf", "--write-yaml", "mine.yaml").code, 0)
        outcome = self.run_here("rise", "sts.c3d", "--robot", "mine.urdf", "--out", "out", "--json")
        self.assertTrue(strict_json(outcome.out)["metrics"]["stood_up"], outcome)
        self.assertIn("robot: \"../mine.urdf\"", (self.folder / "out/scenario.yaml").read_text())

    def test_bad_requests_are_refused(self):
        rise = ["rise", "sts.c3d", "--robot", "coman"]
        self.refuse_here(rise + ["--chair-height", 0.6], "--chair-height", "too high")
        self.refuse_here(rise + ["--chair-height", 60], "--chair-height", "is 0.6 m meant")
        self.refuse_here(rise + ["--rise", 2], "there is no number 2")
        self.refuse_here(rise + ["--robot-model", ROBOTS / "hoap3" / "hoap3.urdf"], "is not a model of robot 'coman'")
        self.refuse_here(rise + ["--forces", "none.mot"], "none.mot: no such file")
        self.refuse_here(["rise", "sts.c3d"], "--robot is missing")
        self.refuse_here(["rise", "sts.c3d", "--robot", "comann"], "closest is 'coman'")
        self.refuse_here(["rise", "none.c3d", "--robot", "coman"], "none.c3d: no such file")
        shutil.copy(self.folder / "sts.c3d", self.folder / "other.c3d")
        self.refuse_here(["rise", ".", "--robot", "coman"], "has 2 motions")


@unittest.skipIf(SANITIZED, "as above")
class PathsOnTheCommandLine(AppTest):
    def test_they_count_from_the_current_folder_and_those_of_a_file_from_the_file(self):
        self.assertEqual(self.run_here("demonstrate", "fast", "--out", "sts.c3d").code, 0)
        run = ["run", "sit_to_stand_coman", "--json", "--set"]
        whole = self.run_here(*run, "plan={demonstration: sts.c3d}")
        alone = self.run_here(*run, "plan.demonstration=sts.c3d")  # replaces the file's plan.style
        self.assertEqual(whole.code, 0, whole)
        self.assertEqual(alone.out.replace(strict_json(alone.out)["provenance"]["scenario_sha256"], ""),
                         whole.out.replace(strict_json(whole.out)["provenance"]["scenario_sha256"], ""))
        os.mkdir(self.folder / "there")
        text = ("scenario: mine\nrobot: coman\nworld: {floor: {friction: 1}, chair: {height_m: 0.25}}\nplan: {demonstration: ../sts.c3d}\n"
                "duration_s: 8\n")
        (self.folder / "there/mine.yaml").write_text(text)
        of_file = self.run_here("run", "there/mine.yaml", "--json")
        self.assertEqual(strict_json(of_file.out)["metrics"]["seat_off_planned_s"],
                         strict_json(whole.out)["metrics"]["seat_off_planned_s"], of_file.err)
        self.refuse_here(["run", "there/mine.yaml", "--set", "plan.demonstration=../sts.c3d"], "../sts.c3d")

    def test_a_planned_trajectory_replaces_the_plan(self):
        self.assertEqual(self.run_here("demonstrate", "fast", "--out", "sts.c3d").code, 0)
        planned = self.run_here("retarget", "sts.c3d", "--robot", "coman", "--chair-height", 0.28, "--out", "plan")
        self.assertEqual(planned.code, 0, planned)
        outcome = self.run_here("run", "sit_to_stand_coman", "--set", "reference.trajectory.folder=plan",
                                "--set", "world.chair.height_m=0.28")
        self.assertEqual(outcome.code, 0, outcome)


if __name__ == "__main__":
    unittest.main()
