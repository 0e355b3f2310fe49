"""Reads the #include lines of the project and checks them against the table of rooms in docs/architecture.md."""

import re
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import library
from library import ROOT

DOCUMENT = (ROOT / "docs" / "architecture.md").read_text()
MAY_USE = library.may_use(DOCUMENT)

# Rooms that may include a third-party library at all. Command-line options (CLI11) belong to apps/.
ONLY_IN = {"pinocchio/": {"robot"}, "mujoco/": {"robot", "sim"}, "tinyxml2.h": {"robot", "human"},
           "CLI/": set()}


def room_faults(room, quote, target, installed):
    if room not in MAY_USE:
        yield f"room {room}/ is not in the table of docs/architecture.md"
    elif quote == '"' and not target.startswith("aplomb/"):
        yield f'includes "{target}"; write the whole path, "aplomb/ROOM/..."'
    elif quote == '"':
        used = target.split("/")[1]
        if used not in MAY_USE[room] | {"core", room}:
            yield f"{room}/ may not use {used}/, but includes {target}"
        elif used != room and not library.is_door(target, installed):
            yield f"includes {target}, which is private to {used}/"
    for prefix, rooms in ONLY_IN.items():
        if target.startswith(prefix) and room not in rooms:
            yield f"includes {target}, which only {', '.join(sorted(rooms)) or 'apps'}/ may include"


def installed_faults(quote, target, installed):
    if quote == '"' and target not in installed:
        yield f"is installed, but includes {target}, which is not"
    is_third_party = quote == "<" and ("/" in target or target.endswith((".h", ".hpp")))
    if is_third_party and not target.startswith("Eigen/"):
        yield f"is installed, but includes {target}; of other libraries an installed header may include Eigen only"


def faults(rooms):
    """Faults of the library in the folder `rooms` (src/aplomb)."""
    listed = library.listed_headers(rooms)
    installed = {str(header.relative_to(rooms.parent)) for header in listed}
    found = [f"{header}: named under HEADERS but missing" for header in listed if not header.exists()]
    found += [f"{header}: named {count} times under HEADERS" for header, count in Counter(listed).items() if count > 1]
    for file in library.sources(rooms):
        room = file.relative_to(rooms).parts[0]
        for quote, target in library.includes(file):
            found += [f"{file}: {fault}" for fault in room_faults(room, quote, target, installed)]
            if str(file.relative_to(rooms.parent)) in installed:
                found += [f"{file}: {fault}" for fault in installed_faults(quote, target, installed)]
    return found


