"""Functions of `tf.test` beside the test case: running tests, their directories, what this build has."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import unittest
from typing import Any

from tinytf.exports import tf_export

_temp_dir: str | None = None


@tf_export("test.main")
def main(argv: Any = None) -> None:
    """Runs the tests of the calling program and exits; `argv` replaces the program's arguments."""
    unittest.main(module="__main__", argv=sys.argv if argv is None else list(argv))


@tf_export("test.get_temp_dir")
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


@tf_export("test.test_src_dir_path")
def test_src_dir_path(relative_path: str) -> str:
    """The path of a file below `$TEST_SRCDIR`, or below the directory that holds the package `tinytf`."""
    root = os.environ.get("TEST_SRCDIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return os.path.join(root, relative_path)


@tf_export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """False: tinytf runs on CPUs."""
    return False


@tf_export("test.gpu_device_name")
def gpu_device_name() -> str:
    """The empty string: there is no GPU device."""
    return ""


@tf_export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """False: tinytf runs on CPUs."""
    return False


@tf_export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """False: tinytf runs on CPUs."""
    return False


@tf_export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """False: tinytf runs on CPUs."""
    return False


@tf_export("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """False: there is no XLA."""
    return False
