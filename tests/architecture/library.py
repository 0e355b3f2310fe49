"""Reads the library's rooms, headers and #include lines from src/aplomb/, for the tests beside this file."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
HEADERS = re.compile(r"\bHEADERS\b(.*?)(?:\bSOURCES\b|\bLINKS\b|\bPRIVATE_LINKS\b|\))", re.DOTALL)

# Sub-rooms whose headers all belong to the room's door; "core/*" means every sub-room of core/.
OPEN_SUB_ROOMS = {"core/*", "robot/dynamics", "robot/kinematics", "robot/shapes", "motion/profile", "control/tasks"}


def sources(folder):
    return sorted(file for file in folder.rglob("*") if file.suffix in (".cpp", ".hpp"))


def includes(file):
    """(quote, target) of each #include line."""
    return INCLUDE.findall(file.read_text())


def listed_headers(library):
    """Every entry under HEADERS in the rooms' CMakeLists.txt, as a path; one that is listed twice occurs twice."""
    return [cmake.parent / name for cmake in sorted(library.rglob("CMakeLists.txt"))
            for names in HEADERS.findall(cmake.read_text()) for name in names.split()]


def is_door(target, installed):
    """Whether another room may include `target` ("aplomb/ROOM/..."): a header at the room's top level, one that carries
    its sub-room's name, one of an open sub-room, or one that is installed."""
    room, *path = target.split("/")[1:]
    if len(path) < 2 or target in installed:
        return True
    sub_room = path[0]
    is_open = f"{room}/*" in OPEN_SUB_ROOMS or f"{room}/{sub_room}" in OPEN_SUB_ROOMS
    return len(path) == 2 and (is_open or path[1] == f"{sub_room}.hpp")


def may_use(document):
    """Room -> the rooms that it may include, from the table of docs/architecture.md whose first column is `room`."""
    rows = {}
    in_table = False
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            in_table = False
        elif cells[0] == "room":
            in_table, column = True, next(i for i, cell in enumerate(cells) if cell.startswith("may use"))
        elif in_table and not set(cells[0]) <= {"-"}:
            above = set(rows)
            words = cells[column].split(";")[0].replace("-", "").split(", ")
            allowed = {word.strip("`/ ") for word in words if word.strip("`/ ")}
            if "all above" in allowed:
                allowed = allowed - {"all above"} | above
            rows[cells[0].strip("`/")] = allowed
    return rows
