"""`tf.train.SessionManager`: creates sessions whose models are restored or initialized, here or by the chief."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.local_initialization import LocalInitialization
from tinytf._src.monitored_session.readiness import why_not_ready
from tinytf._src.monitored_session.restoring import restore_checkpoint
from tinytf._src.monitored_session.waits import Waits
from tinytf._src.session.session import Session


@tf_export("train.SessionManager")
class SessionManager:
    """Creates sessions, and initializes or restores their models.

    Args:
      local_init_op: operation that initializes a session's local variables and tables, or None.
      ready_op: string tensor with the names of uninitialized variables, or None.
      ready_for_local_init_op: string tensor with the names of uninitialized variables that `local_init_op` needs, or
        None.
      graph: the sessions' graph; None: the current default graph.
      recovery_wait_secs: float, maximal delay between looks for a checkpoint or an initialized model.
      local_init_run_options: `RunOptions` of `local_init_op`, or None.
      local_init_feed_dict: feed dict of `local_init_op`, or None.

    Raises:
      ValueError: if `ready_for_local_init_op` is given without `local_init_op`.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Graph | None = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        self._local = LocalInitialization(
            local_init_op, ready_for_local_init_op, local_init_run_options, local_init_feed_dict
        )
        self._ready_op = ready_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs

    @called_by_users
    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Session:
        """Creates a session whose model is restored from a checkpoint, or else initialized.

        Args:
          master: the session's target.
          init_op: operation that initializes the model if there is no checkpoint, or None.
          saver: a `Saver` to restore with; None: no checkpoint is restored.
          checkpoint_dir: directory whose latest checkpoint is restored, or None.
          checkpoint_filename_with_path: the checkpoint to restore, or None.
          wait_for_checkpoint: bool, whether to wait for a checkpoint in the directory.
          max_wait_secs: float, how long to wait for it.
          config: the session's `ConfigProto`, or None.
          init_feed_dict: feed dict of `init_op`, or None.
          init_fn: called with the session after `init_op`, or None.

        Returns:
          The `Session`.

        Raises:
          RuntimeError: if the model is not initialized afterwards.
          ValueError: if both a directory and a checkpoint are given.
        """
        _check_one(checkpoint_dir, checkpoint_filename_with_path)
        sess = Session(master, graph=self._graph, config=config)
        try:
            restored = restore_checkpoint(
                sess,
                saver,
                checkpoint_dir,
                checkpoint_filename_with_path,
                Waits(max_wait_secs if wait_for_checkpoint else 0, self._recovery_wait_secs),
            )
            if not restored:
                if init_op is None and not init_fn and self._local.op is None:
                    raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
                if init_op is not None:
                    sess.run(init_op, feed_dict=init_feed_dict)
                if init_fn:
                    init_fn(sess)
            given = f"Init op: {getattr(init_op, 'name', None)}, init fn: {init_fn}"
            missing = self._local.run(sess)
            if missing is not None:
                text = f"Init operations did not make model ready for local_init.  {given}, error: {missing}"
                raise RuntimeError(text)
            missing = why_not_ready(self._ready_op, sess, "Model not ready")
            if missing is not None:
                text = f"Init operations did not make model ready.  {given}, local_init_op: {self._local.op}"
                raise RuntimeError(f"{text}, error: {missing}")
        except BaseException:
            sess.close()
            raise
        return sess

    @called_by_users
    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """Creates a session, and restores its model if there is a checkpoint.

        Args:
          master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config: as
            of `prepare_session`.

        Returns:
          A pair: the `Session`, and whether its model was restored and is ready.

        Raises:
          ValueError: if both a directory and a checkpoint are given.
        """
        _check_one(checkpoint_dir, checkpoint_filename_with_path)
        sess = Session(master, graph=self._graph, config=config)
        try:
            restored = restore_checkpoint(
                sess,
                saver,
                checkpoint_dir,
                checkpoint_filename_with_path,
                Waits(max_wait_secs if wait_for_checkpoint else 0, self._recovery_wait_secs),
            )
            missing = self._local.run(sess)
            if not restored:
                return sess, False
            place = checkpoint_dir or checkpoint_filename_with_path
            if missing is not None:
                text = "Restoring model from %s did not make model ready for local init: %s"
                tf_logging.info(text, place, missing)
                return sess, False
            missing = why_not_ready(self._ready_op, sess, "Model not ready")
        except BaseException:
            sess.close()
            raise
        if missing is not None:
            tf_logging.info("Restoring model from %s did not make model ready: %s", place, missing)
            return sess, False
        tf_logging.info("Restored model from %s", place)
        return sess, True

    @called_by_users
    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = float("inf")) -> Session:
        """Waits until another process has initialized the model.

        Args:
          master: the session's target.
          config: the session's `ConfigProto`, or None.
          max_wait_secs: float, how long to wait; None: no limit.

        Returns:
          The `Session`.

        Raises:
          DeadlineExceededError: if the model is not ready in time.
        """
        waits = Waits(float("inf") if max_wait_secs is None else max_wait_secs, self._recovery_wait_secs)
        while True:
            sess = Session(master, graph=self._graph, config=config)
            missing = None
            try:
                missing_for_local = self._local.run(sess)
                if missing_for_local is None:
                    missing = why_not_ready(self._ready_op, sess, "Model not ready")
                    if missing is None:
                        return sess
            except BaseException:
                sess.close()
                raise
            sess.close()
            wait = waits()
            if wait is None:
                text = f"Session was not ready after waiting {max_wait_secs:.0f} secs."
                raise errors_impl.DeadlineExceededError(None, None, text)
            tf_logging.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s", missing_for_local, missing
            )
            time.sleep(wait)


def _check_one(folder: Any, file: Any) -> None:
    if folder and file:
        raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
