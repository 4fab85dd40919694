"""TensorFlow's path to files and records (`io`)."""

from tinytf.python.lib import io

__all__ = ["io"]
