"""Runs the commands of a row and takes its figures; says which rows of the book are stale."""

import functools
import hashlib
import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from book import ROOT, BookError

DATA = Path(os.environ.get("APLOMB_TEST_DATA", ROOT.parent / "shared" / "data"))
LIMIT_S = 7200  # for one command: 200 rises take less
SCRATCH = ROOT / "out" / "results"  # a folder for each commit: what `--repeat` and `search` resume from


class CannotMeasure(Exception):
    """A command that did not end with figures."""


def commit_of(program):
    """The commit in `aplomb --version`, `aplomb 0.2.0 (COMMIT)`."""
    try:
        text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise BookError(f"{program} does not run ({error}); `make build` builds it") from None
    return text.split("(")[-1].rstrip(")\n")


def is_script(command):
    """Whether a command is a script of this tree that prints figures from many runs of the program."""
    return command.startswith("scripts/")


def is_many_runs(command):
    """Whether a command makes many runs, which `--out` then lets it resume."""
    words = shlex.split(command)
    if is_script(command):
        return False
    if "--repeat" in words:
        return True
    file = scenario_file(words)
    return words[0] == "run" and file is not None and "\nsearch:" in file.read_text()


def scenario_file(words):
    for folder in ("scenarios", "scenarios/identify"):
        file = ROOT / folder / f"{words[1] if len(words) > 1 else ''}.yaml"
        if file.exists():
            return file
    return None


def inputs(row):
    """What the figures of a row depend on, for git: the source, the robots, the versions of the parts, the row's scenarios."""
    files = [ROOT / shlex.split(command)[0] if is_script(command) else scenario_file(shlex.split(command))
             for command in row.commands]
    return ("src", "apps", "robots", "marker_sets", "requirements", *(str(file.relative_to(ROOT)) for file in files if file))


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)


@functools.lru_cache
def digest(commit, paths):
    """A digest of the contents of `paths` at a commit: the same for equal contents, however the history was rewritten.
    None when this clone does not have the commit."""
    done = git("ls-tree", "-r", commit, "--", *paths)
    return hashlib.sha256(done.stdout.encode()).hexdigest()[:12] if done.returncode == 0 else None


@functools.lru_cache
def changed_since(commit, paths):
    """Files of `paths` that differ between a commit and the work tree; None when this clone does not have the commit."""
    done = git("diff", "--name-only", commit, "--", *paths)
    return done.stdout.split() if done.returncode == 0 else None


def why_stale(row, measured, commit):
    """Why a row of the book does not hold for the program of `commit`; empty when it does."""
    if measured is None:
        return "not measured"
    if measured["command"] != row.shown_commands:
        return "its command changed"
    if measured["commit"] == commit and not is_dirty(commit):
        return ""
    if is_dirty(measured["commit"]):
        return f"measured with uncommitted changes ({measured['commit']})"
    paths = inputs(row)
    if measured.get("inputs") and measured["inputs"] == digest("HEAD", paths) and not changed_since("HEAD", paths):
        return ""
    changed = changed_since(measured["commit"], paths)
    if changed is None:
        return f"measured at {measured['commit']}, which this clone does not have, with other inputs"
    return f"{len(changed)} inputs changed since {measured['commit']}, {changed[0]} among them" if changed else ""


def is_dirty(commit):
    """Whether a program was built with uncommitted changes; its figures cannot be measured again."""
    return commit.endswith("-dirty")


def measure(program, experiment, row, cache):
    """Runs a row's commands. `cache`: what each command of this experiment has printed, for rows that share one."""
    if row.needs_recordings and not DATA.is_dir():
        raise CannotMeasure("needs the recordings of APLOMB_TEST_DATA")
    commit = commit_of(program)
    folder = SCRATCH / commit / experiment.name / row.key
    result = cache.get(row.commands)
    if result is None:
        for command in row.commands:
            result = printed(program, command, folder)
        cache[row.commands] = result
    figures = {key: {"value": value_of(result, row.prefix, key)} for key in experiment.figures()}
    metrics = result.get("metrics", {})
    return {"command": row.shown_commands, "commit": commit, "inputs": digest(commit, inputs(row)),
            "seed": result.get("provenance", {}).get("seed"), "runs": metrics.get("runs", 1),
            "verdict": result.get("verdict"), "figures": figures}


def printed(program, command, folder):
    """What a command prints with --json."""
    folder.mkdir(parents=True, exist_ok=True)
    words = shlex.split(command.replace("{out}", str(folder)).replace("{data}", str(DATA)))
    if is_many_runs(command):
        words += ["--jobs", "1", "--out", str(folder / "many")]  # DIR.partial: an interrupted one is resumed
    if words[0] != "demonstrate":
        words += ["--json"]
    run = [ROOT / words[0], "--program", program, *words[1:]] if is_script(command) else [program, *words]
    try:
        done = subprocess.run(run, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise CannotMeasure(f"`aplomb {command}`: no end after {LIMIT_S} s") from None
    if done.returncode not in (0, 1):
        message = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        raise CannotMeasure(f"`aplomb {command}`: {message}")
    shutil.rmtree(folder / "many", ignore_errors=True)
    if words[0] == "demonstrate":
        return {}
    result = json.loads(done.stdout)
    return bench_figures(result) if words[0] == "bench" else result


def bench_figures(result):
    """Times of one run of `aplomb bench`, as multiples of the time that Pinocchio's own terms took in it."""
    unit = next(case["p50_us"] for case in result["results"] if case["name"] == "pinocchio_all_terms")
    metrics = {}
    for case in result["results"]:
        metrics[f"{case['name']}.p50_ratio"] = case["p50_us"] / unit
        metrics[f"{case['name']}.allocations"] = case["allocations"]
    return {"metrics": metrics}


def value_of(result, prefix, key):
    if key == "verdict":
        return result.get("verdict")
    if key in ("checks", "checks_ok"):
        checks = result.get("checks", [])
        return len(checks) if key == "checks" else sum(check["ok"] for check in checks)
    names = [prefix + name for name in key.split("-")]  # `a-b` is the difference of two metrics
    for name in names:
        if name not in result["metrics"]:
            raise BookError(f"the command prints no metric '{name}'")
    values = [result["metrics"][name] for name in names]
    if len(values) == 1:
        return rounded(values[0])
    return None if None in values else rounded(values[0] - values[1])


def rounded(value):
    """Six significant digits: more than any table shows."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
