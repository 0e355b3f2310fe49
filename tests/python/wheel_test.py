"""The wheel in environments of its own: the command, the examples, and beside another Pinocchio and MuJoCo.

Run by ctest, which says where the build folder is (APLOMB_BUILD_DIR). What downloads packages is long (APLOMB_LONG_TESTS=1).
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("APLOMB_BUILD_DIR", ROOT / "build"))
EXAMPLES = ROOT / "examples" / "python"
NEED_PACKAGES = {"04_mujoco_loop.py", "05_gymnasium.py"}
LONGEST_IMPORT_S = 0.2

_made = {}


def wheel():
    """The wheel of the build folder, made once."""
    if not _made:
        folder = tempfile.TemporaryDirectory()
        done = subprocess.run([ROOT / "scripts" / "make-wheel", BUILD, folder.name], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"make-wheel: {done.stdout}{done.stderr}")
        _made["folder"], _made["wheel"] = folder, next(Path(folder.name).glob("*.whl"))
    return _made["wheel"]


class WheelTest(unittest.TestCase):
    """Each class has an environment of its own, with the wheel in it."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.environment = cls.folder / "environment"
        venv.create(cls.environment, with_pip=False)
        cls.python = cls.environment / "bin" / "python"
        cls.pip("--no-deps", str(wheel()))
        cls.site = next(cls.environment.glob("lib/python3*/site-packages"))

    @classmethod
    def pip(cls, *arguments):
        subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", cls.python, "install",
                        "--quiet", *arguments], check=True, stdout=subprocess.DEVNULL)

    def run_there(self, *command):
        """In an empty folder, with nothing of this process's environment."""
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)}, timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


