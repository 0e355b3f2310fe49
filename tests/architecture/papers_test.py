"""docs/papers.md against the tree: the files, scenarios, checks, metrics and pictures that it names exist."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "papers.md"
TOKEN = re.compile(r"`([^`]+)`")


def rows():
    """Cells of the rows of all tables: item, where, state, scenario, check, figures."""
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")] if line.startswith("|") else []
        if line.startswith("|") and cells[0] not in ("item", "--"):
            yield [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def scenario_file(name):
    files = [ROOT / "scenarios" / f"{name}.yaml", ROOT / "scenarios" / "identify" / f"{name}.yaml"]
    return next((file for file in files if file.is_file()), None)


class Papers(unittest.TestCase):
    def test_every_row_has_six_cells(self):
        self.assertGreater(len(list(rows())), 40)
        for row in rows():
            self.assertEqual(len(row), 6, row)

    def test_files_and_pictures_that_it_names_exist(self):
        drawn = (ROOT / "scripts" / "figures").read_text()
        for row in rows():
            for name in TOKEN.findall(row[1]):
                if name.endswith((".svg", ".png")):
                    self.assertRegex(drawn, rf"\b{re.escape(name)}", f"{row[0]}: scripts/figures does not draw {name}")
                else:
                    self.assertTrue((ROOT / "src" / "aplomb" / name).exists(), f"{row[0]}: no {name} in src/aplomb")

    def test_scenarios_exist_and_judge_what_it_says(self):
        for row in rows():
            metrics = TOKEN.findall(row[4])
            for name in TOKEN.findall(row[3]):
                file = scenario_file(name)
                self.assertIsNotNone(file, f"{row[0]}: no scenario {name}")
                for metric in metrics:
                    self.assertIn(f"metric: {metric},", file.read_text(), f"{row[0]}: {name} does not judge {metric}")

    def test_checks_are_metrics(self):
        known = (ROOT / "docs" / "metrics.md").read_text()
        for row in rows():
            for metric in TOKEN.findall(row[4]):
                self.assertIn(f"`{metric.removesuffix('_mean')}`", known, row[0])


if __name__ == "__main__":
    unittest.main()
