"""TensorFlow's path to queue runners that feed data from functions."""

from tinytf._src.estimator.feeding_queue_runner import _FeedingQueueRunner

__all__ = ["_FeedingQueueRunner"]
