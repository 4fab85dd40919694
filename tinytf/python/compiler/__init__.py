"""TensorFlow's path to `xla.jit`."""

from tinytf.python.compiler import xla

__all__ = ["xla"]
