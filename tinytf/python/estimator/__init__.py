"""TensorFlow's path to `inputs.queues.feeding_queue_runner`."""

from tinytf.python.estimator import inputs

__all__ = ["inputs"]
