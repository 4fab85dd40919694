"""TensorFlow's path to `jit`."""

from tinytf.python.compiler.xla import jit

__all__ = ["jit"]
