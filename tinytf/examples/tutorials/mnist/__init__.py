"""The handwritten digits of many tutorials: `input_data` reads them."""

from tinytf.examples.tutorials.mnist import input_data

__all__ = ["input_data"]