@unittest.skipUnless(os.environ.get("APLOMB_LONG_TESTS"), "long: makes a wheel in the build folder that other tests use")
class Wheel(WheelTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # NumPy, which pip would download: a link to the one that set-up installed.
        import numpy
        for part in Path(numpy.__file__).parents[1].glob("numpy*"):
            (cls.site / part.name).symlink_to(part)

    def libraries(self):
        package = self.site / "aplomb"
        found = [*package.glob("lib/*.so"), *package.glob("_aplomb*.so"), package / "bin" / "aplomb"]
        self.assertGreater(len(found), 20)
        return found

    def test_its_name_states_python_and_platform(self):
        python = f"cp3{sys.version_info[1]}-cp3{sys.version_info[1]}" if sys.version_info < (3, 12) else "cp312-abi3"
        self.assertRegex(wheel().name, rf"^aplomb-[\d.]+-{python}-manylinux_2_\d+_\w+\.whl$")
        suffix = ".abi3.so" if sys.version_info >= (3, 12) else ".so"
        self.assertTrue(next((self.site / "aplomb").glob("_aplomb*.so")).name.endswith(suffix))

    def test_nothing_in_it_names_the_clone(self):
        for file in (self.site / "aplomb").rglob("*"):
            if file.is_file():
                self.assertNotIn(str(ROOT).encode(), file.read_bytes(), file)

    def test_every_library_is_found_beside_it_or_in_the_system(self):
        for file in self.libraries():
            for line in subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout.splitlines():
                self.assertNotIn("not found", line, file)
                if "-aplomb.so" in line:
                    self.assertIn(str(self.site.resolve()), line)
                else:
                    self.assertRegex(line, r"lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso", file)

    def test_no_symbol_can_be_shared_with_another_pinocchio_or_mujoco(self):
        for file in self.libraries():
            symbols = subprocess.run(["readelf", "--dyn-syms", "-W", file], check=True, capture_output=True, text=True).stdout
            self.assertNotIn("UNIQUE", symbols, file)
            foreign = [line for line in symbols.splitlines()
                       if re.search(r" (_?mj|_ZNK?\d*pinocchio|_ZNK?8tinyxml2|_ZNK?4YAML|_ZNK?3fmt)", line)]
            if "libaplomb" not in file.name:  # ours instantiate templates of fmt and Pinocchio for themselves
                self.assertEqual(foreign, [], file)

    def test_the_command_runs_without_the_clone(self):
        self.assertIn("stand_coman", self.run_there(self.environment / "bin" / "aplomb", "list"))
        self.run_there(self.environment / "bin" / "aplomb", "run", "stand_coman", "--set", "duration_s=0.5", "--out", "out")
        self.assertGreater((self.folder / "out" / "report.html").stat().st_size, 100_000)

    def test_the_examples_run(self):
        for file in sorted(EXAMPLES.glob("*.py")):
            if file.name not in NEED_PACKAGES:
                self.run_there(self.python, file)

    def test_it_is_imported_at_once(self):
        # The processor's time: other tests may run beside this one.
        code = "import time; begin = time.process_time(); import aplomb; print(time.process_time() - begin)"
        best = min(float(self.run_there(self.python, "-c", code)) for _ in range(5))
        self.assertLess(best, LONGEST_IMPORT_S)

    def test_its_stubs_describe_every_public_name(self):
        stub = (self.site / "aplomb" / "_aplomb.pyi").read_text()
        self.assertTrue((self.site / "aplomb" / "py.typed").exists())
        imported = re.search(r"from \._aplomb import \((.*?)\)", (self.site / "aplomb" / "__init__.py").read_text(), re.S)[1]
        for name in re.findall(r"\w+", imported):
            self.assertRegex(stub, rf"(?m)^(class|def) {name}\b|^{name}\b", name)


@unittest.skipUnless(os.environ.get("APLOMB_LONG_TESTS"), "long: downloads packages (APLOMB_LONG_TESTS=1)")
class Beside(WheelTest):
    """In one process with another Pinocchio and another MuJoCo, imported before and after."""

    OTHERS = """
import pinocchio, mujoco
model = pinocchio.buildSampleModelHumanoid()
data = model.createData()
pinocchio.crba(model, data, pinocchio.neutral(model))
engine = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
state = mujoco.MjData(engine)
for _ in range(100): mujoco.mj_step(engine, state)
print("others", float(data.M.sum()), float(state.qpos[2]))
"""
    OURS = """
import aplomb
run = aplomb.run("balance_push_forward", {"duration_s": 1.0}, progress=False)
terms = aplomb.Robot("sarcos").terms(aplomb.Robot("sarcos").posture())
print("ours", run.metrics["com_error_max_m"], float(terms.mass_matrix.sum()), float(terms.momentum_matrix.sum()))
"""
    FOR_ALL = "import os, sys; sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)\n"
    FOR_ONE = "\nimport os, sys; sys.setdlopenflags(os.RTLD_NOW)\n"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pip("pin<4", "cmeel-urdfdom<5", "cmeel-tinyxml2<11", "mujoco<4", "gymnasium", "pandas", "nbclient", "ipykernel")

    def lines(self, code):
        return self.run_there(self.python, "-c", code).splitlines()

    def test_each_computes_what_it_computes_alone(self):
        ours, others = self.lines(self.OURS), self.lines(self.OTHERS)
        self.assertEqual(self.lines(self.OURS + self.OTHERS), ours + others)
        self.assertEqual(self.lines(self.OTHERS + self.OURS), others + ours)
        self.assertEqual(self.lines(self.FOR_ALL + self.OTHERS + self.FOR_ONE + self.OURS), others + ours)

    def test_the_examples_run_after_the_others(self):
        for file in sorted(EXAMPLES.glob("*.py")):
            self.run_there(self.python, "-c", "import pinocchio, mujoco, runpy\n"
                           f"try: runpy.run_path({str(file)!r}, run_name='__main__')\n"
                           "except SystemExit as end: assert not end.code, end.code\n")

    def test_a_table_of_pandas_has_the_log(self):
        self.run_there(self.python, "-c", "import aplomb; run = aplomb.run('stand_coman', {'duration_s': 0.1}, progress=False);"
                       "assert list(run.to_pandas().columns) == list(run.log);"
                       "assert len(aplomb.repeat('stand_coman', 3, {'duration_s': 0.1}, progress=False).to_pandas()) == 3")

    def test_the_notebook_runs(self):
        code = (f"import nbformat, nbclient\nbook = nbformat.read({str(EXAMPLES / 'first_steps.ipynb')!r}, 4)\n"
                "nbclient.NotebookClient(book).execute()\n"
                "assert 'iframe' in book.cells[-1].outputs[0].data['text/html']")
        self.run_there(self.python, "-m", "ipykernel", "install", "--sys-prefix", "--name", "python3")
        self.run_there(self.python, "-c", code)


if __name__ == "__main__":
    unittest.main()
