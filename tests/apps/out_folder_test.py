"""`--out`: what is in it, and that it is written whole or not at all."""

import os
import resource
import shutil
import subprocess
import unittest

import support
from support import strict_json

RUN = ("run", "stand_balancer", "--set", "duration_s=0.5")
FILES = ["log.csv", "log.npz", "metrics.json", "report.html", "timing.json"]
NOBODY = 65534


class Result(support.AppTest):
    def test_the_folder_holds_metrics_timing_logs_and_report(self):
        outcome = self.run_here(*RUN, "--out", "deep/er/result")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(sorted(os.listdir(self.folder / "deep/er/result")), FILES)
        self.assertEqual(os.listdir(self.folder / "deep/er"), ["result"])
        self.assertEqual(outcome.err, "report: deep/er/result/report.html\n")
        timing = strict_json((self.folder / "deep/er/result/timing.json").read_text())
        self.assertLessEqual({"control_cycle_us_p50", "control_cycle_us_p99", "control_cycle_us_max",
                              "realtime_factor", "wall_s"}, set(timing))

    def test_the_log_has_one_row_a_tick_and_its_formats_can_be_chosen(self):
        for formats, files in (("csv", ["log.csv"]), ("npz", ["log.npz"]), ("npz,csv", ["log.csv", "log.npz"])):
            self.assertEqual(self.run_here(*RUN, "--out", "result", "--log", formats).code, 0)
            logs = [name for name in sorted(os.listdir(self.folder / "result")) if name.startswith("log.")]
            self.assertEqual(logs, files)
        header, *rows = (self.folder / "result/log.csv").read_text().splitlines()
        self.assertEqual(len(rows), 500)
        self.assertEqual(header.split(",")[0], "time_s")
        self.assertEqual({row.count(",") for row in rows}, {header.count(",")})
        self.assertEqual(float(rows[-1].split(",")[0]), 0.5)

    def test_without_out_nothing_is_written(self):
        self.assertEqual(self.run_here(*RUN).code, 0)
        self.assertEqual(self.files_here(), [])

    def test_an_earlier_result_is_replaced_whole(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result", "--log", "csv").code, 0)
        self.assertEqual(self.run_here(*RUN, "--out", "result/", "--log", "npz").code, 0)
        self.assertEqual(sorted(os.listdir(self.folder / "result")), [name for name in FILES if name != "log.csv"])
        self.assertEqual(os.listdir(self.folder), ["result"])

    def test_the_same_seed_gives_the_same_bytes_times_aside(self):
        push = ("--set", "events=[{push: {force_per_weight: [0.05, 0.02, 0], start_s: 0.1}}]", "--set", "seed=7")
        for scenario in ("stand_sarcos", "stand_hoap3"):
            for name in ("a", "b"):
                outcome = self.run_here("run", scenario, "--set", "duration_s=0.6", *push, "--out", name)
                self.assertIn(outcome.code, (0, 1), outcome)
            for name in FILES:
                if name == "timing.json":
                    continue
                a, b = ((self.folder / run / name).read_bytes() for run in ("a", "b"))
                self.assertTrue(a == b, f"{scenario}: {name} differs")


class Unwritable(support.AppTest):
    def refuse(self, out, *words):
        self.refuse_here([*RUN, "--out", out], *words)

    def test_a_path_that_cannot_be_a_folder_is_refused(self):
        self.write("file", "mine")
        self.refuse("file", "file", "not a folder")
        self.refuse("file/result", "file/result")
        self.refuse("/proc/result", "/proc/result")
        self.refuse("/dev/null", "/dev/null")
        self.refuse("", "empty")
        self.refuse(".", "folder of its own")
        self.refuse("/", "folder of its own")
        self.refuse("x" * 300, "x" * 300)
        self.assertEqual((self.folder / "file").read_text(), "mine")

    def test_a_folder_with_the_files_of_others_is_not_touched(self):
        (self.folder / "thesis").mkdir()
        self.write("thesis/chapter1.tex", "years of work")
        self.refuse("thesis", "thesis", "will not be overwritten")
        self.assertEqual((self.folder / "thesis/chapter1.tex").read_text(), "years of work")

    def test_a_refused_out_comes_before_the_work(self):
        self.write("file", "")
        # An hour of simulated time takes minutes; the answer may not.
        self.refuse_here(["run", "stand_balancer", "--set", "duration_s=3600", "--out", "file"], "not a folder")

    def test_a_folder_without_the_right_to_write_is_refused(self):
        (self.folder / "locked").mkdir()
        self.folder.chmod(0o755)
        (self.folder / "locked").chmod(0o555)
        options = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        try:
            self.run_here("--version", **options)
        except PermissionError:
            self.skipTest("the program lies where only root can run it")
        self.assert_refused(self.run_here(*RUN, "--out", "locked/result", **options), "locked", "Permission denied")
        self.assertEqual(self.files_here(), ["locked"])


class Full(support.AppTest):
    """The run is fine, its files do not fit: as if `--out` had never been given, but for the error."""

    def test_a_limit_on_the_size_of_files_is_an_error_and_nothing_is_left(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        outcome = self.run_here(*RUN, "--out", "new/result", preexec_fn=limit)
        self.assert_refused(outcome, "new/result/log.csv", "File too large")
        self.assertEqual(self.files_here(), [])

    def test_a_full_disk_is_an_error_and_nothing_is_left(self):
        self.in_tiny_disk("", [])

    def test_a_full_disk_leaves_the_earlier_result_as_it_was(self):
        self.in_tiny_disk('mkdir disk/result; echo \'{"schema": 1, "verb": "run"}\' >disk/result/metrics.json;',
                          ["disk/result", "disk/result/metrics.json"])

    def in_tiny_disk(self, prepare: str, left: list[str]):
        """A file system of 64 kB, which only these commands can see."""
        (self.folder / "disk").mkdir()
        enter = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
        mount = "mount -t tmpfs -o size=64k tmpfs disk"
        probe = shutil.which("unshare") and subprocess.run([*enter, "/bin/sh", "-c", mount], cwd=self.folder,
                                                           capture_output=True)
        if not probe or probe.returncode != 0:
            self.skipTest("no right to mount a small file system here")
        script = f'{mount} && {prepare} "$0" "$@"; code=$?; find disk -mindepth 1; exit $code'
        done = subprocess.run([*enter, "/bin/sh", "-c", script, support.PROGRAM, *RUN, "--out", "disk/result"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assert_refused(support.Outcome(done.returncode, "", done.stderr), "disk/result/", "No space left")
        self.assertEqual(sorted(done.stdout.splitlines()), left)


if __name__ == "__main__":
    unittest.main()
