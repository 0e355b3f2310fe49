"""Our C3D reader and force plates against ezc3d, on the recordings of others and on files of every processor.

    ezc3d_test.py PROGRAM    PROGRAM: print_c3d, which prints what we read

Ends with 77 (a skipped test) when ezc3d or the recordings are not there, and says so.
"""

import os
import pathlib
import subprocess
import sys
import unittest

try:
    import ezc3d
    import numpy as np
except ImportError as missing:
    print(f"NOT COMPARED with ezc3d: {missing}. `scripts/setup test` installs it (requirements/oracles.txt).")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "print_c3d"
SOURCE = pathlib.Path(os.environ.get("APLOMB_SOURCE_DIR", "."))
DATA = pathlib.Path(os.environ.get("APLOMB_TEST_DATA", SOURCE / "../shared/data")) / "c3d"
FILES = sorted(file for file in DATA.rglob("*") if file.suffix.lower() == ".c3d") if DATA.is_dir() else []
if not FILES:
    print(f"NOT COMPARED with ezc3d: no recordings in {DATA}; set APLOMB_TEST_DATA.")
    sys.exit(77)

SINGLE = 2.0 ** -22  # two bits less than single precision has: both programs round once or twice


class Ours:
    def __init__(self, file):
        done = subprocess.run([PROGRAM, file], check=True, capture_output=True)
        self.numbers = np.frombuffer(done.stdout, dtype=float)
        frames, points, samples, channels, plates = self.take(5).astype(int)
        self.points = self.take(frames * points * 3).reshape(frames, points, 3)
        self.analog = self.take(samples * channels).reshape(samples, channels)
        self.plates = self.take(plates * samples * 9).reshape(plates, samples, 3, 3)

    def take(self, count):
        taken, self.numbers = self.numbers[:count], self.numbers[count:]
        return taken


def difference(ours, theirs):
    """The largest one, over the largest value; where only one of the two has a value it is infinite."""
    if (np.isnan(ours) != np.isnan(theirs)).any():
        return np.inf
    return np.nanmax(np.abs(ours - theirs)) / np.nanmax(np.abs(theirs))


class AgreesWithEzc3d(unittest.TestCase):
    def test_markers_analog_values_forces_and_cops_agree_to_single_precision(self):
        for file in FILES:
            with self.subTest(file.name):
                self.compare(file)

    def compare(self, file):
        ours, theirs = Ours(file), ezc3d.c3d(str(file), extract_forceplat_data=True)
        points = np.moveaxis(theirs["data"]["points"][:3], 0, -1).swapaxes(0, 1)
        points[(points == 0).all(axis=2)] = np.nan  # a lost marker
        found = {"markers": difference(ours.points, points),
                 "analog": difference(ours.analog, theirs["data"]["analogs"][0].T)}
        metres = {"mm": 1e-3, "m": 1.0}
        for index, plate in enumerate(theirs["data"]["platform"]):
            loaded = ~np.isnan(ours.plates[index, :, 0, 0]) & (plate["force"][2] > 10)
            self.assertGreater(loaded.sum(), 0)
            mine, unit = ours.plates[index, loaded], metres[plate["unit_position"]]
            found[f"force {index + 1}"] = difference(mine[:, 0], plate["force"].T[loaded])
            found[f"cop {index + 1}"] = difference(mine[:, 1], unit * plate["center_of_pressure"].T[loaded])
            found[f"moment {index + 1}"] = difference(mine[:, 2], unit * plate["Tz"].T[loaded])
        print(file.name, {name: f"{value:.1e}" for name, value in found.items()})
        for name, value in found.items():
            self.assertLess(value, (20 if name.startswith("moment") else 4) * SINGLE, name)


if __name__ == "__main__":
    unittest.main()
