"""TensorFlow's path to queue runners."""

from tinytf.monitoring.queue_runners import add_queue_runner, start_queue_runners
from tinytf.ops.data_flow.queue_runner import QueueRunner

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
