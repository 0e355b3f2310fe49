"""Compiles the installed headers, each alone and all in one file: no warning, no missing include, no name defined twice.

  headers_test.py COMPILER [OPTION...]    OPTION: what a user of the library compiles with (-std, -I, -isystem, -D)
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import library
from library import ROOT

LIBRARY = ROOT / "src" / "aplomb"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILER = []


def compile_text(text, *options):
    """What the compiler says of a source with these lines; empty when it compiles."""
    command = [*COMPILER, *WARNINGS, *options, "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def eigen_headers(header, known):
    """The Eigen headers that a header includes, directly or through others of the library."""
    if header not in known:
        known[header] = frozenset()  # ends a cycle
        found = set()
        for quote, target in library.includes(header):
            if quote == "<" and target.startswith("Eigen/"):
                found.add(target)
            elif quote == '"' and (LIBRARY.parent / target).exists():
                found |= eigen_headers(LIBRARY.parent / target, known)
        known[header] = frozenset(found)
    return known[header]


def precompile(eigen, folder):
    """Options that read these Eigen headers precompiled. A header that needs them includes them itself, so that reading
    them first hides nothing; without this every header would take two seconds more."""
    if not eigen:
        return []
    prefix = Path(folder) / ("_".join(re.sub(r"\W", "", name) for name in sorted(eigen)) + ".hpp")
    prefix.write_text("".join(f"#include <{name}>\n" for name in sorted(eigen)))
    version = subprocess.run([COMPILER[0], "--version"], capture_output=True, text=True).stdout
    output = f"{prefix}.pch" if "clang" in version else f"{prefix}.gch"
    subprocess.run([*COMPILER, *WARNINGS, "-x", "c++-header", str(prefix), "-o", output], check=True)
    return ["-include", str(prefix)]


class Headers(unittest.TestCase):
    def setUp(self):
        self.headers = sorted({header for header in library.listed_headers(LIBRARY) if header.exists()})

    def lines(self, headers):
        return "".join(f'#include "{header.relative_to(LIBRARY.parent)}"\n' for header in headers)

    def test_all_installed_headers_compile_in_one_file(self):
        said = compile_text(self.lines(self.headers))
        if said:
            self.fail(said)

    def test_each_installed_header_compiles_alone(self):
        known = {}
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            needs = {header: eigen_headers(header, known) for header in self.headers}
            sets = sorted(set(needs.values()), key=sorted)
            options = dict(zip(sets, pool.map(lambda eigen: precompile(eigen, folder), sets)))
            said = pool.map(lambda header: compile_text(self.lines([header]), *options[needs[header]]), self.headers)
            wrong = [f"{header}:\n{text}" for header, text in zip(self.headers, said) if text]
        if wrong:
            self.fail("\n".join(wrong))

    def test_a_warning_and_a_missing_include_would_be_found(self):
        self.assertEqual(compile_text("inline int one() { return 1; }\n"), "")
        self.assertNotEqual(compile_text("inline int one(int unused) { return 1; }\n"), "")
        self.assertNotEqual(compile_text("inline std::vector<int> none() { return {}; }\n"), "")


if __name__ == "__main__":
    COMPILER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
