"""`aplomb run` with `--set` options that are drawn from the schema (print_overrides): whatever they are, it answers.

    overrides_test.py                     the cases of `make test`
    overrides_test.py FIRST_SEED COUNT    others, or one of them again
    overrides_test.py --seconds S         new ones until the time is over
"""

import json
import os
import subprocess
import sys
import time

import answers

GENERATOR = os.environ["APLOMB_PRINT_OVERRIDES"]
FIRST_SEED, COUNT = 1, 60 if answers.SANITIZED else 300


def fuzz(seconds: float) -> int:
    start = time.monotonic()
    first = int(time.time())
    while time.monotonic() - start < seconds:
        if run_cases(first, 50):
            return 1
        first += 50
    return 0


def run_cases(first: int, count: int) -> int:
    cases = subprocess.run([GENERATOR, str(first), str(count)], check=True, capture_output=True, text=True).stdout
    start, faults, slowest = time.monotonic(), 0, (0.0, first)
    for seed, line in enumerate(cases.splitlines(), first):
        begin = time.monotonic()
        fault = answers.fault_of([*json.loads(line), "--json"])
        slowest = max(slowest, (time.monotonic() - begin, seed))
        if fault:
            faults += 1
            print(f"seed {seed}: {line}\n  {fault}", flush=True)
    print(f"{count} runs with drawn --set options in {time.monotonic() - start:.0f} s, {faults} without a proper answer; "
          f"the slowest took {slowest[0]:.1f} s (seed {slowest[1]})", flush=True)
    return 1 if faults else 0


def main(arguments) -> int:
    if arguments[:1] == ["--seconds"]:
        return fuzz(float(arguments[1]))
    return run_cases(*(map(int, arguments) if arguments else (FIRST_SEED, COUNT)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
