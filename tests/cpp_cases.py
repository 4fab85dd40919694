"""The C++ test binaries: where they are, what they hold, and how one of their cases is run in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_TAG = f"cp{sys.version_info.major}{sys.version_info.minor}-"


def _binary(name):
    """The binary of the build for this Python, or of the folder that the environment names; None if there is none."""
    named = os.environ.get("TINYTF_CPP_TESTS")
    found = [Path(named) / name] if named else list(_ROOT.glob(f"build/{_TAG}*/{name}"))
    return next((path for path in found if path.is_file()), None)


def _hint(name):
    return f"{name} is not built: run `make cpp-tests`, or name the folder that holds it in TINYTF_CPP_TESTS"


def cases(name):
    """The names of all cases; where the binary is missing, one name that says so and fails when it is run."""
    binary = _binary(name)
    if binary is None:
        return [_hint(name)]
    return subprocess.run([binary, "--list"], capture_output=True, text=True, check=True).stdout.split()


def run(name, case):
    binary = _binary(name)
    assert binary, _hint(name)
    done = subprocess.run([binary, "--run", case], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
