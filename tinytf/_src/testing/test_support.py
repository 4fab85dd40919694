"""Functions of `tf.test` besides the test case: the test runner, test directories and the features of this build."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import unittest
from typing import Any

from tinytf._src.exports import tf_export

_temp_dir: str | None = None


@tf_export("test.main")
def main(argv: Any = None) -> None:
    """Runs all tests of the main module and exits the process.

    Args:
      argv: list of strings, the command line that `unittest.main` parses, program name first; `sys.argv` if None.

    Raises:
      SystemExit: always, with a status of 0 if all tests passed.
    """
    unittest.main(module="__main__", argv=sys.argv if argv is None else list(argv))


@tf_export("test.get_temp_dir")
def get_temp_dir() -> str:
    """Returns the path of a directory for temporary files of tests.

    The directory is `$TEST_TMPDIR`, created if it is missing. Without that variable it is a new directory, which is
    deleted when the process exits.
    All calls in a process return the same path.

    Returns:
      A string.
    """
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
    """Returns the absolute path of a source file of the tests.

    Args:
      relative_path: string, the path below `$TEST_SRCDIR`, or, if that is not set, below the directory that contains
        the package `tinytf`.

    Returns:
      A string. The file need not exist.
    """
    root = os.environ.get("TEST_SRCDIR") or os.path.dirname(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    )
    return os.path.join(root, relative_path)


@tf_export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Returns whether a GPU can be used: always False, because tinytf runs on CPUs.

    Args:
      cuda_only: ignored.
      min_cuda_compute_capability: ignored.

    Returns:
      False.
    """
    return False


@tf_export("test.gpu_device_name")
def gpu_device_name() -> str:
    """Returns the name of the GPU device: always the empty string, because there is none."""
    return ""


@tf_export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Returns whether this build supports CUDA: always False."""
    return False


@tf_export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Returns whether this build supports ROCm: always False."""
    return False


@tf_export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Returns whether this build supports GPUs: always False."""
    return False


@tf_export("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """Returns whether this build includes XLA: always False."""
    return False
