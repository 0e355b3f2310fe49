"""The program as its users meet it: arguments in; exit code, stdout, stderr and files out.

Run by ctest, which says where the program is (APLOMB_PROGRAM); by hand:
    APLOMB_PROGRAM=build/aplomb python3 tests/apps/usage_test.py
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("APLOMB_PROGRAM", "")
# Sanitizers cost time and memory; what is promised to users is promised of the release build.
SANITIZED = os.environ.get("APLOMB_SANITIZED") == "1"
PATIENCE_S = 300

FALL = "events=[{push: {force_per_weight: [1, 0, 0], start_s: 0.1}}]"  # the robot's own weight, forward, for 0.1 s


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str


def aplomb(*arguments, **options) -> Outcome:
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=PATIENCE_S, **options)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def strict_json(text: str):
    """JSON has no NaN and no Infinity, though Python would read them."""
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_constant=refuse)


def write_manifest(folder: pathlib.Path):
    """manifest.sha256, as a result of aplomb has it: this folder may be replaced."""
    lines = ["# The files of a result of aplomb; the next result replaces these and nothing else."]
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            lines.append(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder)}")
    (folder / "manifest.sha256").write_text("\n".join(lines) + "\n")


def has_all_its_files(folder: pathlib.Path) -> bool:
    """Whether every file of a result is there with the contents that its manifest lists."""
    return subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "manifest.sha256"], cwd=folder,
                          capture_output=True).returncode == 0


class AppTest(unittest.TestCase):
    """Each test has an empty folder of its own, `self.folder`, in which the program is run."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="aplomb_apps_")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_here(self, *arguments, **options) -> Outcome:
        return aplomb(*arguments, cwd=self.folder, **options)

    def write(self, name: str, content) -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def files_here(self) -> list[str]:
        """All that is in the folder, hidden files too."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def assert_refused(self, outcome: Outcome, *words: str):
        """Exit 2, one line on stderr that has all the words, and nothing on stdout."""
        self.assertEqual(outcome.code, 2, outcome)
        self.assertEqual(outcome.out, "")
        self.assertRegex(outcome.err, r"\Aaplomb: error: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, outcome.err)

    def refuse_here(self, arguments, *words: str):
        """The program refuses, and leaves the folder as it was."""
        before = self.files_here()
        self.assert_refused(self.run_here(*arguments), *words)
        self.assertEqual(self.files_here(), before)
