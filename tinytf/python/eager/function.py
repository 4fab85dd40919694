"""TensorFlow's path to functions that are traced."""

from tinytf.eager.function import defun

__all__ = ["defun"]
