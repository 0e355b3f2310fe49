"""mjlab's own motion loader and its G1, from the wheel that `make check-all` installs (requirements/tools.txt).

The loader is the class in mjlab's source as it is. It needs torch only to keep arrays; NumPy stands in for it here, because
the torch of PyPI does not start without CUDA."""

import json
import pathlib
import shutil
import subprocess
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".venv" / "bin" / "python"
PACKAGES = sorted((ROOT / ".venv" / "lib").glob("python3*/site-packages/mjlab"))

LOAD = """
import ast, json, pathlib, sys, types
import numpy
source = pathlib.Path(sys.argv[1]).read_text()
loader = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "MotionLoader")
torch = types.SimpleNamespace(Tensor=numpy.ndarray, float32=numpy.float32,
                              tensor=lambda values, dtype, device: numpy.asarray(values, dtype=dtype))
names = {"np": numpy, "torch": torch}
exec(compile(ast.Module(body=[loader], type_ignores=[]), "commands.py", "exec"), names)
motion = names["MotionLoader"](sys.argv[2], numpy.array([0, 6, 29]))
print(json.dumps({"frames": motion.time_step_total, "joints": motion.joint_pos.tolist(), "rates": motion.joint_vel.tolist(),
                  "bodies": motion.body_pos_w.tolist(), "quaternions": motion.body_quat_w.tolist(),
                  "linear": motion.body_lin_vel_w.tolist(), "angular": motion.body_ang_vel_w.tolist()}))
"""


@unittest.skipUnless(PACKAGES and PYTHON.exists(), "mjlab is not in .venv: `scripts/setup check-all` installs it")
class Mjlab(support.AppTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(PACKAGES[0] / "asset_zoo" / "robots" / "unitree_g1" / "xmls", self.folder / "xmls")
        outcome = self.run_here("info", "xmls/g1.xml", "--write-yaml", "xmls/g1.yaml")
        self.assertEqual(outcome.code, 0, outcome.err)

    def test_its_loader_reads_what_convert_writes(self):
        # The base walks along x at 0.6 m/s and turns; joint k moves at 0.01 k rad/s.
        rows = []
        for i in range(61):
            joints = ",".join(repr(0.01 * k * i / 60) for k in range(29))
            rows.append(f"{0.01 * i!r},0,0.8,0,0,0.6,0.8,{joints}\n")
        self.write("walk.csv", "".join(rows))
        outcome = self.run_here("convert", "walk.csv", "walk.npz", "--robot", "xmls/g1.xml", "--quaternion", "xyzw")
        self.assertEqual(outcome.code, 0, outcome.err)
        done = subprocess.run([PYTHON, "-c", LOAD, PACKAGES[0] / "tasks" / "tracking" / "mdp" / "commands.py",
                               self.folder / "walk.npz"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        motion = json.loads(done.stdout)
        self.assertEqual(motion["frames"], 61)
        for k in range(29):
            self.assertAlmostEqual(motion["joints"][60][k], 0.01 * k, places=6)
            self.assertAlmostEqual(motion["rates"][30][k], 0.01 * k, places=5)
        self.assertAlmostEqual(motion["bodies"][60][0][0], 0.6, places=6)
        for got, expected in zip(motion["quaternions"][30][0], (0.8, 0.0, 0.0, 0.6)):  # wxyz
            self.assertAlmostEqual(abs(got), expected, places=6)
        for body in range(3):
            self.assertAlmostEqual(motion["linear"][30][0][0], 0.6, places=4)
            self.assertEqual(len(motion["angular"][30][body]), 3)

    def test_its_g1_stands(self):
        outcome = self.run_here("run", "stand_g1", "--set", "robot=xmls/g1.yaml", "--json")
        self.assertEqual(outcome.code, 0, outcome.out + outcome.err)
        self.assertFalse(support.strict_json(outcome.out)["metrics"]["fell"])


if __name__ == "__main__":
    unittest.main()
