"""The results book: experiments, their figures as JSON, and the tables and figures that documents show of them."""

import json
import math
import re
import string
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "docs" / "results"

FACTORS = {"mm": 1e3, "cm": 1e2, "um": 1e6, "nm": 1e9, "ms": 1e3, "deg": 180.0 / math.pi, "percent": 1e2, "x": 1.0}


class BookError(Exception):
    """A mistake in the table of experiments or in a document."""


@dataclass(frozen=True)
class Row:
    """One row of a table: its commands, of which the last one prints the figures."""

    key: str
    label: str
    # Argument strings after `aplomb`, or a script of this tree that runs it; {out}: a folder of the row, {data}:
    # APLOMB_TEST_DATA. The last one prints the figures.
    commands: tuple
    sensed: str = ""  # what was sensed ideally, when it differs from that of the experiment
    prefix: str = ""  # of the figures' keys in what the command prints, for a command that several rows share
    long: bool = False  # not measured again by the tests
    text: dict = field(default_factory=dict)  # texts of columns that are not measured (the paper's figure), by title

    @property
    def needs_recordings(self):
        return any("{data}" in command for command in self.commands)

    @property
    def shown_commands(self):
        return [("" if command.startswith("scripts/") else "aplomb ") +
                command.replace('{out}', 'out').replace('{data}', '$APLOMB_TEST_DATA') for command in self.commands]


@dataclass(frozen=True)
class Column:
    """One column: a template of figures, `{com_error_max_m:mm.1}`, or, without one, a text of each row."""

    title: str
    template: str = ""
    tolerance: float = None  # of every figure of this column, in the figure's own unit; else one unit of the last digit
    relative: float = 0.0  # tolerance over the figure's value, for times; the larger of the two holds


@dataclass(frozen=True)
class Experiment:
    name: str
    document: str
    head: str  # title of the first column
    columns: tuple
    rows: tuple
    sensed: str  # what was sensed ideally in every row that does not say otherwise; "" when nothing is simulated
    alone: bool = False  # measures times: no other experiment runs beside it

    @property
    def file(self):
        return BOOK / f"{self.name}.json"

    def row(self, key):
        for row in self.rows:
            if row.key == key:
                return row
        raise BookError(f"experiment '{self.name}' has no row '{key}'; it has {', '.join(r.key for r in self.rows)}")

    def figures(self):
        """Key of every figure that the columns show -> its tolerance, absolute and relative."""
        found = {}
        for column in self.columns:
            for key, spec in fields(column.template):
                absolute = column.tolerance if column.tolerance is not None else last_digit(spec)
                found[key] = min((absolute, column.relative), found.get(key, (absolute, column.relative)))
        return found


# ------------------------------------------------------------------------------------------------------------- format

def fields(template):
    """(figure key, format) of each field of a template."""
    return [(key, spec) for _, key, spec, _ in string.Formatter().parse(template) if key is not None]


def split(spec):
    """A format `[+][list.]UNIT.DIGITS`: whether a sign is shown, factor to the shown unit, digits."""
    name, _, digits = spec.removeprefix("+").removeprefix("list.").rpartition(".")
    if name not in FACTORS or not digits.isdigit():
        raise BookError(f"unknown format '{spec}': yes, text, or UNIT.DIGITS with a unit of {', '.join(FACTORS)}")
    return spec.startswith("+"), FACTORS[name], int(digits)


def last_digit(spec):
    """One unit of the last digit shown: what a reader would see move."""
    if spec in ("yes", "text"):
        return 0.0
    _, factor, digits = split(spec)
    return 10.0 ** -digits / factor


def shown(value, spec):
    if value is None:
        return "-"
    if spec == "yes":
        return "yes" if value else "no"
    if spec == "text":
        return str(value)
    with_sign, factor, digits = split(spec)
    if isinstance(value, list):
        return " ".join(shown(item, spec) for item in value)
    text = f"{value * factor:{'+' if with_sign else ''}.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def filled(template, figures):
    text = ""
    for literal, key, spec, _ in string.Formatter().parse(template):
        text += literal
        if key is not None:
            if key not in figures:
                return "not yet measured"
            text += shown(figures[key]["value"], spec)
    return text


# --------------------------------------------------------------------------------------------------------------- JSON

def load(experiment):
    """Measured rows by key; of the present table of experiments, so that a row that went out is not shown."""
    if not experiment.file.exists():
        return {}
    rows = json.loads(experiment.file.read_text())["rows"]
    return {row.key: rows[row.key] for row in experiment.rows if row.key in rows}


