"""TensorFlow's path to what feeds queues."""

from tinytf.python.estimator.inputs import queues

__all__ = ["queues"]
