"""`tf.train.LoggingTensorHook`: logs tensors at intervals of steps or seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.LoggingTensorHook")
@idles
class LoggingTensorHook(SessionRunHook):
    """Logs values of tensors in the first step, then at intervals of local steps or seconds, or at the end.

    Args:
      tensors: dict from tags to tensors or their names, or a list of tensors or names, which are their own tags.
      every_n_iter: int, local steps between log lines, or None.
      every_n_secs: float, seconds between log lines, or None.
      at_end: bool, whether to log at the end, too.
      formatter: takes a dict of values by tag; returns the text. None: a default format.

    Raises:
      ValueError: unless exactly one interval is given, or only `at_end`; and if `every_n_iter` is not positive.
    """

    waits_for_feeds = True  # results are None in steps that do not feed the tensors' placeholders

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[dict[Any, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            self._tensors, self._tag_order = tensors, sorted(tensors)
        else:
            self._tensors, self._tag_order = {item: item for item in tensors}, tensors
        self._formatter = formatter
        self._log_at_end = at_end
        self._timer = None if only_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)

    def begin(self) -> None:
        """Finds the tensors in the default graph."""
        if self._timer:
            self._timer.reset()
        self._iter_count = 0
        self._current = {tag: graph_element(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: Any) -> Any:
        """Fetches the tensors if the timer is due."""
        self._should_trigger = self._timer is not None and self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current) if self._should_trigger else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Logs the fetched values."""
        if self._should_trigger and run_values.results is not None:
            self._log(run_values.results)
        self._iter_count += 1

    def _idle(self) -> Any:
        self._should_trigger = False
        if self._timer is None:
            return Idle()
        left = self._timer._left()
        if left is None or self._timer.should_trigger_for_step(self._iter_count):
            return None
        return Idle(steps=left[0] - self._iter_count, secs_before=left[1])

    def _slept(self, steps: int, last_step: int) -> None:
        self._iter_count += steps

    def end(self, session: Any) -> None:
        """Logs the values at the end, if `at_end`."""
        if self._log_at_end:
            self._log(session.run(self._current))

    def _log(self, values: dict[Any, Any]) -> None:
        elapsed = self._timer.update_last_triggered_step(self._iter_count)[0] if self._timer else None
        with np.printoptions(suppress=True):
            if self._formatter:
                tf_logging.info(self._formatter(values))
                return
            text = ", ".join(f"{tag} = {values[tag]!s}" for tag in self._tag_order)
        if elapsed is None:
            tf_logging.info("%s", text)
        else:
            tf_logging.info("%s (%.3f sec)", text, elapsed)


def graph_element(given: Any) -> Any:
    """Returns a tensor or operation of the default graph, given as such or by name; an operation's name means its only
    output. ValueError for objects of other graphs and for operations with several outputs, KeyError for unknown
    names."""
    graph = get_default_graph()
    if not isinstance(given, str):
        if getattr(given, "graph", None) is not graph:
            raise ValueError(f"Passed {given} should have graph attribute that is equal to current graph {graph}.")
        return given
    if ":" in given:
        return graph.as_graph_element(given)
    element = graph.as_graph_element(given + ":0")
    if len(element.op.outputs) > 1:
        raise ValueError(f"Name {given} is ambiguous, as this `Operation` has multiple outputs (at least 2).")
    return element
