"""Every case of the stress binary as a test of its own, in a process of its own.

TINYTF_STRESS in the environment multiplies the rounds; `make asan` and `make tsan` run the same cases under sanitizers.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_TAG = f"cp{sys.version_info.major}{sys.version_info.minor}-"
_HINT = "the stress tests are not built: run `make cpp-tests`, or name the unit tests beside them in TINYTF_CPP_TESTS"


def _binary():
    """The binary of the build for this Python, or of the build that the environment names; None if there is none."""
    named = os.environ.get("TINYTF_CPP_TESTS")
    found = [Path(named).with_name("tinytf_stress")] if named else list(_ROOT.glob(f"build/{_TAG}*/tinytf_stress"))
    return next((path for path in found if path.is_file()), None)


def _cases():
    binary = _binary()
    if binary is None:
        return [_HINT]
    return subprocess.run([binary, "--list"], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("case", _cases())
def test_stress(case):
    binary = _binary()
    assert binary, _HINT
    done = subprocess.run([binary, "--run", case], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
