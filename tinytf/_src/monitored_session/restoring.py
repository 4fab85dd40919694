"""Restores new sessions from checkpoints."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import Any

from tinytf._src.checkpoint.checkpoint_state import get_checkpoint_state
from tinytf._src.framework.logs import tf_logging

_restored: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()  # restored checkpoint by session


def restore_checkpoint(
    sess: Any, saver: Any, folder: str | None, file: str | None, next_wait: Callable[[], float | None]
) -> bool:
    """Restores a checkpoint file, or the latest readable checkpoint of a directory; returns whether there was one.

    `next_wait` returns the number of seconds until the next look for a checkpoint in the directory; None: give up.
    """
    if not saver or not (folder or file):
        return False
    if file:
        saver.restore(sess, file)
        _restored[sess] = file
        return True
    while True:
        found = _restore_newest(sess, saver, folder)
        if found is not None:
            _restored[sess] = found
            return True
        wait = next_wait()
        if wait is None:
            return False
        tf_logging.info("Waiting for checkpoint to be available.")
        time.sleep(wait)


def _restore_newest(sess: Any, saver: Any, folder: Any) -> str | None:
    if hasattr(saver, "restore_latest"):
        return saver.restore_latest(sess, folder)
    state = get_checkpoint_state(folder)  # a custom class of saver
    if state is None:
        return None
    saver.restore(sess, state.model_checkpoint_path)
    saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
    return state.model_checkpoint_path


def restored_checkpoint(sess: Any) -> str | None:
    """Returns the checkpoint from which a session was restored, or None."""
    return _restored.get(sess)