def repeated_types(rooms):
    """Types of namespace aplomb that two headers define: the linker keeps one of the two, whichever it meets first."""
    headers = {}
    for header in sorted(rooms.rglob("*.hpp")):
        for name in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;{]*)? \{", header.read_text(), re.MULTILINE):
            headers.setdefault(name, []).append(str(header.relative_to(rooms)))
    return [f"{name}: {', '.join(where)}" for name, where in headers.items() if len(where) > 1]


def user_faults(users, rooms):
    """Private headers that a user of the library (apps/, examples/) includes. Tests and benchmarks may."""
    installed = {str(header.relative_to(rooms.parent)) for header in library.listed_headers(rooms)}
    return [f"{file}: includes {target}, which is private to its room" for file in library.sources(users)
            for quote, target in library.includes(file)
            if quote == '"' and target.startswith("aplomb/") and not library.is_door(target, installed)]


class Includes(unittest.TestCase):
    maxDiff = None

    def test_every_room_uses_only_the_doors_of_the_rooms_that_it_may_use(self):
        self.assertEqual(faults(ROOT / "src" / "aplomb"), [])

    def test_every_type_has_one_definition(self):
        self.assertEqual(repeated_types(ROOT / "src" / "aplomb"), [])

    def test_programs_and_examples_use_only_the_doors_of_the_rooms(self):
        rooms = ROOT / "src" / "aplomb"
        for users in ("apps", "examples", "python"):
            self.assertEqual(user_faults(ROOT / users, rooms), [])

    def test_the_document_has_a_row_for_every_room_in_an_order_that_can_be_built(self):
        folders = {folder.name for folder in (ROOT / "src" / "aplomb").iterdir() if any(folder.glob("CMakeLists.txt"))}
        self.assertEqual(set(MAY_USE), folders)
        for room, used in MAY_USE.items():
            self.assertLessEqual(used, set(MAY_USE), f"{room}/ may use a room that does not exist")
            self.assertFalse([other for other in used if room in MAY_USE[other]], f"{room}/ is part of a cycle")

    def test_the_document_names_every_sub_room(self):
        rooms = ROOT / "src" / "aplomb"
        folders = {room: {folder.name for folder in (rooms / room).iterdir() if any(folder.glob("*"))} for room in MAY_USE}
        self.assertEqual(library.sub_rooms(DOCUMENT), folders)

    def test_every_room_links_only_the_rooms_that_it_may_use(self):
        for room, allowed in MAY_USE.items():
            text = (ROOT / "src" / "aplomb" / room / "CMakeLists.txt").read_text()
            linked = set(re.findall(r"\baplomb::(\w+)", text))
            self.assertLessEqual(linked, allowed | {"core", room}, f"LINKS of {room}/")

    def test_the_library_is_there_to_be_read(self):
        self.assertGreater(len(library.listed_headers(ROOT / "src" / "aplomb")), 20)

    def library_with(self, folder, path, line):
        """A library with the installed header core/a.hpp and one other file with one line."""
        rooms = Path(folder) / "aplomb"
        (rooms / "core").mkdir(parents=True)
        (rooms / "core" / "a.hpp").write_text("#pragma once\n")
        (rooms / "core" / "CMakeLists.txt").write_text("aplomb_module(core HEADERS a.hpp SOURCES a.cpp)\n")
        (rooms / path).parent.mkdir(parents=True, exist_ok=True)
        (rooms / path).write_text(line + "\n")
        return rooms

    def faults_of(self, path, line):
        with tempfile.TemporaryDirectory() as folder:
            return faults(self.library_with(folder, path, line))

    def test_what_is_allowed_is_accepted(self):
        for path, line in [
            ("robot/b.cpp", '#include "aplomb/core/a.hpp"'),
            ("robot/b.cpp", '#include "aplomb/core/math/b.hpp"'),
            ("robot/b.cpp", '#include "aplomb/robot/urdf/xml_scan.hpp"'),
            ("robot/b.cpp", "#include <pinocchio/multibody.hpp>"),
            ("core/a.hpp", "#include <Eigen/Core>"),
            ("core/a.hpp", "#include <vector>"),
            ("control/b.cpp", '#include "aplomb/motion/c.hpp"'),
            ("control/b.cpp", '#include "aplomb/robot/urdf/urdf.hpp"'),
            ("control/b.cpp", '#include "aplomb/robot/shapes/c.hpp"'),
        ]:
            self.assertEqual(self.faults_of(path, line), [], f"{path}: {line}")

    def test_what_is_forbidden_is_found(self):
        for path, line in [
            ("core/b.cpp", '#include "aplomb/robot/c.hpp"'),
            ("report/b.cpp", '#include "aplomb/sim/c.hpp"'),
            ("human/b.cpp", '#include "aplomb/robot/urdf/xml_scan.hpp"'),
            ("scenario/b.cpp", '#include "aplomb/recording/formats/c3d/c3d_layout.hpp"'),
            ("control/b.cpp", "#include <pinocchio/multibody.hpp>"),
            ("scenario/b.cpp", "#include <mujoco/mujoco.h>"),
            ("core/b.cpp", "#include <CLI/CLI.hpp>"),
            ("core/b.cpp", '#include "a.hpp"'),
            ("core/a.hpp", "#include <yaml-cpp/yaml.h>"),
            ("core/a.hpp", "#include <fmt/core.h>"),
            ("core/a.hpp", '#include "aplomb/core/hidden.hpp"'),
            ("elsewhere/b.cpp", "#include <vector>"),
            ("robot/CMakeLists.txt", "aplomb_module(robot HEADERS missing.hpp SOURCES b.cpp)"),
            ("core/CMakeLists.txt", "aplomb_module(core HEADERS a.hpp a.hpp SOURCES a.cpp)"),
        ]:
            self.assertEqual(len(self.faults_of(path, line)), 1, f"{path}: {line}")

    def test_a_type_that_is_defined_twice_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            for room in ("control", "retarget"):
                (Path(folder) / room).mkdir()
                (Path(folder) / room / "forces.hpp").write_text("class Forces final : public Base {\n};\n")
            self.assertEqual(repeated_types(Path(folder)), ["Forces: control/forces.hpp, retarget/forces.hpp"])

    def test_a_private_header_in_a_program_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            rooms = self.library_with(folder, "../apps/main.cpp",
                                      '#include "aplomb/core/a.hpp"\n#include "aplomb/robot/urdf/xml_scan.hpp"')
            self.assertEqual(len(user_faults(Path(folder) / "apps", rooms)), 1)

    def test_the_table_of_rooms_is_read_as_it_is_written(self):
        table = "| room | sub-rooms | may use |\n|--|--|--|\n| `core/` | - | - |\n" \
                "| `robot/` | *`shapes/`*, `urdf/` | -; sees Pinocchio |\n" \
                "| `sim/` | - | robot |\n| `run/` | - | all above, report |\n| `report/` | - | - |\n\ntext"
        self.assertEqual(library.may_use(table), {"core": set(), "robot": set(), "sim": {"robot"},
                                                  "run": {"core", "robot", "sim", "report"}, "report": set()})
        self.assertEqual(library.sub_rooms(table)["robot"], {"shapes", "urdf"})
        self.assertEqual(library.open_sub_rooms(table), {"robot/shapes"})


if __name__ == "__main__":
    unittest.main()
