"""Modules that TensorFlow 1's tutorials import from `tensorflow.examples`."""

from tinytf.examples import tutorials

__all__ = ["tutorials"]
