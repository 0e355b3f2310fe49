"""The site of the documents (`make docs`): it is built without a warning, is whole, and fetches nothing from elsewhere."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"


def has_mkdocs():
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", "import mkdocs"], capture_output=True).returncode == 0


@unittest.skipUnless(has_mkdocs(), "MkDocs is not installed (`scripts/setup docs`)")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = Path(cls.folder.name) / "site"
        cls.outcome = subprocess.run([PYTHON, ROOT / "scripts/docs", cls.site], capture_output=True, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_is_built_without_a_warning(self):
        self.assertEqual(self.outcome.returncode, 0, self.outcome.stdout + self.outcome.stderr)
        self.assertEqual(self.outcome.stderr, "")

    def test_every_link_and_picture_of_it_is_there(self):
        missing = []
        for page in self.site.rglob("*.html"):
            if page.name == "404.html":
                continue  # its addresses are those of a server
            for target in re.findall(r'(?:href|src)="(?!https?:|mailto:|data:)([^"#?]+)', page.read_text()):
                if not (page.parent / target).exists():
                    missing.append(f"{page.relative_to(self.site)}: {target}")
        self.assertEqual(missing, [])

    def test_it_has_a_search_index_and_the_headers(self):
        index = (self.site / "search/search_index.json").read_text()
        self.assertIn("troubleshooting", index)
        self.assertIn("class RobotModel", (self.site / "api/robot.html").read_text())


class Checker(unittest.TestCase):
    def test_what_would_be_fetched_from_elsewhere_is_found(self):
        import importlib.machinery
        import importlib.util
        sys.dont_write_bytecode = True
        loader = importlib.machinery.SourceFileLoader("docs_script", str(ROOT / "scripts/docs"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs_script", loader))
        loader.exec_module(script)
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<link rel="stylesheet" href="css/a.css"><a href="https://example.org">x</a>')
            (site / "a.css").write_text("a { background: url('img/a.png') }")
            self.assertEqual(script.fetched_from_elsewhere(site), [])
            (site / "b.html").write_text('<script src="//cdn.example.org/x.js"></script>')
            (site / "b.css").write_text("@font-face { src: url(https://example.org/f.woff) }")
            self.assertEqual(len(script.fetched_from_elsewhere(site)), 2)


if __name__ == "__main__":
    unittest.main()
