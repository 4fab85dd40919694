"""TensorFlow's path to `queues.feeding_queue_runner`."""

from tinytf.python.estimator.inputs import queues

__all__ = ["queues"]
