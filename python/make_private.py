"""Copies the shared libraries of the build into a wheel's aplomb/lib, and makes them private to it.

  make_private.py --patchelf PATCHELF --build BUILD PACKAGE

PACKAGE is the folder that becomes `aplomb` in site-packages: it holds the extension module and bin/aplomb. In one process
another Pinocchio or MuJoCo may be loaded (`import pin`, `import mujoco`). The dynamic loader would share with them

- libraries of the same name (SONAME): so each copy gets a name of its own, libNAME-aplomb.so, and all that need it follow;
- symbols bound as STB_GNU_UNIQUE, such as static members of templates: so they are bound as ordinary weak symbols;
- symbols of libraries that were loaded for everybody (RTLD_GLOBAL): so those of other projects' libraries get the prefix
  aplomb_, and each library prefers what it defines itself (DT_SYMBOLIC).
"""

import argparse
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

# Of every system that the wheel's platform tag promises (manylinux); all else is copied.
SYSTEM = re.compile(r"^(lib(c|m|dl|pthread|rt|util|stdc\+\+|gcc_s)\.so\.|ld-linux|linux-vdso)")

# Symbols that other packages may bring too: the C functions of MuJoCo, and these C++ namespaces.
SHARED = re.compile(r"^_?mj|pinocchio|tinyxml2|boost|3fmt|4YAML")

SHT_DYNAMIC, SHT_DYNSYM = 6, 11
STB_WEAK, STB_GNU_UNIQUE = 2, 10
DT_NULL, DT_SYMBOLIC, DT_FLAGS, DF_SYMBOLIC = 0, 16, 30, 2


def dependencies(file):
    """Shared libraries that a program or library loads, by name, as the dynamic loader finds them."""
    lines = subprocess.run(["ldd", str(file)], check=True, capture_output=True, text=True).stdout.splitlines()
    found = {}
    for line in lines:
        match = re.match(r"\s*(\S+) => (.+?)(?: \(0x|$)", line)
        if not match or SYSTEM.match(match[1]):
            continue
        if match[2] == "not found":
            sys.exit(f"{file} needs {match[1]}, which is not found")
        found[match[1]] = Path(match[2])
    return found


def private_name(library):
    """libmujoco.so.4.0.0 -> libmujoco-aplomb.so"""
    return library.split(".so")[0] + "-aplomb.so"


class Elf:
    """The parts of a 64-bit little-endian ELF file that are changed here (System V ABI, ELF-64 object file format)."""

    def __init__(self, file):
        self.file = file
        self.data = bytearray(file.read_bytes())
        if self.data[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{file} is not a 64-bit little-endian ELF file")
        offset, = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + i * size) for i in range(count)]

    def defined_symbols(self):
        for _, kind, _, _, offset, size, link, _, _, entry in self.sections:
            if kind != SHT_DYNSYM:
                continue
            names = self.sections[link][4]
            for at in range(offset, offset + size, entry):
                name, _, _, section = struct.unpack_from("<IBBH", self.data, at)
                if section != 0:
                    yield bytes(self.data[names + name:self.data.index(0, names + name)]).decode()

    def bind_unique_symbols_weakly(self):
        for _, kind, _, _, offset, size, _, _, _, entry in self.sections:
            if kind != SHT_DYNSYM:
                continue
            for at in range(offset, offset + size, entry):
                if self.data[at + 4] >> 4 == STB_GNU_UNIQUE:
                    self.data[at + 4] = STB_WEAK << 4 | self.data[at + 4] & 15

    def prefer_own_symbols(self):
        """Sets DF_SYMBOLIC, or adds DT_SYMBOLIC in a spare entry at the end of the dynamic section."""
        for _, kind, _, _, offset, size, _, _, _, entry in self.sections:
            if kind != SHT_DYNAMIC:
                continue
            entries = [struct.unpack_from("<qQ", self.data, at) for at in range(offset, offset + size, entry)]
            tags = [tag for tag, _ in entries]
            if DT_FLAGS in tags:
                i = tags.index(DT_FLAGS)
                struct.pack_into("<qQ", self.data, offset + i * entry, DT_FLAGS, entries[i][1] | DF_SYMBOLIC)
                return
            i = tags.index(DT_NULL)
            if i + 1 < len(tags) and tags[i + 1] == DT_NULL:
                struct.pack_into("<qQ", self.data, offset + i * entry, DT_SYMBOLIC, 0)
                return
        sys.exit(f"{self.file} has no room for DT_SYMBOLIC")

    def write(self):
        self.file.write_bytes(self.data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--patchelf", required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("package", type=Path)
    arguments = parser.parse_args()

    def patchelf(*options):
        subprocess.run([arguments.patchelf, *map(str, options)], check=True)

    # What the installed files of the build load: found through the build's own run paths.
    libraries = {}
    built = next((arguments.build / "python" / "aplomb").glob("_aplomb*.so"))
    for file in [built, arguments.build / "aplomb"]:
        libraries |= dependencies(file)
    folder = arguments.package / "lib"
    folder.mkdir(exist_ok=True)
    copies = {}
    for name, file in sorted(libraries.items()):
        copies[name] = folder / private_name(name)
        shutil.copyfile(file, copies[name])
        copies[name].chmod(0o755)

    symbols = {name for library, copy in copies.items() if not library.startswith("libaplomb_")
               for name in Elf(copy).defined_symbols() if SHARED.search(name)}
    new_names = folder / "new_names"
    new_names.write_text("".join(f"{name} aplomb_{name}\n" for name in sorted(symbols)))

    module = next(arguments.package.glob("_aplomb*.so"))
    program = arguments.package / "bin" / "aplomb"
    for file, origin in [*((copy, "$ORIGIN") for copy in copies.values()), (module, "$ORIGIN/lib"),
                         (program, "$ORIGIN/../lib")]:
        needed = subprocess.run([arguments.patchelf, "--print-needed", str(file)], check=True, capture_output=True,
                                text=True).stdout.split()
        renamed = [option for name in needed if name in copies
                   for option in ("--replace-needed", name, copies[name].name)]
        own = ["--set-soname", file.name] if file in copies.values() else []
        patchelf(*renamed, *own, "--set-rpath", origin, file)
        patchelf("--rename-dynamic-symbols", new_names, file)
        elf = Elf(file)
        elf.bind_unique_symbols_weakly()
        if file != program:
            elf.prefer_own_symbols()
        elf.write()
    new_names.unlink()


if __name__ == "__main__":
    main()
