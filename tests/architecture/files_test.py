"""Rules for the files of the project that no compiler checks: files of a folder, links, and what they must not name."""

import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_FILES = 24  # on one level of a folder: a listing that can be taken in at a glance
# A path that exists on one machine only; the names are kept apart so that this line does not find itself.
MACHINE_PATH = re.compile(r"(?:^|[^\w.])/(?:" + "|".join(["work", "root", "Users"]) + r")/|/home/\w+/")

SOURCE_FILE = re.compile(r"\b\w+(?:/\w+)+\.(?:hpp|cpp|py|yaml)\b")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def project_files(*patterns):
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def text_of(file):
    try:
        return file.read_text()
    except UnicodeDecodeError:
        return ""  # a picture


@unittest.skipUnless((ROOT / ".git").exists(), "needs the clone: an archive does not say which files are the project's")
class Files(unittest.TestCase):
    def test_no_level_of_a_folder_has_more_files_than_a_glance_takes_in(self):
        levels = Counter(file.parent for file in project_files("src/aplomb/*", "apps/aplomb/*", "tests/*"))
        self.assertEqual({str(level): count for level, count in levels.items() if count > MAX_FILES}, {})

    def test_lock_files_name_no_download_address(self):
        for file in project_files("*package-lock.json"):
            self.assertNotIn('"resolved"', text_of(file), f"{file}: remove the 'resolved' fields")

    def test_no_file_names_a_path_of_one_machine(self):
        found = [f"{file}:{number}: {line.strip()[:80]}" for file in project_files()
                 for number, line in enumerate(text_of(file).splitlines(), 1) if MACHINE_PATH.search(line)]
        self.assertEqual(found, [])

    def test_links_of_the_documents_lead_to_files(self):
        broken = [f"{file}: {target}" for file in project_files("*.md") for target in LINK.findall(text_of(file))
                  if not (file.parent / target).exists()]
        self.assertEqual(broken, [])

    def test_the_site_shows_every_document(self):
        shown = set(re.findall(r"(?m)^ +- [^:]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text()))
        documents = {str(file.relative_to(ROOT / "docs")) for file in project_files("docs/*.md", "docs/**/*.md")}
        made = {"index.md", "api/index.md", "project/CHANGELOG.md", "project/CONTRIBUTING.md"}  # by scripts/docs
        self.assertEqual(documents - shown, set(), "missing in mkdocs.yml")
        self.assertEqual(shown - documents - made, set(), "in mkdocs.yml, but not there")

    def test_source_files_that_the_architecture_names_exist(self):
        text = (ROOT / "docs" / "architecture.md").read_text()
        named = {name for name in SOURCE_FILE.findall(text) if "NAME" not in name}
        self.assertGreater(len(named), 20)
        self.assertEqual([name for name in sorted(named)
                          if not (ROOT / name).exists() and not (ROOT / "src" / "aplomb" / name).exists()], [])

    def test_a_machine_path_would_be_found(self):
        for text in ["cd /" + "work/main", "'/" + "root/.venv'", "/" + "home/someone/x"]:
            self.assertRegex(text, MACHINE_PATH)
        for text in ["src/work/x", "https://example.org/workflow", "out/root.txt"]:
            self.assertNotRegex(text, MACHINE_PATH)


if __name__ == "__main__":
    unittest.main()
