"""Starts the queue runners of a graph."""

from __future__ import annotations

import threading
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph, get_default_session
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.session_interface import SessionInterface
from tinytf._src.session.base_session import BaseSession


@tf_export("train.add_queue_runner", "train.queue_runner.add_queue_runner")
def add_queue_runner(qr: Any, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds a `QueueRunner` to a collection of the default graph, where `start_queue_runners` finds it.

    Args:
      qr: a `QueueRunner`.
      collection: str, the key of the collection.
    """
    get_default_graph().add_to_collection(collection, qr)


@tf_export("train.start_queue_runners", "train.queue_runner.start_queue_runners")
@called_by_users
def start_queue_runners(
    sess: Any = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts the threads of all queue runners of a session's graph.

    Args:
      sess: a `Session`; None: the default session. A monitored session has started its queue runners already: a warning
        is logged, and nothing is started.
      coord, daemon, start: as of `QueueRunner.create_threads`.
      collection: str, the key of the collection of queue runners.

    Returns:
      A list of the threads.

    Raises:
      ValueError: if there is no session.
      TypeError: if `sess` is not a session.
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError("Queues are not compatible with eager execution.")
    if sess is None:
        sess = get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
                "explicit session to tf.start_queue_runners(sess=sess)"
            )
    if isinstance(sess, SessionInterface):
        tf_logging.warning("A monitored session starts its queue runners when it is created; this call starts none.")
        return []
    if not isinstance(sess, BaseSession):
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {sess.__class__}")
    runners = sess.graph.get_collection(collection)
    if not runners:
        tf_logging.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove the call "
            "to this deprecated function."
        )
    return start_threads(sess, runners, coord, daemon, start)


def start_threads(
    sess: Any, runners: Any, coord: Any, daemon: bool = True, start: bool = True
) -> list[threading.Thread]:
    """Creates the threads of the given queue runners."""
    with sess.graph.as_default():
        return [thread for runner in runners for thread in runner.create_threads(sess, coord, daemon, start)]
