"""Ctrl-C, SIGTERM and SIGKILL in the middle: nothing half-written, and what resumes is of the same inputs."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

import support

SOON_S = 3 * (10 if support.SANITIZED else 1)


def default_signals():
    """A shell that starts a test in the background lets it ignore Ctrl-C; here it shall count."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Stopped(support.AppTest):
    def start(self, *arguments) -> subprocess.Popen:
        process = subprocess.Popen([support.PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, preexec_fn=default_signals)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, pattern: str):
        """Until a file of that pattern is there (hidden ones too)."""
        end = time.monotonic() + support.PATIENCE_S
        while not list(self.folder.glob(pattern)):
            self.assertLess(time.monotonic(), end, f"no {pattern} comes")
            time.sleep(0.001)

    def kill_after(self, pattern: str, *arguments):
        """Starts the program and kills it when a file of that pattern is there."""
        process = self.start(*arguments)
        self.wait_for(pattern)
        process.kill()
        process.wait()

    def assert_stops(self, process: subprocess.Popen, number: signal.Signals):
        sent = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=support.PATIENCE_S)
        self.assertLess(time.monotonic() - sent, SOON_S)
        self.assertEqual((process.returncode, out, err), (130, "", "aplomb: interrupted, nothing was written\n"))


class Interrupt(Stopped):
    def test_a_long_run_stops_and_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", "stand_balancer", "--set", "duration_s=600", "--out", "new/result")
            self.wait_for("new/.result.tmp-*")
            time.sleep(0.2)
            self.assert_stops(process, number)
            self.assertEqual(self.files_here(), [])

    def test_writing_a_long_log_stops_and_leaves_nothing(self):
        process = self.start("run", "stand_sarcos", "--set", "duration_s=15", "--out", "result")
        self.wait_for(".result.tmp-*/result/.aplomb-*")  # the log, not yet complete
        self.assert_stops(process, signal.SIGINT)
        self.assertEqual(self.files_here(), [])

    def test_an_earlier_result_stays_as_it_was(self):
        self.assertEqual(self.run_here("run", "stand_balancer", "--set", "duration_s=0.1", "--out", "result").code, 0)
        before = {name: (self.folder / "result" / name).read_bytes() for name in os.listdir(self.folder / "result")}
        process = self.start("run", "stand_balancer", "--set", "duration_s=600", "--out", "result")
        self.wait_for(".result.tmp-*")
        self.assert_stops(process, signal.SIGINT)
        after = {name: (self.folder / "result" / name).read_bytes() for name in os.listdir(self.folder / "result")}
        self.assertTrue(before == after)
        self.assertEqual(os.listdir(self.folder), ["result"])

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        process = self.start("run", "stand_balancer", "--set", "duration_s=600", "--out", "result")
        self.wait_for(".result.tmp-*")
        process.kill()
        process.wait()
        self.assertEqual(self.run_here("run", "stand_balancer", "--set", "duration_s=0.1", "--out", "result").code, 0)
        self.assertEqual(os.listdir(self.folder), ["result"])

    def test_a_benchmark_stops(self):
        process = self.start("bench", "--json")
        time.sleep(0.5)
        self.assert_stops(process, signal.SIGINT)


class Kill(Stopped):
    def test_no_kill_leaves_a_damaged_result(self):
        command = ("run", "stand_balancer", "--set", "duration_s=0.2", "--set", "vary.world.floor.friction=[0.2,0.9]",
                   "--repeat", "12", "--jobs", "2", "--out", "result")
        begin = time.monotonic()
        self.assertEqual(self.run_here(*command[:-1], "whole").code, 0)
        duration_s = time.monotonic() - begin
        times = random.Random(24)
        num_killed = 0
        for number in range(36):
            if number % 6 == 0:
                shutil.rmtree(self.folder / "result", ignore_errors=True)
            process = self.start(*command)
            try:
                process.wait(timeout=times.uniform(0.0, 1.2 * duration_s))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                num_killed += 1
            if (self.folder / "result").exists():
                self.assertTrue(support.has_all_its_files(self.folder / "result"), number)
        self.assertGreater(num_killed, 9)
        done = self.run_here(*command)
        self.assertEqual(done.code, 0, done)
        for path in (self.folder / "whole").iterdir():
            if path.name != "timing.json":
                self.assertTrue(path.read_bytes() == (self.folder / "result" / path.name).read_bytes(), path.name)
        self.assertEqual(sorted(os.listdir(self.folder)), ["result", "whole"])

    def test_a_killed_file_leaves_the_earlier_one(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "a.c3d").code, 0)
        before = (self.folder / "a.c3d").read_bytes()
        self.kill_after(".a.c3d.tmp-*", "demonstrate", "natural", "--out", "a.c3d")
        self.assertEqual((self.folder / "a.c3d").read_bytes(), before)
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "a.c3d").code, 0)
        self.assertEqual(os.listdir(self.folder), ["a.c3d"])


