"""The exported human.osim against OpenSim: the same markers to 1 mm, mass, centre of mass and kinetic energy.

    osim_test.py PRINT_TRIAL    PRINT_TRIAL: prints what we have; APLOMB_PROGRAM: aplomb

Ends with 77 (a skipped test) when OpenSim is not there, and says so.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import opensim
except ImportError as missing:
    print(f"NOT COMPARED with OpenSim: {missing}. `scripts/setup check-all` installs it (requirements/check-all.txt).")
    sys.exit(77)

PRINT_TRIAL = sys.argv.pop(1) if len(sys.argv) > 1 else "print_trial"
PROGRAM = os.environ.get("APLOMB_PROGRAM", "aplomb")
STEP = 40
opensim.Logger.setLevelString("Error")


def ours(folder):
    lines = subprocess.run([PRINT_TRIAL, folder, str(STEP)], check=True, capture_output=True, text=True).stdout.splitlines()
    frames, markers, mass = int(float(lines[0])), int(float(lines[1])), float(lines[2])
    found, at = [], 3
    for _ in range(frames):
        values = list(map(float, lines[at:at + 5 + 3 * markers]))
        at += len(values)
        found.append({"time": values[0], "com": values[1:4], "energy": values[4],
                      "markers": [values[5 + 3 * i:8 + 3 * i] for i in range(markers)]})
    return mass, found, lines[at:]


def in_osim(ours_):
    return [ours_[0], ours_[2], -ours_[1]]


class Osim(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="aplomb_osim_")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def exported(self, *options):
        subprocess.run([PROGRAM, "demonstrate", "natural", "--seed", "3", "--out", self.folder / "rise.c3d"], check=True,
                       capture_output=True)
        subprocess.run([PROGRAM, "human", self.folder / "rise.c3d", "--out", self.folder / "out", *options], check=True,
                       capture_output=True)
        return self.folder / "out"

    def compare(self, *options):
        folder = self.exported(*options)
        mass, frames, labels = ours(folder)
        model = opensim.Model(str(folder / "human.osim"))
        state = model.initSystem()
        self.assertAlmostEqual(model.getTotalMass(state), mass, delta=1e-6)
        table = opensim.TimeSeriesTable(str(folder / "angles.mot"))
        coordinates = model.getCoordinateSet()
        names = set(table.getColumnLabels())
        for i in range(coordinates.getSize()):
            self.assertIn(coordinates.get(i).getName(), names)
        for number, frame in enumerate(frames):
            row = table.getRowAtIndex(number * STEP)
            self.assertAlmostEqual(table.getIndependentColumn()[number * STEP], frame["time"], delta=1e-6)
            for k, name in enumerate(table.getColumnLabels()):
                coordinate = coordinates.get(name)
                is_turn = name not in ("pelvis_tx", "pelvis_ty", "pelvis_tz")
                coordinate.setValue(state, row[k] * (3.141592653589793 / 180.0 if is_turn else 1.0), False)
                coordinate.setSpeedValue(state, 0.0 if name.startswith("pelvis_") else 1.0)
            model.realizeVelocity(state)
            com = model.calcMassCenterPosition(state)
            for axis, value in enumerate(in_osim(frame["com"])):
                self.assertAlmostEqual(com.get(axis), value, delta=1e-5)
            self.assertAlmostEqual(model.calcKineticEnergy(state), frame["energy"], delta=1e-3 * frame["energy"])
            for k, label in enumerate(labels):
                at = model.getMarkerSet().get(label).getLocationInGround(state)
                for axis, value in enumerate(in_osim(frame["markers"][k])):
                    self.assertAlmostEqual(at.get(axis), value, delta=1e-3, msg=label)

    def test_the_light_skeleton_is_the_same_body_in_opensim(self):
        self.compare()

    def test_the_large_skeleton_is_the_same_body_in_opensim(self):
        self.compare("--skeleton", "155")


if __name__ == "__main__":
    unittest.main()
