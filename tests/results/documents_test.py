"""The documents show what the results book holds, no more and no less."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "results.d"))
import book  # noqa: E402
from experiments import EXPERIMENTS  # noqa: E402


class Documents(unittest.TestCase):
    def test_every_table_and_figure_equals_its_file(self):
        done = subprocess.run([ROOT / "scripts" / "results", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_simulated_result_says_what_was_sensed_ideally(self):
        for experiment in EXPERIMENTS.values():
            if any(command.startswith(("run", "compare")) for row in experiment.rows for command in row.commands):
                self.assertTrue(experiment.sensed, experiment.name)

    def test_every_scenario_of_the_book_exists(self):
        known = {file.stem for file in (ROOT / "scenarios").rglob("*.yaml")}
        for experiment in EXPERIMENTS.values():
            for row in experiment.rows:
                for command in row.commands:
                    words = command.split()
                    if words[0] in ("run", "compare"):
                        self.assertIn(words[1], known, f"{experiment.name}.{row.key}")

    def test_a_file_holds_the_command_and_the_commit_of_each_row(self):
        for experiment in EXPERIMENTS.values():
            for key, row in book.load(experiment).items():
                name = f"{experiment.name}.{key}"
                self.assertEqual(row["command"], experiment.row(key).shown_commands, name)
                self.assertRegex(row["commit"], re.compile(r"^[0-9a-f]{12}(-dirty)?$"), name)
                self.assertEqual(set(row["figures"]), set(experiment.figures()), name)
                self.assertEqual(row["sensed_ideally"], experiment.row(key).sensed or experiment.sensed, name)


if __name__ == "__main__":
    unittest.main()
