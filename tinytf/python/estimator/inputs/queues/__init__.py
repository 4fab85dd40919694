"""TensorFlow's path to what feeds queues."""

from tinytf.python.estimator.inputs.queues import feeding_queue_runner

__all__ = ["feeding_queue_runner"]
