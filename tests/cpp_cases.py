"""Finds the C++ test binaries, lists their cases and runs a case in a process of its own."""

import os
import subprocess
from pathlib import Path

from build_folders import engine_folder


def _binary(name):
    """The test binary of this Python's engine, or in the folder of TINYTF_CPP_TESTS; None if it is missing."""
    named = os.environ.get("TINYTF_CPP_TESTS")
    folder = Path(named) if named else engine_folder()
    return folder / name if folder and (folder / name).is_file() else None


def _hint(name):
    return f"{name} is not built: run `make cpp-tests`, or name the folder that holds it in TINYTF_CPP_TESTS"


def cases(name):
    """The names of all cases; if the binary is missing, a single name that says so and fails when run."""
    binary = _binary(name)
    if binary is None:
        return [_hint(name)]
    return subprocess.run([binary, "--list"], capture_output=True, text=True, check=True).stdout.split()


def run(name, case):
    binary = _binary(name)
    assert binary, _hint(name)
    done = subprocess.run([binary, "--run", case], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
