"""A hook that writes a summary at the end of a session."""

from __future__ import annotations

from typing import Any

import tinytf as tf


class SummaryAtEndHook(tf.train.SessionRunHook):
    """Writes a summary when the session ends.

    Args:
      log_dir: string, directory of the event file; used if `summary_writer` is None.
      summary_writer: a `tf.summary.FileWriter`.
      summary_op: the summary tensor; all summaries of the graph, merged, if None.
      feed_dict: dict, feeds for the summary.

    Raises:
      ValueError: if both `log_dir` and `summary_writer` are None.
    """

    def __init__(
        self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None, feed_dict: Any = None
    ) -> None:
        self._summary_op = summary_op
        self._merges = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir
        self._global_step: Any = None
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")

    def begin(self) -> None:
        """Merges the summaries of the graph if none was given."""
        if self._merges:
            self._summary_op = tf.summary.merge_all()
        self._global_step = tf.train.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Opens the writer if none was given."""
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = tf.summary.FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        """Evaluates and writes the summary."""
        if self._summary_op is not None:
            step = tf.train.global_step(session, self._global_step)
            text = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(text, step)
        if self._summary_writer:
            self._summary_writer.flush()
