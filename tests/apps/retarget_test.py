"""`aplomb retarget` as its users meet it: a demonstration made, analysed and given to a robot; and what cannot be."""

import math
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import support
from rise_bvh import rise_bvh

DATA = pathlib.Path(os.environ.get("APLOMB_TEST_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
DATA = DATA / "sit_to_stand"
FILES = ("trajectory.csv", "trajectory.npz", "trajectory.mot", "contacts.yaml", "metrics.json", "timing.json", "log.csv",
         "report.html")


class Retarget(support.AppTest):
    """The demonstrations are made once, for all tests: `self.natural` and `self.elderly`."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="aplomb_retarget_")
        cls.addClassCleanup(scratch.cleanup)
        cls.shared = pathlib.Path(scratch.name)
        cls.natural = cls.demonstrate("natural")
        cls.elderly = cls.demonstrate("elderly")

    @classmethod
    def demonstrate(cls, style: str, name: str = "", *options) -> pathlib.Path:
        file = cls.shared / f"{name or style}.c3d"
        done = support.aplomb("demonstrate", style, *options, "--out", file)
        assert done.code == 0, done
        return file

    def retargeted(self, *arguments) -> dict:
        done = self.run_here("retarget", *arguments, "--json")
        self.assertEqual(done.code, 0, done)
        return support.strict_json(done.out)

    def test_both_styles_are_retargeted_within_the_stated_errors(self):
        dips = []
        for file in (self.natural, self.elderly):
            done = self.run_here("human", file, "--out", file.stem)
            self.assertEqual(done.code, 0, done)
            result = self.retargeted(file.stem, "--robot", "sarcos_real", "--out", f"{file.stem}_rise")
            metrics = result["metrics"]
            self.assertEqual(result["verb"], "retarget")
            self.assertEqual(metrics["infeasible_frames"], 0)
            self.assertLess(metrics["com_target_shift_max_m"], 0.005)
            self.assertLess(metrics["marker_rms_m"], 0.03)
            self.assertLess(metrics["trunk_angle_error_rms_rad"], math.radians(10))
            self.assertLess(metrics["trunk_angle_end_error_rad"], math.radians(8))
            self.assertLess(metrics["arm_angle_error_rms_rad"], math.radians(25))
            self.assertGreater(metrics["zmp_margin_planned_min_m"], 0.025)
            self.assertLess(metrics["joint_speed_max_rad_per_s"], 7.0)
            self.assertEqual(metrics["slowdown"], 1.0)
            self.assertLess(metrics["plan_jerk_rms_rad_per_s3"], 300.0)
            dips.append(metrics["com_dip_m"])
            for name in FILES:
                self.assertTrue((self.folder / f"{file.stem}_rise" / name).is_file(), name)
        self.assertGreater(dips[1], 1.5 * dips[0])

    def test_in_mode_hard_the_com_is_an_equation(self):
        metrics = self.retargeted(self.natural, "--robot", "sarcos_real", "--mode", "hard")["metrics"]
        self.assertLess(metrics["com_residual_max_m"], 1e-6)

    def test_a_recording_is_analysed_first_and_the_map_is_printed(self):
        self.write("map.yaml", "head: none\n")
        done = self.run_here("retarget", self.natural, "--robot", "sarcos_real", "--map", "map.yaml")
        self.assertEqual(done.code, 0, done)
        for text in ("left_thigh", "given", "seat-off"):
            self.assertIn(text, done.out)

    def test_many_motions_make_a_table_and_a_failed_one_does_not_stop_the_rest(self):
        self.write("bad.trc", "no recording")
        tables = []
        for jobs in (1, 2):
            done = self.run_here("retarget", self.natural, "bad.trc", self.elderly, "--robot", "talos", "--no-zmp",
                                 "--jobs", jobs, "--out", f"out{jobs}")
            self.assertEqual(done.code, 1, done)
            self.assertIn("bad.trc", done.err)
            tables.append((self.folder / f"out{jobs}" / "motions.csv").read_text())
        self.assertEqual(tables[0], tables[1])
        for name in ("natural", "elderly"):
            files = [(self.folder / out / name / "trajectory.csv").read_bytes() for out in ("out1", "out2")]
            self.assertEqual(files[0], files[1], name)

    @unittest.skipIf(support.SANITIZED, "minutes under sanitizers; reading BVH and retargeting are tested one by one")
    def test_the_joints_of_a_bvh_skeleton_are_markers_too(self):
        self.write("rise.bvh", rise_bvh())
        done = self.run_here("retarget", "rise.bvh", "--robot", "talos", "--out", "rise", "--json")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (0, "pass"), done)
        self.assertEqual(result["metrics"]["infeasible_frames"], 0)
        self.assertLess(result["metrics"]["com_target_shift_max_m"], 0.02)
        for name in FILES:
            self.assertTrue((self.folder / "rise" / name).is_file(), name)

    def start_many(self, out: str) -> subprocess.Popen:
        process = subprocess.Popen([support.PROGRAM, "retarget", self.natural, self.elderly, "--robot", "coman",
                                    "--no-zmp", "--jobs", "1", "--out", out], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        end = time.monotonic() + support.PATIENCE_S
        while not list(self.folder.glob(f"{out}.partial/motion_*.item")):
            self.assertLess(time.monotonic(), end, "the first motion is not finished")
            time.sleep(0.002)
        return process

    @unittest.skipIf(support.SANITIZED, "minutes under sanitizers; other tests interrupt and resume repeats there")
    def test_ctrl_c_leaves_nothing_half_written_and_a_killed_command_resumes(self):
        process = self.start_many("result")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=support.PATIENCE_S)
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertFalse((self.folder / "result").exists())
        self.start_many("killed").kill()
        arguments = ["retarget", self.natural, self.elderly, "--robot", "coman", "--no-zmp", "--out"]
        resumed = self.run_here(*arguments, "killed")
        self.assertIn(resumed.code, (0, 1), resumed)  # frame by frame, the forces may leave the soles
        self.assertRegex(resumed.err, "resuming after [12] finished motions")  # the second may just have been done
        whole = self.run_here(*arguments, "whole")
        self.assertEqual((whole.code, whole.out), (resumed.code, resumed.out))
        for name in ("natural/trajectory.csv", "elderly/contacts.yaml", "motions.csv"):
            self.assertEqual((self.folder / "killed" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())

    def test_another_persons_model_and_another_trials_plates_are_refused_unless_forced(self):
        tall = self.demonstrate("natural", "tall", "--height", 1.95, "--seed", 5)
        self.assertEqual(self.run_here("human", tall, "--out", "tall").code, 0)
        arguments = ["retarget", self.natural, "--robot", "talos", "--no-zmp"]
        self.refuse_here([*arguments, "--model", "tall"], "another subject", "--force")
        self.refuse_here([*arguments, "--forces", self.elderly], "plates", "--force")
        done = self.run_here(*arguments, "--forces", self.elderly, "--force", "--json")
        self.assertEqual(support.strict_json(done.out)["metrics"]["infeasible_frames"], 0)

    def test_a_motion_beyond_the_robots_limits_fails_by_name(self):
        done = self.run_here("retarget", self.elderly, "--robot", "hoap3", "--json", "--out", "rise")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (1, "fail"), done.err)
        failed = {check["metric"] for check in result["checks"] if not check["ok"]}
        self.assertIn("plan_torque_ratio_max", failed)  # its arms are too weak to balance it
        self.assertTrue((self.folder / "rise/trajectory.csv").is_file())  # to look at

    def test_infeasible_requests_are_refused_in_one_line(self):
        for height in (5, "low"):
            self.refuse_here(["retarget", self.natural, "--robot", "coman", "--chair-height", height], "--chair-height",
                             "'auto'")
        self.refuse_here(["retarget", self.natural, "--robot", "nobody"], "nobody")
        self.refuse_here(["retarget", "missing.c3d", "--robot", "coman"], "missing.c3d")
        self.write("map.yaml", "tail: head\n")
        self.refuse_here(["retarget", self.natural, "--robot", "coman", "--map", "map.yaml"], "tail")
        self.refuse_here(["retarget", self.demonstrate("squat"), "--robot", "coman"], "seat")


    def test_on_a_chair_too_low_to_sit_on_the_nearest_plan_is_written_and_fails(self):
        done = self.run_here("retarget", self.natural, "--robot", "coman", "--chair-height", 0.1, "--out", "low", "--json")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (1, "fail"), done.err)
        failed = {check["metric"]: check for check in result["checks"] if not check["ok"]}
        self.assertIn("too low for this robot's legs", failed["chair_height_m"]["reason"])
        self.assertGreater(result["metrics"]["chair_height_m"], 0.15)
        self.assertTrue((self.folder / "low/trajectory.csv").is_file())

    def test_contacts_may_be_given_and_must_not_contradict_the_recording(self):
        arguments = [self.natural, "--robot", "coman", "--mode", "frames", "--contacts"]
        self.write("later.yaml", "contacts:\n  - {name: seat, start_s: 0, end_s: 1.1}\n")
        found = self.retargeted(*arguments[:-1])["metrics"]["seat_off_planned_s"]
        # The contacts decide when the seat is left; the joints then are a little too fast, frame by frame.
        later = support.strict_json(self.run_here("retarget", *arguments, "later.yaml", "--json").out)
        self.assertGreater(later["metrics"]["seat_off_planned_s"], found + 0.05)
        for name, text, reason in (
                ("standing", "{name: seat, start_s: 0, end_s: 3.3}", "upright"),
                ("twice", "{name: seat, start_s: 0, end_s: 1}\n  - {name: seat, start_s: 0.5, end_s: 1.1}", "overlaps"),
                ("reversed", "{name: seat, start_s: 1, end_s: 0}", "ends at"),
                ("jump", "{name: left_foot, start_s: 0, end_s: 1}\n  - {name: right_foot, start_s: 0, end_s: 1}",
                 "neither foot")):
            self.write(f"{name}.yaml", f"contacts:\n  - {text}\n")
            self.refuse_here(["retarget", *arguments, f"{name}.yaml"], reason)

    @unittest.skipIf(support.SANITIZED, "some ten plans: minutes under sanitizers; the search is tested in one")
    def test_the_lowest_chair_is_found_and_what_forbids_a_lower_one_is_said(self):
        done = self.run_here("retarget", self.natural, "--robot", "icub", "--chair-height", "auto", "--json")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (0, "pass"), done.err)
        metrics = result["metrics"]
        self.assertGreater(len(metrics["chair_lower_forbidden_by"]), 10)
        self.assertGreater(metrics["chair_heights_tried"], 2)
        again = self.run_here("retarget", self.natural, "--robot", "icub", "--chair-height",
                              f"{metrics['chair_height_m'] - 0.02:.4f}", "--json")
        self.assertEqual(again.code, 1, again)


class ResultFolders(support.AppTest):
    def test_a_folder_of_another_verb_is_named_and_not_read_as_recordings(self):
        self.run_here("run", "stand_coman", "--set", "duration_s=0.01", "--out", "stood")
        self.refuse_here(["retarget", "stood", "--robot", "coman"], "stood: is a result of aplomb without an analysed",
                         "`aplomb human`")


@unittest.skipUnless(DATA.is_dir(), f"no recordings in {DATA}: set APLOMB_TEST_DATA")
@unittest.skipIf(support.SANITIZED, "minutes under sanitizers")
class RetargetARecording(support.AppTest):
    def test_a_recorded_rise_is_planned_at_the_persons_speed_and_likeness_within_the_limits(self):
        done = self.run_here("retarget", DATA / "STS1.trc", "--static", DATA / "static1.trc", "--robot", "sarcos_real",
                             "--rise", 5, "--json")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (0, "pass"), done.err)
        metrics = result["metrics"]
        self.assertEqual((metrics["infeasible_frames"], metrics["slowdown"]), (0, 1.0))
        self.assertLess(metrics["plan_com_deviation_max_m"], 0.02)
        self.assertLess(metrics["trunk_angle_end_error_rad"], math.radians(8))
        self.assertLess(metrics["trunk_angle_error_rms_rad"], math.radians(12))

    def test_frame_by_frame_its_forces_leave_the_soles_and_it_fails(self):
        done = self.run_here("retarget", DATA / "STS1.trc", "--static", DATA / "static1.trc", "--robot", "sarcos_real",
                             "--rise", 5, "--mode", "frames", "--json")
        result = support.strict_json(done.out)
        self.assertEqual((done.code, result["verdict"]), (1, "fail"), done.err)
        failed = {check["metric"] for check in result["checks"] if not check["ok"]}
        self.assertIn("plan_torque_ratio_max", failed)


if __name__ == "__main__":
    unittest.main()
