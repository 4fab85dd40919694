"""TensorFlow's path to `feeding_queue_runner`."""

from tinytf.python.estimator.inputs.queues import feeding_queue_runner

__all__ = ["feeding_queue_runner"]
