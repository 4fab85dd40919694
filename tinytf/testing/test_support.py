"""Functions of `tf.test` beside the test case: running tests, their directories, what this build has."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import unittest
from typing import Any

_temp_dir: str | None = None


def main(argv: Any = None) -> None:
    """Runs the tests of the calling program and exits; `argv` replaces the program's arguments."""
    unittest.main(module="__main__", argv=sys.argv if argv is None else list(argv))


def get_temp_dir() -> str:
    """A directory for temporary files of tests: `$TEST_TMPDIR`, or one that is removed when the process ends."""
    global _temp_dir
    if _temp_dir is None:
        given = os.environ.get("TEST_TMPDIR")
        if given:
            os.makedirs(given, exist_ok=True)
            _temp_dir = given
        else:
            _temp_dir = tempfile.mkdtemp(prefix="tinytf_test_")
            atexit.register(shutil.rmtree, _temp_dir, ignore_errors=True)
    return _temp_dir


def test_src_dir_path(relative_path: str) -> str:
    """The path of a file below `$TEST_SRCDIR`, or below the directory that holds the package `tinytf`."""
    root = os.environ.get("TEST_SRCDIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return os.path.join(root, relative_path)


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """False: tinytf runs on CPUs."""
    return False


def gpu_device_name() -> str:
    """The empty string: there is no GPU device."""
    return ""


def is_built_with_cuda() -> bool:
    """False: tinytf runs on CPUs."""
    return False


def is_built_with_rocm() -> bool:
    """False: tinytf runs on CPUs."""
    return False


def is_built_with_gpu_support() -> bool:
    """False: tinytf runs on CPUs."""
    return False


def is_built_with_xla() -> bool:
    """False: there is no XLA."""
    return False
