"""The command `aplomb`: the program of the wheel takes the place of this process."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin" / "aplomb"


def main() -> None:
    try:
        os.execv(PROGRAM, ["aplomb", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"aplomb: error: {PROGRAM}: {error.strerror}; install aplomb again")
