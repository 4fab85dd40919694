"""Modules shared by the tutorials: `mnist.input_data`."""

from tinytf.examples.tutorials import mnist

__all__ = ["mnist"]
