"""Ctrl-C and SIGTERM in the middle: exit 130 soon, one line, and nothing half-written."""

import os
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


class Interrupt(support.AppTest):
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

    def assert_stops(self, process: subprocess.Popen, number: signal.Signals):
        sent = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=support.PATIENCE_S)
        self.assertLess(time.monotonic() - sent, SOON_S)
        self.assertEqual((process.returncode, out, err), (130, "", "aplomb: interrupted, nothing was written\n"))

    def test_a_long_run_stops_and_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", "stand_balancer", "--set", "duration_s=600", "--out", "new/result")
            self.wait_for("new/.result.tmp-*")
            time.sleep(0.2)
            self.assert_stops(process, number)
            self.assertEqual(self.files_here(), [])

    def test_writing_a_long_log_stops_and_leaves_nothing(self):
        process = self.start("run", "stand_sarcos", "--set", "duration_s=15", "--out", "result")
        self.wait_for(".result.tmp-*/log.csv")
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


if __name__ == "__main__":
    unittest.main()
