"""scripts/results on a small book of its own: a program that prints what the test wants, and a document."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = """#!{python}
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
if sys.argv[1] == "--version":
    print("aplomb 0.0.0 (" + (here / "commit").read_text().strip() + ")")
    sys.exit(0)
with open(here / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
said = json.loads((here / "says").read_text())[sys.argv[2]]
if said == "wait":
    time.sleep(60)
if said is None:
    print("aplomb: error: no such thing", file=sys.stderr)
    sys.exit(2)
print(json.dumps(dict(verdict="pass", checks=[dict(ok=True)], provenance=dict(seed=1), metrics=said)))
"""

EXPERIMENTS = """
from book import Column, Experiment, Row
SHOWN = Experiment("shown", "docs/shown.md", "run",
                   (Column("CoM [mm]", "{com_error_max_m:mm.1}"), Column("fell", "{fell:yes}")),
                   (Row("push", "a push", ("run push",)), Row("fall", "a fall (control)", ("run fall",)),
                    Row("recorded", "a recording", ("run recorded {data}/x.trc",))), "base, joints")
SHARED = Experiment("shared", "docs/shown.md", "controller", (Column("CoM [mm]", "{com_error_max_m:mm.1}"),),
                    (Row("a", "a", ("run both",), prefix="a."), Row("b", "b", ("run both",), prefix="b.", long=True)), "all")
EXPERIMENTS = {"shown": SHOWN, "shared": SHARED}
"""

DOCUMENT = """# Shown

<!-- results: shown -->
<!-- end -->

The CoM moved by <!-- figure: shown push {com_error_max_m:mm.1} --><!-- end --> mm.

<!-- results: shared -->
<!-- end -->
"""


class SmallBook(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="aplomb_results_")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "project"
        shutil.copytree(ROOT / "scripts" / "results.d", self.root / "scripts" / "results.d",
                        ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "scripts" / "results", self.root / "scripts" / "results")
        for folder in ("docs", "src", "robots", "scenarios"):
            (self.root / folder).mkdir()
        (self.root / "scripts" / "results.d" / "experiments.py").write_text(EXPERIMENTS)
        (self.root / "README.md").write_text("# Nothing\n")
        self.document = self.root / "docs" / "shown.md"
        self.document.write_text(DOCUMENT)
        (self.root / "src" / "code.cpp").write_text("int a;\n")
        self.program = self.root / "program"
        self.program.mkdir()
        (self.program / "aplomb").write_text(PROGRAM.replace("{python}", sys.executable))
        (self.program / "aplomb").chmod(0o755)
        (self.root / ".gitignore").write_text("/program/\n/out/\n")
        self.git("init", "-q")
        self.commit()
        self.says = {"push": {"com_error_max_m": 0.00612, "fell": False}, "fall": {"com_error_max_m": 0.4, "fell": True},
                     "recorded": {"com_error_max_m": 0.001, "fell": False},
                     "both": {"a.com_error_max_m": 0.001, "b.com_error_max_m": 0.002}}

    def git(self, *arguments):
        identity = ["-c", "user.name=t", "-c", "user.email=t@t"]
        return subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        (self.program / "commit").write_text(self.git("rev-parse", "--short=12", "HEAD"))

    def results(self, *arguments, data=None):
        (self.program / "says").write_text(json.dumps(self.says))
        (self.program / "calls").write_text("")
        return subprocess.run([sys.executable, "scripts/results", "--program", self.program / "aplomb", *arguments],
                              cwd=self.root, capture_output=True, text=True,
                              env=os.environ | {"APLOMB_TEST_DATA": str(data or self.root / "nowhere")})

    def calls(self):
        return (self.program / "calls").read_text().splitlines()


class Tables(SmallBook):
    def test_a_row_can_be_a_script_that_runs_the_program(self):
        table = self.root / "scripts" / "results.d" / "experiments.py"
        table.write_text(table.read_text().replace('("run push",)', '("scripts/many --times 3",)'))
        script = self.root / "scripts" / "many"
        script.write_text("#!/usr/bin/env python3\nimport json, sys\n"
                          "print(json.dumps(dict(metrics=dict(com_error_max_m=1e-3 * int(sys.argv[4]), fell=False), "
                          "verdict=sys.argv[2][-6:])))\n")
        script.chmod(0o755)
        self.commit()
        self.assertEqual(self.results("shown.push").returncode, 0)
        row = json.loads((self.root / "docs/results/shown.json").read_text())["rows"]["push"]
        self.assertEqual(row["command"], ["scripts/many --times 3"])
        self.assertEqual((row["figures"]["com_error_max_m"]["value"], row["verdict"]), (0.003, "aplomb"))
        self.assertNotIn("shown.push", self.results("--stale").stdout)
        script.write_text(script.read_text() + "# another script\n")
        self.commit()
        self.assertIn("shown.push: ", self.results("--stale").stdout)

    def test_a_table_is_written_from_what_was_measured(self):
        done = self.results(data=self.root)
        self.assertEqual(done.returncode, 0, done)
        text = self.document.read_text()
        self.assertIn("| run | CoM [mm] | fell | sensed ideally |", text)
        self.assertIn("| a push | 6.1 | no | base, joints |", text)
        self.assertIn("| a fall (control) | 400.0 | yes | base, joints |", text)
        self.assertIn("moved by <!-- figure: shown push {com_error_max_m:mm.1} -->6.1<!-- end --> mm", text)
        self.assertIn(f"commit {(self.program / 'commit').read_text().strip()}", text)
        self.assertEqual(self.results("--check").returncode, 0)

    def test_a_file_has_command_seed_runs_and_tolerance(self):
        self.results(data=self.root)
        row = json.loads((self.root / "docs/results/shown.json").read_text())["rows"]["push"]
        self.assertEqual(row["command"], ["aplomb run push"])
        self.assertEqual((row["seed"], row["runs"], row["sensed_ideally"]), (1, 1, "base, joints"))
        self.assertEqual(row["figures"]["com_error_max_m"], {"value": 0.00612, "tolerance": 0.0001})

    def test_a_typed_figure_is_found(self):
        self.results(data=self.root)
        self.document.write_text(self.document.read_text().replace("| 6.1 |", "| 5.9 |"))
        done = self.results("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("docs/shown.md", done.stdout)

    def test_a_figure_within_a_sentence_is_found(self):
        self.results(data=self.root)
        self.document.write_text(self.document.read_text().replace("-->6.1<!--", "-->5.9<!--"))
        self.assertEqual(self.results("--check").returncode, 1)

    def test_an_experiment_without_a_table_is_found(self):
        self.results(data=self.root)
        self.document.write_text(self.document.read_text().split("<!-- results: shared -->")[0])
        done = self.results("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no table of the experiment 'shared'", done.stdout)

    def test_a_table_of_no_experiment_is_an_error(self):
        self.document.write_text("<!-- results: shwon -->\n<!-- end -->\n")
        done = self.results("--tables")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no experiment named 'shwon'", done.stderr)

    def test_what_is_not_measured_says_so(self):
        self.results("--tables")
        self.assertIn("| a push | not yet measured | not yet measured |", self.document.read_text())
        self.assertIn("Not yet measured: 3 of 3 rows", self.document.read_text())


class Measuring(SmallBook):
    def test_goes_on_where_it_was_interrupted(self):
        self.says["fall"] = None
        done = self.results("shown", "--jobs", "1", data=self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("shown.fall: failed: `aplomb run fall`: aplomb: error: no such thing", done.stderr)
        self.says["fall"] = {"com_error_max_m": 0.4, "fell": True}
        self.assertEqual(self.results("shown", "--jobs", "1", data=self.root).returncode, 0)
        self.assertEqual(self.calls(), ["run fall --json"])

    def test_after_an_interrupt_the_same_command_goes_on(self):
        self.says["fall"] = "wait"
        command = [sys.executable, "scripts/results", "--program", self.program / "aplomb", "--jobs", "1", "shown"]
        (self.program / "says").write_text(json.dumps(self.says))
        (self.program / "calls").write_text("")
        with subprocess.Popen(command, cwd=self.root, stderr=subprocess.PIPE, text=True, start_new_session=True,
                              env=os.environ | {"APLOMB_TEST_DATA": str(self.root)}) as process:
            while "run fall --json" not in self.calls():
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            said = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(self.calls(), ["run push --json", "run fall --json"])  # what was waiting has not begun
        self.says["fall"] = {"com_error_max_m": 0.4, "fell": True}
        self.assertEqual(self.results("shown", "--jobs", "1", data=self.root).returncode, 0)
        self.assertEqual(len(self.calls()), 2)
        self.assertNotIn("run push --json", self.calls())

    def test_rows_that_share_a_command_run_it_once(self):
        self.results("shared")
        self.assertEqual(self.calls(), ["run both --json"])
        self.assertIn("| b | 2.0 | all |", self.document.read_text())

    def test_fast_leaves_the_long_rows_out(self):
        self.results("--fast", "shared")
        self.assertIn("| a | 1.0 | all |", self.document.read_text())
        self.assertIn("| b | not yet measured | all |", self.document.read_text())

    def test_without_recordings_skips_their_rows_and_names_them(self):
        done = self.results("shown")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("shown.recorded: skipped, it needs the recordings of APLOMB_TEST_DATA", done.stderr)
        self.assertNotIn("run recorded", "\n".join(self.calls()))

    def test_a_metric_that_is_not_printed_fails_its_row(self):
        del self.says["push"]["fell"]
        done = self.results("shown.push")
        self.assertEqual(done.returncode, 1)
        self.assertIn("prints no metric 'fell'", done.stderr)

    def test_an_unknown_name_is_an_error(self):
        self.assertEqual(self.results("shwon").returncode, 2)


class Staleness(SmallBook):
    def stale(self):
        return self.results("--stale", "shown.push").stdout.splitlines()

    def test_a_row_is_stale_from_a_change_of_the_source_on(self):
        self.results("shown.push")
        self.assertEqual(len(self.stale()), 1)
        (self.root / "README.md").write_text("# Something\n")
        self.commit()
        self.assertEqual(len(self.stale()), 1)  # a document is no input
        (self.root / "src" / "code.cpp").write_text("int b;\n")
        self.commit()
        self.assertIn("src/code.cpp among them", self.stale()[0])
        self.results("shown.push")
        self.assertEqual(self.calls(), ["run push --json"])
        self.assertEqual(len(self.stale()), 1)

    def test_a_row_of_uncommitted_changes_is_stale(self):
        commit = (self.program / "commit").read_text().strip()
        (self.program / "commit").write_text(commit + "-dirty")
        done = self.results("shown.push")
        self.assertEqual(done.returncode, 2)
        self.assertIn("built with uncommitted changes", done.stderr)
        self.assertEqual(self.calls(), [])
        self.results("shown.push", "--uncommitted")
        (self.program / "commit").write_text(commit)
        self.assertIn("uncommitted changes", self.stale()[0])

    def test_a_rewritten_history_makes_no_row_stale_unless_its_inputs_changed(self):
        self.results("shown.push")
        self.git("commit", "-q", "--amend", "-m", "the same in other words")
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "-q", "--prune=now")
        self.commit()
        self.assertEqual(len(self.stale()), 1)
        (self.root / "src" / "code.cpp").write_text("int c;\n")
        self.assertIn("this clone does not have, with other inputs", self.stale()[0])

    def test_sources_of_the_program_and_versions_of_its_parts_are_inputs(self):
        for name in ("apps/verb.cpp", "marker_sets/set.yaml", "requirements/run.txt", "robots/r.urdf"):
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text("1\n")
        self.commit()
        for name in ("apps/verb.cpp", "marker_sets/set.yaml", "requirements/run.txt", "robots/r.urdf"):
            self.results("shown.push")
            self.assertEqual(len(self.stale()), 1)
            (self.root / name).write_text("2\n")
            self.commit()
            self.assertIn(f"{name} among them", self.stale()[0])

    def test_a_row_that_was_never_measured_is_stale(self):
        self.assertIn("not measured", self.stale()[0])


class Version(SmallBook):
    """The commit that a build writes into the program, by cmake/write_version.cmake."""

    def version(self):
        (self.root / "out").mkdir(exist_ok=True)
        (self.root / "out" / "template").write_text("@APLOMB_COMMIT@\n")
        subprocess.run(["cmake", f"-DSOURCE={self.root}", f"-DTEMPLATE={self.root}/out/template",
                        f"-DOUTPUT={self.root}/out/version", "-P", ROOT / "cmake" / "write_version.cmake"], check=True)
        return (self.root / "out" / "version").read_text().strip()

    def test_documents_that_the_book_writes_do_not_make_the_program_dirty(self):
        commit = (self.program / "commit").read_text().strip()
        self.assertEqual(self.version(), commit)
        self.results(data=self.root)
        self.assertIn("docs/", self.git("status", "--short"))
        self.assertEqual(self.version(), commit)

    def test_a_changed_source_makes_the_program_dirty(self):
        (self.root / "src" / "code.cpp").write_text("int b;\n")
        self.assertEqual(self.version(), (self.program / "commit").read_text().strip() + "-dirty")


class Remeasuring(SmallBook):
    def setUp(self):
        super().setUp()
        self.results(data=self.root)

    def test_a_figure_within_its_tolerance_holds(self):
        self.says["push"]["com_error_max_m"] = 0.00621
        done = self.results("--remeasure", data=self.root)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("4 rows measured again, 0 skipped, 0 failed, 0 figures moved", done.stdout)

    def test_a_figure_beyond_its_tolerance_is_named(self):
        self.says["push"]["com_error_max_m"] = 0.00623
        done = self.results("--remeasure", data=self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("shown.push: com_error_max_m: 0.00612 in the book, 0.00623 now, tolerance 0.0001", done.stdout)

    def test_a_control_that_no_longer_fails_is_named(self):
        self.says["fall"]["fell"] = False
        done = self.results("--remeasure", data=self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("shown.fall: fell: True in the book, False now", done.stdout)

    def test_how_a_robot_hits_the_ground_is_not_compared(self):
        self.says["fall"]["com_error_max_m"] = 0.6
        self.assertEqual(self.results("--remeasure", data=self.root).returncode, 0)

    def test_a_long_row_is_left_alone(self):
        self.says["both"]["b.com_error_max_m"] = 1.0
        self.assertEqual(self.results("--remeasure", data=self.root).returncode, 0)

    def test_a_row_that_cannot_be_measured_is_no_success(self):
        self.says["push"] = None
        self.assertEqual(self.results("--remeasure", data=self.root).returncode, 1)

    def test_changes_no_file(self):
        before = self.git("status", "--short")
        self.says["push"]["com_error_max_m"] = 0.5
        self.results("--remeasure", data=self.root)
        self.assertEqual(self.git("status", "--short"), before)


if __name__ == "__main__":
    unittest.main()
