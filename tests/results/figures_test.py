"""The fast rows of the results book, measured again with this build."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Figures(unittest.TestCase):
    def test_the_fast_rows_of_the_book_are_what_this_build_measures(self):
        done = subprocess.run([ROOT / "scripts" / "results", "--remeasure", "--jobs", "1", "--program",
                               os.environ["APLOMB_PROGRAM"]], capture_output=True, text=True)
        print(done.stdout.strip().splitlines()[-1] if done.stdout else "")
        for name in re.findall(r"(\S+): skipped, it needs the recordings", done.stderr):
            print(f"skipped: results.{name}: the row needs the recordings of APLOMB_TEST_DATA")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
