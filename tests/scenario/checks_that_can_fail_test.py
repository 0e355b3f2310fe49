"""scripts/checks-that-can-fail with a program of ours: it notices checks that nothing violates."""

import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Falls at 300 N and more; never has an error below 1 m or above 2 m.
PROGRAM = """#!{python}
import json, sys
force = next((float(part.split("[")[1].split(",")[0]) for part in sys.argv if "force_n=" in part), 100.0)
print(json.dumps({{"checks": [
    {{"metric": "fell", "equals": False, "ok": force < 300}},
    {{"metric": "com_error_max_m", "below": 2, "ok": True}},
    {{"metric": "sim_warnings", "equals": 0, "ok": True}}{more}]}}))
"""
SCENARIO = """scenario: pushed
robot: balancer
duration_s: 1
events: [{{push: {{force_n: [100, 0, 0]}}}}]
checks:
  - {{metric: fell, equals: false{fell}}}  # stays
  - {{metric: com_error_max_m, below: 2{error}}}
"""


def load():
    loader = importlib.machinery.SourceFileLoader("checks_that_can_fail", str(ROOT / "scripts" / "checks-that-can-fail"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


class ChecksThatCanFail(unittest.TestCase):
    def setUp(self):
        self.script = load()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "scenarios").mkdir()
        self.file = self.folder / "scenarios" / "pushed.yaml"

    def run_script(self, *options, fell="", error="", more="", verbs=()):
        if fell is not None:
            self.file.write_text(SCENARIO.format(fell=fell, error=error))
        program = self.folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, more=more))
        program.chmod(0o755)
        printed = io.StringIO()
        with mock.patch.object(self.script, "ROOT", self.folder), mock.patch.object(self.script, "VERBS", list(verbs)), \
                mock.patch.object(sys, "argv", ["script", str(program), "--jobs", "1", *options]), \
                contextlib.redirect_stdout(printed):
            code = self.script.main()
        return code, printed.getvalue()

    def test_a_check_without_a_damage_is_an_error(self):
        code, text = self.run_script(fell=", fails_with: {events.0.push.force_n: [400, 0, 0]}")
        self.assertEqual(code, 1)
        self.assertIn("pushed: com_error_max_m < 2 has no fails_with", text)
        self.assertNotIn("fell", text)

    def test_a_check_that_holds_in_spite_of_its_damage_is_an_error(self):
        code, text = self.run_script(fell=", fails_with: {events.0.push.force_n: [200, 0, 0]}")
        self.assertEqual(code, 1)
        self.assertIn("pushed: fell = false holds although", text)

    def test_a_built_in_check_without_a_damage_is_an_error(self):
        damage = ", fails_with: {events.0.push.force_n: [400, 0, 0]}"
        code, text = self.run_script(fell=damage, more=', {"metric": "new_one", "equals": 0, "ok": True}')
        self.assertEqual(code, 1)
        self.assertIn("pushed: new_one has no damage", text)
        self.assertNotIn("sim_warnings", text)  # it is in the table of the verbs

    def test_a_verb_without_its_recordings_is_counted_as_skipped(self):
        human = next(verb for verb in self.script.VERBS if verb.name == "human")
        _, text = self.run_script("--only", "human", verbs=[dataclasses.replace(human, needs=self.folder / "nowhere")])
        self.assertRegex(text, r"(?m)^skipped: human: .*APLOMB_TEST_DATA")  # the form that scripts/run-tests counts

    def test_the_smallest_damage_is_found_and_written_beside_the_check(self):
        for options, largest in (([], 330), (["--quick"], 400)):  # N, after three halvings and after one
            code, text = self.run_script("--find", "--write", *options)
            self.assertEqual(code, 1)
            self.assertIn("com_error_max_m < 2: NOTHING violates it", text)
            line = next(line for line in self.file.read_text().splitlines() if "fell" in line)
            self.assertTrue(line.endswith("  # stays"), line)
            found = self.script.Scenario(self.file).checks[0].fails_with["events.0.push.force_n"]
            self.assertTrue(300 <= found[0] <= largest, found)
            self.assertEqual(found[1:], [0, 0])


if __name__ == "__main__":
    unittest.main()