def save(experiment, rows):
    BOOK.mkdir(parents=True, exist_ok=True)
    ordered = {row.key: defined(experiment, row, rows[row.key]) for row in experiment.rows if row.key in rows}
    text = json.dumps({"experiment": experiment.name, "document": experiment.document, "rows": ordered}, indent=1)
    partial = experiment.file.with_suffix(".partial")
    partial.write_text(text + "\n")
    partial.replace(experiment.file)  # an interrupted run leaves the old file or the new one


def defined(experiment, row, measured):
    """A measured row with what the table of experiments says of it: tolerances, and what was sensed ideally."""
    figures = {}
    for key, (absolute, relative) in experiment.figures().items():
        if key in measured["figures"]:
            value = measured["figures"][key]["value"]
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            tolerance = max(absolute, relative * abs(value)) if is_number else absolute
            figures[key] = {"value": value, "tolerance": float(f"{tolerance:.6g}")}
    return measured | {"sensed_ideally": row.sensed or experiment.sensed, "figures": figures}


def moved(row, measured):
    """Figures of a new measurement that left the tolerance of the book's, one sentence each. Of a fall the fall itself
    counts and what the checks say of it: lengths and forces are then those of how the robot hits the ground."""
    found = []
    has_fallen = all(side["figures"].get("fell", {}).get("value") is True for side in (row, measured))
    for key, figure in row["figures"].items():
        if has_fallen and figure["tolerance"] > 0.0:
            continue
        old, new, tolerance = figure["value"], measured["figures"].get(key, {}).get("value"), figure["tolerance"]
        if not agree(old, new, tolerance):
            found.append(f"{key}: {old} in the book, {new} now, tolerance {tolerance:g}")
    if row["verdict"] != measured["verdict"]:
        found.append(f"verdict: {row['verdict']} in the book, {measured['verdict']} now")
    return found


def agree(old, new, tolerance):
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(agree(a, b, tolerance) for a, b in zip(old, new))
    is_number = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (old, new))
    return abs(old - new) <= tolerance if is_number else old == new


# ------------------------------------------------------------------------------------------------------------- tables

def table(experiment, rows):
    """The table of an experiment in Markdown, with the commits at which its rows were measured."""
    columns = [column.title for column in experiment.columns] + (["sensed ideally"] if experiment.sensed else [])
    lines = ["| " + " | ".join([experiment.head, *columns]) + " |", "|--" * (len(columns) + 1) + "|"]
    for row in experiment.rows:
        figures = rows.get(row.key, {}).get("figures", {})
        cells = [row.label]
        for column in experiment.columns:
            cells.append(filled(column.template, figures) if column.template else row.text.get(column.title, "-"))
        if experiment.sensed:
            cells.append(row.sensed or experiment.sensed)
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", origin(experiment, rows)]
    return "\n".join(lines)


def origin(experiment, rows):
    counts = {}
    for row in experiment.rows:
        if row.key in rows:
            counts[rows[row.key]["commit"]] = counts.get(rows[row.key]["commit"], 0) + 1
    missing = len(experiment.rows) - sum(counts.values())
    parts = [f"commit {commit}" + (f" ({count} rows)" if len(counts) > 1 else "") for commit, count in counts.items()]
    text = f"Measured by `scripts/results {experiment.name}`" + (f", {', '.join(parts)}." if parts else ".")
    if missing:
        text += f" Not yet measured: {missing} of {len(experiment.rows)} rows; `make results` measures them."
    return text


TABLE = re.compile(r"(<!-- results: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
FIGURE = re.compile(r"(<!-- figure: (\S+) (\S+) (.+?) -->).*?(<!-- end -->)")


def rewritten(text, experiments, name):
    """A document's text with its tables and figures from the book."""

    def find(experiment):
        if experiment not in experiments:
            raise BookError(f"{name}: no experiment named '{experiment}'; there are {', '.join(experiments)}")
        return experiments[experiment]

    def one_table(match):
        experiment = find(match[2])
        return match[1] + table(experiment, load(experiment)) + "\n" + match[3]

    def one_figure(match):
        experiment = find(match[2])
        row = experiment.row(match[3])
        unknown = [key for key, _ in fields(match[4]) if key not in experiment.figures()]
        if unknown:
            raise BookError(f"{name}: experiment '{experiment.name}' has no figure '{unknown[0]}'")
        return match[1] + filled(match[4], load(experiment).get(row.key, {}).get("figures", {})) + match[5]

    return FIGURE.sub(one_figure, TABLE.sub(one_table, text))


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
