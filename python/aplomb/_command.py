"""The command `aplomb`: the program of the wheel takes the place of this process, except for batches on Ray and joblib."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin" / "aplomb"


def main() -> None:
    if sys.argv[1:2] == ["batch"] and ({"ray", "joblib"} & {word.removeprefix("--executor=") for word in sys.argv[2:]}):
        from ._batch import command
        sys.exit(command(sys.argv[2:]))
    try:
        os.execv(PROGRAM, ["aplomb", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"aplomb: error: {PROGRAM}: {error.strerror}; install aplomb again")
