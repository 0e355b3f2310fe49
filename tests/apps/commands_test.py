"""The commands in README, docs and `--help`: each names a verb, options, scenarios, robots and controllers that there
are; and those of `aplomb rise --help` are run verbatim."""

import re
import shlex
import shutil
import unittest
from pathlib import Path

import support
from support import SANITIZED, aplomb, strict_json

ROOT = Path(__file__).resolve().parents[2]
VERBS = re.findall(r"(?m)^  ([a-z]+) ", aplomb("--help").out.split("Verbs:")[-1])
OPERATORS = ("&&", ";", "|", ">", "2>")


def commands_in(text: str) -> list[list[str]]:
    """Command lines that begin with `aplomb VERB`, indented or in backquotes; comments after them are left out."""
    found = []
    lines = re.findall(r"(?m)^ {2,}(?:\$ )?(?:build/)?aplomb (.*)$", text)
    lines += re.findall(r"`(?:build/)?aplomb ([^`]*)`", text)
    for line in lines:
        line = re.split(r" {2,}(?! *-)|(?: +#)", line.strip())[0]
        for part in re.split(r" && (?:build/)?aplomb ", line):
            try:
                words = shlex.split(part)
            except ValueError:
                continue  # an apostrophe: prose
            for operator in OPERATORS:
                words = words[:words.index(operator)] if operator in words else words
            if words and words[0] in VERBS:
                found.append(words)
    return found


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.help = {verb: aplomb(verb, "--help").out for verb in VERBS}
        listed = strict_json(aplomb("list", "--json").out)
        cls.scenarios = {scenario["name"] for scenario in listed["scenarios"]}
        cls.robots = {robot["name"] for robot in listed["robots"]}
        texts = [path.read_text() for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]]
        cls.documented = [words for text in [*texts, *cls.help.values(), aplomb("--help").out]
                          for words in commands_in(text)]

    def test_they_are_found(self):
        self.assertGreater(len(self.documented), 80)
        self.assertEqual({words[0] for words in self.documented}, set(VERBS))

    def test_every_option_is_one_of_its_verb(self):
        for words in self.documented:
            for word in words[1:]:
                option = re.match(r"--[a-z][a-z-]*", word)
                if option and option[0] != "--help":
                    self.assertRegex(self.help[words[0]], rf"{option[0]}(?![a-z-])", " ".join(words))

    def test_scenarios_and_robots_are_there_or_are_the_users_own(self):
        for words in self.documented:
            with self.subTest(" ".join(words)):
                if words[0] in ("run", "compare") and len(words) > 1 and re.fullmatch(r"[a-z0-9_]+", words[1]):
                    self.assertIn(words[1], self.scenarios)
                for option, value in zip(words, words[1:]):
                    if option == "--robot" and re.fullmatch(r"[a-z0-9_]+", value):
                        self.assertIn(value, self.robots)


@unittest.skipIf(SANITIZED, "whole rises take minutes under sanitizers")
class RiseHelp(support.AppTest):
    def test_its_commands_run_verbatim(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "sts.c3d", "--static", "static.c3d").code, 0)
        shutil.copy(ROOT / "robots/coman/coman.urdf", self.folder / "my_robot.urdf")
        self.assertEqual(self.run_here("info", "my_robot.urdf", "--write-yaml", "my_robot.yaml").code, 0)
        self.assertEqual(self.run_here("human", "sts.c3d", "--out", "out/sts").code, 0)
        commands = [words for words in commands_in(aplomb("rise", "--help").out) if words[0] == "rise"]
        self.assertGreaterEqual(len(commands), 4)
        for words in commands:
            if "sts.trc" in words:
                continue  # no verb writes a TRC; apps.rise has the options of a subject
            with self.subTest(" ".join(words)):
                outcome = self.run_here(*[word if word != "2" else "1" for word in words], "--json")
                self.assertIn(outcome.code, (0, 1), outcome.err)
                self.assertTrue(strict_json(outcome.out)["metrics"]["stood_up"])


if __name__ == "__main__":
    unittest.main()