class Resume(Stopped):
    """After a kill, a result is of one set of inputs: the present ones."""

    def assert_same_result(self, a: str, b: str):
        names = sorted(str(path.relative_to(self.folder / a)) for path in (self.folder / a).rglob("*"))
        self.assertEqual(names, sorted(str(path.relative_to(self.folder / b)) for path in (self.folder / b).rglob("*")))
        for name in names:
            if not name.endswith("timing.json") and (self.folder / a / name).is_file():
                self.assertTrue((self.folder / a / name).read_bytes() == (self.folder / b / name).read_bytes(), name)

    def test_runs_of_another_robot_are_made_again(self):
        robots = pathlib.Path(support.PROGRAM).resolve().parent / "share/aplomb/robots"
        if not robots.exists():
            robots = robots.parents[3] / "share/aplomb/robots"
        for ending in ("urdf", "yaml"):
            shutil.copy(robots / "balancer" / f"balancer.{ending}", self.folder / f"mine.{ending}")
        yaml = self.folder / "mine.yaml"
        yaml.write_text("".join(line for line in yaml.read_text().splitlines(True) if not line.startswith("urdf:")))
        command = ("run", "stand_balancer", "--set", "robot=./mine.urdf", "--set", "duration_s=1", "--repeat", "12",
                   "--jobs", "1", "--out")
        self.kill_after("out.partial/run_*.item", *command, "out")
        yaml.write_text(yaml.read_text() + "\n# the same robot, another file\n")
        resumed = self.run_here(*command, "out")
        self.assertIn(resumed.code, (0, 1), resumed)
        self.assertIn("made again, because a file that they were made from has changed", resumed.err)
        self.assertEqual(self.run_here(*command, "fresh").code, resumed.code)
        self.assert_same_result("out", "fresh")

    def test_the_files_that_a_scenario_names_are_inputs(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "person.c3d").code, 0)
        self.kill_after("out.partial/run_*.item", "run", "sit_to_stand_natural", "--set",
                        f"plan={{demonstration: {self.folder}/person.c3d}}", "--set", "vary={}", "--set",
                        "duration_s=0.02", "--repeat", "500", "--jobs", "1", "--out", "out")
        item = next((self.folder / "out.partial").glob("run_*.item")).read_bytes()
        for name in (f"{self.folder}/person.c3d", "sarcos_real.urdf", "sarcos_real.yaml"):
            self.assertIn(name.encode(), item)

    def test_motions_of_another_static_trial_are_made_again_and_others_kept(self):
        for seed, name in ((1, "a"), (2, "b"), (3, "still")):
            done = self.run_here("demonstrate", "natural", "--seed", str(seed), "--out", f"{name}.c3d", "--static",
                                 f"{name}_still.c3d")
            self.assertEqual(done.code, 0, done)
        command = ("retarget", "a.c3d", "b.c3d", "--robot", "coman", "--no-zmp", "--force", "--jobs", "1", "--static",
                   "still.c3d", "--out")
        shutil.copy(self.folder / "a_still.c3d", self.folder / "still.c3d")
        self.kill_after("out.partial/motion_*.item", *command, "out")
        self.assertIn("resuming after 1 finished motions", self.run_here(*command, "out").err)
        shutil.rmtree(self.folder / "out")
        self.kill_after("out.partial/motion_*.item", *command, "out")
        self.assert_refused(self.run_here(*command[:-1], "--skeleton", "155", "--out", "out"), "options differ")
        shutil.copy(self.folder / "still_still.c3d", self.folder / "still.c3d")  # another person's, under that name
        resumed = self.run_here(*command, "out")
        self.assertIn("1 finished motions are made again", resumed.err)
        self.assertEqual(self.run_here(*command, "fresh").code, resumed.code)
        self.assert_same_result("out", "fresh")

    def test_a_command_that_failed_does_not_block_its_cure(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "natural.c3d").code, 0)
        command = ("retarget", "natural.c3d", "--robot", "coman", "--no-zmp", "--out", "out")
        self.assert_refused(self.run_here(*command, "--rise", "9"), "natural")
        self.assertEqual(self.files_here(), ["natural.c3d"])
        self.assertIn(self.run_here(*command, "--rise", "1").code, (0, 1))

    def test_an_error_is_not_repeated_after_its_cause_was_repaired(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "a.c3d").code, 0)
        shutil.copy(self.folder / "a.c3d", self.folder / "c.c3d")
        self.write("b.c3d", (self.folder / "a.c3d").read_bytes()[:3000])
        command = ("retarget", "b.c3d", "a.c3d", "c.c3d", "--robot", "coman", "--no-zmp", "--jobs", "1", "--out", "out")
        self.kill_after("out.partial/motion_*.item", *command)
        shutil.copy(self.folder / "a.c3d", self.folder / "b.c3d")
        resumed = self.run_here(*command)
        self.assertIn(resumed.code, (0, 1), resumed)
        self.assertNotIn("skipped", resumed.err)
        self.assertTrue((self.folder / "out/b/metrics.json").exists())


if __name__ == "__main__":
    unittest.main()
