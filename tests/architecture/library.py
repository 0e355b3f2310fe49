"""Reads the library's rooms, headers and #include lines from src/aplomb/, for the tests beside this file."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
HEADERS = re.compile(r"\bHEADERS\b(.*?)(?:\bSOURCES\b|\bLINKS\b|\bPRIVATE_LINKS\b|\))", re.DOTALL)


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
    return len(path) == 2 and (f"{room}/{sub_room}" in OPEN_SUB_ROOMS or path[1] == f"{sub_room}.hpp")


def rooms_table(document):
    """Room -> its row {heading: cell}, from the table of docs/architecture.md whose first column is `room`."""
    rows, headings = {}, None
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            headings = None
        elif cells[0] == "room":
            headings = cells
        elif headings and not set(cells[0]) <= {"-"}:
            rows[cells[0].strip("`/")] = dict(zip(headings, cells))
    return rows


def may_use(document):
    """Room -> the rooms that it may include."""
    rooms = {}
    for room, row in rooms_table(document).items():
        cell = next(text for heading, text in row.items() if heading.startswith("may use"))
        words = cell.split(";")[0].replace("-", "").split(", ")
        allowed = {word.strip("`/ ") for word in words if word.strip("`/ ")}
        if "all above" in allowed:
            allowed = allowed - {"all above"} | set(rooms)
        rooms[room] = allowed
    return rooms


def sub_rooms(document):
    """Room -> the sub-rooms that its row names."""
    return {room: set(re.findall(r"`(\w+)/`", row["sub-rooms"])) for room, row in rooms_table(document).items()}


def open_sub_rooms(document):
    """Sub-rooms in italics, "ROOM/SUB": all their headers belong to the room's door."""
    return {f"{room}/{name}" for room, row in rooms_table(document).items()
            for name in re.findall(r"\*`(\w+)/`\*", row["sub-rooms"])}


OPEN_SUB_ROOMS = open_sub_rooms((ROOT / "docs" / "architecture.md").read_text())
