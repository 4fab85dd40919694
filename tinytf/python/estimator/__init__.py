"""TensorFlow's path to what feeds queues."""

from tinytf.python.estimator import inputs

__all__ = ["inputs"]
