"""Whether the program answers as it promises: exit 0 or 1 with a result, or exit 2 with one line; no signal, an end."""

import json
import os
import subprocess

PROGRAM = os.environ["APLOMB_PROGRAM"]
SANITIZED = os.environ.get("APLOMB_SANITIZED") == "1"
LIMIT_S = 1800 if SANITIZED else 600  # for one command: a plan that cannot be made takes 40 to 200 s of an idle core


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def fault_of(arguments, cwd=None) -> str:
    """What is wrong with the program's answer; empty: nothing. With --json a result must be strict JSON."""
    try:
        done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT_S, cwd=cwd)
    except subprocess.TimeoutExpired:
        return f"no answer within {LIMIT_S} s"
    errors = done.stderr.decode(errors="replace")
    if done.returncode in (0, 1):
        if "--json" not in arguments:
            return ""
        try:
            json.loads(done.stdout, parse_constant=refuse_constant)
        except ValueError as error:
            return f"exit {done.returncode}, but no JSON: {error}"
        return ""
    if done.returncode != 2:
        return f"exit {done.returncode}: {errors[-2000:]}"
    lines = [line for line in errors.splitlines() if not line.startswith("note: ")]
    if len(lines) != 1 or not lines[0].startswith("aplomb: error: "):
        return f"exit 2, but not one line of error: {errors[-2000:]}"
    return ""
