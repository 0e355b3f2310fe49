"""Runs one class of a file of Python tests, as ctest needs it.

    run_cases.py FILE [CLASS]
    run_cases.py --list FILE    names its classes with tests, separated by semicolons

Exit 0: passed; 1: failed; 77: every case was skipped, which ctest shows as such (SKIP_RETURN_CODE). Each skipped case is
a line `skipped: CASE: REASON`, from which scripts/run-tests makes its summary.
"""

import ast
import importlib.util
import pathlib
import sys
import unittest

SKIPPED = 77


def load(file):
    sys.path[:0] = [str(file.parent), str(file.parent.parent)]  # shared modules are beside a test, or a level above
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def classes_of(file):
    """The classes that have tests, without running the file."""
    for node in ast.parse(file.read_text()).body:
        is_test = isinstance(node, ast.ClassDef) and any(
            isinstance(part, ast.FunctionDef) and part.name.startswith("test_") for part in node.body)
        if is_test:
            yield node.name


def main():
    if sys.argv[1] == "--list":
        print(";".join(classes_of(pathlib.Path(sys.argv[2]))), end="")
        return 0
    file, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:3]
    module = load(file)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    num_cases = suite.countTestCases()
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.stderr.flush()
    for case, reason in result.skipped:
        print(f"skipped: {case.id()}: {reason}")
    if not result.wasSuccessful() or num_cases == 0:
        return 1
    if len(result.skipped) >= num_cases:
        return SKIPPED
    if any("APLOMB_TEST_DATA" in reason for _, reason in result.skipped):
        print("Cases that need recordings are in a class with cases that do not. ctest would show all of them as passed: "
              "put them into a class of their own.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
