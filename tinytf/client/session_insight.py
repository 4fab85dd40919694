"""What a session tells of itself: devices, memory, plans, and what its steps do."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf.client.feed import feed_array, feed_list_tensors
from tinytf.client.fetch import FetchHandler
from tinytf.client.session_steps import SessionSteps
from tinytf.framework import errors_impl
from tinytf.insight import devices

if TYPE_CHECKING:
    from tinytf.insight.plan_report import PlanReport
    from tinytf.insight.session_stats import SessionStats


class SessionInsight(SessionSteps):
    """The part of a session that looks on. Thread-safe."""

    _devices: list[devices._DeviceAttributes]

    def list_devices(self) -> list[devices._DeviceAttributes]:
        """The devices that operations may run on: `name`, `device_type`, `memory_limit_bytes` and `incarnation` each.

        CancelledError if the session is closed."""
        if self._closed:
            raise errors_impl.CancelledError(None, None, "Session has been closed.")
        return list(self._devices)

    def watch_nan(self, enabled: bool = True, infinities: bool = True) -> None:
        """Makes steps fail at the first node that yields a NaN, or an infinity if `infinities`; until disabled.

        The InvalidArgumentError names the node and its line, what it yielded, and the ranges of its inputs. Holds for
        all ways to run, callables made before too. Watched steps compute nothing in place; the graph does not change.
        """
        self._session.watch_nan((2 if infinities else 1) if enabled else 0)

    def trace(self, path: str | os.PathLike[str]) -> AbstractContextManager[None]:
        """A context manager that writes what the session's steps did in it to a file, for Perfetto or chrome://tracing.

        Every `run` is there, on any thread, with the nodes that it ran: op, shapes, times, and the line of the program
        that made them; functions of `make_callable` are not. The file appears complete at the end, also when the body
        raises. RuntimeError if the session is being traced already, FileNotFoundError if the directory is missing.
        """
        from tinytf.insight import trace

        return trace.traced(self, path)

    def record(self, path: str | os.PathLike[str], steps: int | None = None) -> AbstractContextManager[None]:
        """A context manager that writes the session's steps in it, or the first `steps`, to a file for `tf.replay`.

        Every `run` is there, on any thread, with all that its values depend on: graph, feeds, variables, states of the
        random generators, what queues gave; functions of `make_callable` and partial runs are not. Digests of what each
        node yielded tell a replay where it differs. Recorded steps run one at a time, but for those that may wait for
        others. The file appears complete at the end, also when the body raises. RuntimeError if the session is being
        recorded already, FileNotFoundError if the directory is missing, ValueError if `steps` is less than 1.
        """
        from tinytf.insight import record

        return record.recorded(self, path, steps, feed_array)

    def stats(self) -> SessionStats:
        """What the session has done and prepared, and how it uses memory."""
        from tinytf.insight import session_stats

        core = self._session
        return session_stats.SessionStats(
            core.steps(),
            core.feed_bytes_copied(),
            len(self._prepared),
            len(self._calls),
            self.memory_stats(),
            core.active_runs(),
        )

    def plan_report(self, fetches: Any, feed_list: Any = ()) -> PlanReport:
        """What a `run` of these fetches, fed these tensors, executes and how much memory it needs; nothing is run.

        TypeError and ValueError for unsuitable fetches and feeds, RuntimeError if the session is closed or the graph empty.
        """
        from tinytf.insight.plan_report import plan_report

        self._check_can_run()
        feeds = list(dict.fromkeys(feed_list_tensors(self._graph, feed_list)))
        handler = FetchHandler(self._graph, fetches, feeds, self)
        prepared = self._prepare(feeds, handler.tensors, handler.targets)
        return plan_report(self._graph, prepared.describe(), feeds, handler.tensors)
