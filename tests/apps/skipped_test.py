"""A test that does not run must not look as if it had passed: ctest shows it as skipped, `make test` counts it."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import support

BUILD = pathlib.Path(os.environ.get("APLOMB_BUILD_DIR", "build")).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
NEED_RECORDINGS = r"FromARecording|ezc3d|RealFiles"


class WithoutRecordings(support.AppTest):
    def run_tests(self, pattern):
        # A folder of its own: ctest writes its log where it is run, and an outer ctest writes the build folder's.
        includes = [f'include("{BUILD}/tests/{room}/CTestTestfile.cmake")' for room in ("apps", "recording")]
        self.write("CTestTestfile.cmake", "\n".join(includes))
        (self.folder / "empty").mkdir()
        return subprocess.run([sys.executable, "-B", ROOT / "scripts/run-tests", self.folder, "-R", pattern],
                              env=os.environ | {"APLOMB_TEST_DATA": str(self.folder / "empty")}, capture_output=True,
                              text=True, timeout=support.PATIENCE_S)

    def test_what_needs_them_shows_as_skipped_and_is_counted(self):
        done = self.run_tests(NEED_RECORDINGS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        tests = re.findall(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*(.*?) +[\d.]+ sec$", done.stdout, re.M)
        self.assertGreater(len(tests), 6, done.stdout)
        self.assertEqual([name for name, outcome in tests if outcome != "***Skipped"], [], done.stdout)
        last = done.stdout.strip().splitlines()[-1]
        self.assertRegex(last, rf"\Askipped: {len(tests)} of {len(tests)} tests, \d+ cases: \d+ no recordings ")

    def test_a_class_that_would_hide_skipped_cases_fails(self):
        self.write("mixed_test.py", "import unittest\nclass Mixed(unittest.TestCase):\n"
                   "    def test_one(self): pass\n"
                   "    def test_two(self): self.skipTest('no recordings: set APLOMB_TEST_DATA')\n")
        done = subprocess.run([sys.executable, "-B", ROOT / "tests/run_cases.py", "mixed_test.py", "Mixed"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("put them into a class of their own", done.stdout)


if __name__ == "__main__":
    unittest.main()
