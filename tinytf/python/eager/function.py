"""TensorFlow's path to traced functions."""

from tinytf._src.eager.function import defun

__all__ = ["defun"]
