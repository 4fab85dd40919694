"""TensorFlow's path to `io`, files and records."""

from tinytf.python.lib import io

__all__ = ["io"]
