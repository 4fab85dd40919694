"""TensorFlow's path to queue runners."""

from tinytf._src.monitored_session.queue_runners import add_queue_runner, start_queue_runners
from tinytf._src.ops.data_flow.queue_runner import QueueRunner

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
