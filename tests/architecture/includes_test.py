"""Reads the #include lines of src/aplomb/ and holds them against the table of docs/architecture.md."""

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# folder -> the folders that it may use; every folder may use core and itself.
MAY_USE = {
    "core": set(),
    "robot": set(),
    "motion": {"robot"},
    "solvers": set(),
    "recording": set(),
    "human": {"robot", "motion", "solvers", "recording"},
    "demonstrator": {"robot", "motion", "recording", "human"},
    "identify": {"robot", "solvers"},
    "retarget": {"robot", "motion", "solvers", "recording", "human"},
    "control": {"robot", "motion", "solvers"},
    "sim": {"robot", "motion"},
    "run": {"robot", "motion", "control", "sim"},
    "report": set(),
}
MAY_USE["pipeline"] = set(MAY_USE) - {"report"}
MAY_USE["scenario"] = MAY_USE["pipeline"] | {"pipeline"}
MAY_USE["present"] = MAY_USE["scenario"] | {"scenario", "report"}

# The folders that may see a third-party library at all. A program's options (CLI11) belong to apps/.
ONLY_IN = {"pinocchio/": {"robot"}, "mujoco/": {"sim"}, "tinyxml2.h": {"robot"}, "httplib.h": {"report"},
           "CLI/": set()}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
HEADERS = re.compile(r"\bHEADERS\b(.*?)(?:\bSOURCES\b|\bLINKS\b|\bPRIVATE_LINKS\b|\))", re.DOTALL)


def public_headers(library):
    """The headers that an installed copy has: what the folders' CMakeLists.txt name under HEADERS."""
    found = set()
    for cmake in library.rglob("CMakeLists.txt"):
        for names in HEADERS.findall(cmake.read_text()):
            found.update(cmake.parent / name for name in names.split())
    return found


def folder_faults(folder, quote, target):
    if folder not in MAY_USE:
        yield f"folder {folder}/ is not in the table of docs/architecture.md"
    elif quote == '"' and not target.startswith("aplomb/"):
        yield f'includes "{target}"; write the whole path, "aplomb/FOLDER/..."'
    elif quote == '"':
        used = target.split("/")[1]
        if used not in MAY_USE[folder] | {"core", folder}:
            yield f"{folder}/ may not use {used}/, but includes {target}"
    for prefix, folders in ONLY_IN.items():
        if target.startswith(prefix) and folder not in folders:
            yield f"includes {target}, which only {', '.join(sorted(folders)) or 'apps'}/ may see"


def public_faults(library, public, quote, target):
    if quote == '"' and library.parent / target not in public:
        yield f"is public, but includes {target}, which is not installed"
    is_third_party = quote == "<" and ("/" in target or target.endswith((".h", ".hpp")))
    if is_third_party and not target.startswith("Eigen/"):
        yield f"is public, but shows {target}; of other libraries only Eigen may be in a public header"


def faults(library):
    public = public_headers(library)
    found = [f"{header}: named under HEADERS but missing" for header in public if not header.exists()]
    for file in sorted([*library.rglob("*.hpp"), *library.rglob("*.cpp")]):
        folder = file.relative_to(library).parts[0]
        for quote, target in INCLUDE.findall(file.read_text()):
            found += [f"{file}: {fault}" for fault in folder_faults(folder, quote, target)]
            if file in public:
                found += [f"{file}: {fault}" for fault in public_faults(library, public, quote, target)]
    return found


class Includes(unittest.TestCase):
    def test_every_folder_uses_only_what_the_design_allows(self):
        self.assertEqual(faults(ROOT / "src" / "aplomb"), [])

    def test_the_library_is_there_to_be_read(self):
        self.assertGreater(len(public_headers(ROOT / "src" / "aplomb")), 20)

    def faults_of(self, path, line):
        """The faults of a library that has one public header, core/a.hpp, and one file with one line."""
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "aplomb"
            (library / "core").mkdir(parents=True)
            (library / "core" / "a.hpp").write_text("#pragma once\n")
            (library / "core" / "CMakeLists.txt").write_text("aplomb_module(core HEADERS a.hpp SOURCES a.cpp)\n")
            file = library / path
            file.parent.mkdir(exist_ok=True)
            file.write_text(line + "\n")
            return faults(library)

    def test_what_is_allowed_is_accepted(self):
        for path, line in [
            ("robot/b.cpp", '#include "aplomb/core/a.hpp"'),
            ("robot/b.cpp", "#include <pinocchio/multibody.hpp>"),
            ("core/a.hpp", "#include <Eigen/Core>"),
            ("core/a.hpp", "#include <vector>"),
            ("control/b.cpp", '#include "aplomb/motion/c.hpp"'),
        ]:
            self.assertEqual(self.faults_of(path, line), [], f"{path}: {line}")

    def test_what_is_forbidden_is_found(self):
        for path, line in [
            ("core/b.cpp", '#include "aplomb/robot/c.hpp"'),
            ("report/b.cpp", '#include "aplomb/sim/c.hpp"'),
            ("control/b.cpp", "#include <pinocchio/multibody.hpp>"),
            ("scenario/b.cpp", "#include <mujoco/mujoco.h>"),
            ("core/b.cpp", "#include <CLI/CLI.hpp>"),
            ("core/b.cpp", '#include "a.hpp"'),
            ("core/a.hpp", "#include <yaml-cpp/yaml.h>"),
            ("core/a.hpp", "#include <fmt/core.h>"),
            ("core/a.hpp", '#include "aplomb/core/hidden.hpp"'),
            ("elsewhere/b.cpp", "#include <vector>"),
        ]:
            self.assertEqual(len(self.faults_of(path, line)), 1, f"{path}: {line}")


if __name__ == "__main__":
    unittest.main()
