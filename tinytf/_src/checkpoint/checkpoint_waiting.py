"""Waiting for checkpoints that another process writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging


def wait_for_new_checkpoint(
    checkpoint_dir: str,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits for a checkpoint that differs from the last one.

    Args:
      checkpoint_dir: the directory.
      last_checkpoint: name of the last checkpoint; None: any checkpoint is new.
      seconds_to_sleep: poll interval.
      timeout: seconds to wait; None: no limit.

    Returns:
      The name of the checkpoint; None after `timeout` seconds.
    """
    tf_logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        found = latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            tf_logging.info("Found new checkpoint at %s", found)
            return found
        if end is not None and time.monotonic() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


@tf_export("train.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Generates the latest checkpoint of a directory whenever there is a new one. Some checkpoints may be skipped.

    Args:
      checkpoint_dir: the directory.
      min_interval_secs: float, minimal time between two checkpoints.
      timeout: float, seconds to wait for a checkpoint; None: no limit.
      timeout_fn: called after a timeout; a false result continues the waiting. None: a timeout ends the iteration.

    Yields:
      Names of checkpoints.
    """
    last = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, last, timeout=timeout)
        if found is None:
            if timeout_fn is None:
                tf_logging.info("Timed-out waiting for a checkpoint.")
            if timeout_fn is None or timeout_fn():
                return
            continue
        begin, last = time.monotonic(), found
        yield found
        time.sleep(max(0.0, begin + min_interval_secs - time.monotonic()))
