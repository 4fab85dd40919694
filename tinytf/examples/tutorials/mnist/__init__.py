"""The MNIST data set of handwritten digits: `input_data` reads it."""

from tinytf.examples.tutorials.mnist import input_data

__all__ = ["input_data"]
