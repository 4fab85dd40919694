"""TensorFlow's path to traced functions."""

from tinytf.eager.function import defun

__all__ = ["defun"]
