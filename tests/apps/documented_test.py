"""The commands of README, docs and `--help`, run verbatim: each document's in its order, in a folder with the files that it
takes for granted. Those of the README run in every test, the others are long (APLOMB_LONG_TESTS=1). By hand, for some:
    APLOMB_PROGRAM=build/aplomb APLOMB_LONG_TESTS=1 python3 tests/apps/documented_test.py viewing.md scale.md
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

import support
from support import SANITIZED

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("APLOMB_TEST_DATA", ROOT.parent / "shared" / "data"))
BUILD = Path(support.PROGRAM).resolve().parent
COMMAND_S = 1200

# What a person fills in: STYLE, FILE.yaml, KEY=VALUE, [_heavy], ...
FILLED_IN = re.compile(r"(?<![A-Za-z0-9/.])(?:[A-Z]{2,}|[NRKMJS](?=\s|$))(?![\w/])|\.\.\.|…")
# Said in a sentence, which says what else comes with it; the two processes of docs/hardware.md need each other
# (apps.processes.link runs them).
IN_A_SENTENCE = ("aplomb demonstrate arm_rests", "aplomb info g1.xml", "aplomb serve ", "aplomb control ")


def commands_of(text: str) -> list[str]:
    """Lines of shell that begin with `aplomb`, in blocks and in sentences, which are complete as they stand."""
    text = re.sub(r"\\\n +", "", text)
    found = []
    for match in re.finditer(r"(?m)^ {2,}(?:\$ )?((?:build/)?aplomb .*)$|`((?:build/)?aplomb [^`]*)`", text):
        line = match[1] or match[2]
        line = re.split(r" {2,}(?! *-)| +# ", line.strip())[0]
        words = line.split()
        is_part = len(words) < 3 or words[1:3] in (["retarget", "--out"], ["human", "--skeleton"])
        is_whole = not is_part or line.endswith((" list", " bench"))
        if is_whole and "\n" not in line and not FILLED_IN.search(re.sub(r"'[^']*'", "", line)):
            found.append(line)
    return found


class Documented(support.AppTest):
    def setUp(self):
        super().setUp()
        (self.folder / "build").mkdir()
        (self.folder / "build/aplomb").symlink_to(support.PROGRAM)
        (self.folder / "build/examples").symlink_to(BUILD / "examples")
        self.environment = {**os.environ, "PATH": f"{self.folder / 'build'}:{os.environ['PATH']}"}

    def copied(self, source: Path, name: str):
        if not source.exists():
            self.skipTest(f"no recordings in {DATA}: set APLOMB_TEST_DATA")
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, self.folder / name)

    def provide(self, name: str, words: list[str]):
        """A file or folder of the reader's own that a command names and that no earlier command has made."""
        place, trial = self.folder / name, DATA / "sit_to_stand"
        robot = words[words.index("--robot") + 1] if "--robot" in words else "coman"
        if place.exists():
            return
        if name == "dance.csv" or name == "motions/*.csv":
            names = [name] if name == "dance.csv" else ["motions/a.csv", "motions/b.csv"]
            for one, motion in zip(names, ("B_HandsUp.csv", "B_Fence2.csv")):
                self.copied(DATA / "g1_motions" / motion, one)
        elif name.endswith(".npz"):
            self.make("convert", "dance.csv", name, "--robot", robot)
        elif name.endswith("_grf.mot") or name == "grf.mot":
            self.copied(trial / "STS1_grf.mot", name)
        elif name.endswith(".trc"):
            self.copied(trial / ("static1.trc" if "static" in name else "STS1.trc"), name)
        elif name in ("static.c3d", "still.c3d"):
            self.make("demonstrate", "natural", "--out", "moving.c3d", "--static", name)
        elif name.endswith(".c3d"):
            rises = words[words.index("--rise") + 1] if "--rise" in words else "1"
            self.make("demonstrate", "natural", "--repeats", rises, "--seed", str(len(name)), "--out", name)
        elif name == "recordings/":
            self.make("demonstrate", "natural", "--out", "recordings/a.c3d")
            self.make("demonstrate", "elderly", "--out", "recordings/b.c3d")
        elif name.endswith(".urdf") and not name.startswith("out/"):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "robots/coman/coman.urdf", place)
            if words[1] not in ("info", "doctor"):
                self.make("info", name, "--write-yaml", name.replace(".urdf", ".yaml"))
        elif name in ("postures.csv", "mine.csv"):
            self.make("identify", "--make-example", name, "--robot", robot)
        elif name == "walk.csv":
            self.make("run", f"stand_{robot}", "--set", "sensors.profile=laboratory", "--set", "duration_s=1", "--log", "csv",
                      "--out", "walk")
            shutil.copy(self.folder / "walk/log.csv", place)
        elif name == "jobs.csv":
            self.write(name, "verb,input,seed,set.duration_s\nrun,stand_coman,1,0.5\nrun,stand_coman,2,0.5\n")
        elif name == "jobs.yaml":
            self.write(name, "jobs:\n  - {run: stand_coman, seeds: [1, 3], set: {duration_s: 0.5}}\n")
        elif name == "people.yaml":
            self.make("demonstrate", "natural", "--out", "P1.c3d")
            self.make("demonstrate", "elderly", "--out", "P2.c3d")
            self.write(name, "people:\n  - {name: P1, trials: [{markers: P1.c3d}]}\n"
                             "  - {name: P2, trials: [{markers: P2.c3d}]}\n")
        elif name in ("my_push.yaml", "my.yaml", "my_run.yaml"):
            page = (ROOT / "docs/scenarios.md").read_text()
            self.write(name, re.search(r"```yaml\n(scenario: my_push\n.*?)```", page, re.S)[1])
        elif name == "out/sts":
            self.provide("sts.c3d", words)
            self.make("human", "sts.c3d", "--out", name)
        elif name == "out/human":
            self.provide("sts.c3d", words)
            self.make("human", "sts.c3d", "--out", name)
        elif name in ("out/push", "out/other", "out/wall", "out/run"):
            self.make("run", "balance_push_forward", "--set", "duration_s=1.5", "--out", name, "--log", "npz")

    def make(self, *arguments: str):
        (self.folder / arguments[-1]).parent.mkdir(parents=True, exist_ok=True)  # of what --out names, the last one
        done = self.run_here(*arguments)
        self.assertIn(done.code, (0, 1), f"{arguments}: {done.err}")

    def prepare(self, line: str):
        words = shlex.split(line)
        results = {words[i + 1] for i, word in enumerate(words[:-1]) if word in ("--out", "--save", "--write-yaml",
                                                                                "--truth", "--make-example")}
        results |= set(words[3:4]) if words[1] == "convert" else set()
        if words[1] == "demonstrate":
            return
        for word in sorted(words[2:], key=lambda word: not word.endswith(".urdf")):  # postures are of a robot
            if word not in results and re.search(r"\.(c3d|trc|mot|csv|npz|urdf|yaml)$|^out/\w+$|^recordings/$", word):
                self.provide(word, words)

    def watch(self, line: str):
        """A run with a page: that is opened, so that the run begins."""
        process = subprocess.Popen(["bash", "-c", "exec " + line], cwd=self.folder, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            address = next(each.split()[1] for each in process.stderr if each.startswith("live: "))
            with urllib.request.urlopen(address, timeout=30) as page:
                self.assertIn(b"live-data", page.read())
            self.assertIn(process.wait(timeout=COMMAND_S), (0, 1))
        finally:
            process.kill()
            process.communicate()

    def serve(self, line: str) -> str:
        """The first line that a server prints; then it is stopped as Ctrl-C stops it."""
        process = subprocess.Popen(["bash", "-c", "exec " + line], cwd=self.folder, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            return process.stdout.readline()
        finally:
            process.terminate()
            process.communicate(timeout=60)

    def run_line(self, line: str):
        self.prepare(line)
        words = line.split()
        if words[1] == "view" and "--save" not in words:
            self.assertRegex(self.serve(line.replace(" --open", "")), r"\Ahttp://127\.0\.0\.1:\d+/\w+/\n\Z")
            return
        if "--live" in words:
            self.watch(line)
            return
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=COMMAND_S)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("error:", done.stderr)

    def run_help(self, verb: str):
        """Those of a verb's help are alternatives: each in a folder of its own."""
        for line in commands_of(support.aplomb(verb, "--help").out):
            if line.startswith(IN_A_SENTENCE):
                continue
            with self.subTest(line):
                for part in self.folder.iterdir():
                    if part.name != "build":
                        shutil.rmtree(part) if part.is_dir() else part.unlink()
                self.run_line(line)

    def run_document(self, page: Path):
        lines = commands_of(page.read_text())
        done = set()
        for line in lines:
            if line in done or line.startswith(IN_A_SENTENCE):
                continue
            done.add(line)
            with self.subTest(f"{page.name}: {line}"):
                self.run_line(line)
        return len(done)

    @unittest.skipIf(SANITIZED, "whole rises take minutes under sanitizers")
    def test_those_of_README(self):
        self.assertGreater(self.run_document(ROOT / "README.md"), 12)


def pages() -> list[Path]:
    return [page for page in sorted((ROOT / "docs").rglob("*.md")) if commands_of(page.read_text())]


def test_of(page: Path):
    @unittest.skipUnless(os.environ.get("APLOMB_LONG_TESTS"), "long: every command of the documents")
    def test(self):
        self.run_document(page)
    return test


def test_of_help(verb: str):
    @unittest.skipUnless(os.environ.get("APLOMB_LONG_TESTS"), "long: every command of the documents")
    def test(self):
        self.run_help(verb)
    return test


for page in pages():
    setattr(Documented, f"test_those_of_{page.stem}", test_of(page))
for verb in re.findall(r"(?m)^  ([a-z]+) ", support.aplomb("--help").out.split("Verbs:")[-1]) if support.PROGRAM else []:
    setattr(Documented, f"test_those_of_help_of_{verb}", test_of_help(verb))


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name.endswith(".md")]
    sys.argv[1:] = [f"Documented.test_those_of_{Path(name).stem}" for name in chosen] or sys.argv[1:]
    unittest.main()
