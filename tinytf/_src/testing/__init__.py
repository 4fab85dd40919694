"""`tf.test`: utilities for the tests of TensorFlow programs."""

from tinytf._src.exports import tf_export
from tinytf._src.testing.default_session import reset_default_session
from tinytf._src.testing.gradient_checker import compute_gradient, compute_gradient_error
from tinytf._src.testing.test_case import TestCase
from tinytf._src.testing.test_support import (
    get_temp_dir,
    gpu_device_name,
    is_built_with_cuda,
    is_built_with_gpu_support,
    is_built_with_rocm,
    is_built_with_xla,
    is_gpu_available,
    main,
    test_src_dir_path,
)

__all__ = [
    "TestCase",
    "compute_gradient",
    "compute_gradient_error",
    "get_temp_dir",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
    "reset_default_session",
    "test_src_dir_path",
]

tf_export("test").namespace(__doc__)
