"""`SessionInspection`: what a session tells of its devices, its memory and its plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.profiler import devices
from tinytf._src.session.engine import HasEngine, LocalEngine
from tinytf._src.session.feed import feed_list_tensors
from tinytf._src.session.fetch import FetchHandler
from tinytf._src.session.session_life import RESTARTED
from tinytf._src.session.step_runner import StepRunner

if TYPE_CHECKING:
    from tinytf._src.debug.plan_report import PlanReport
    from tinytf._src.debug.session_stats import MemoryStats, SessionStats


class SessionInspection:
    """Implements the methods of a session that do not run steps. A member of the session. Thread-safe.

    It holds no reference to the session; reports about fetches get it, as they may include session handles.
    """

    def __init__(self, steps: StepRunner, target: bytes) -> None:
        self._steps = steps
        self._target = target
        self._devices = devices.device_attributes(steps.engine)

    def local_engine(self) -> LocalEngine:
        """Returns the engine, for what only an engine of this process can do. UnimplementedError if it is elsewhere."""
        engine = self._steps.engine.local
        if engine is None:
            raise errors_impl.UnimplementedError(
                None,
                None,
                f"Only sessions that run in this process can do this; the target is {self._target.decode()!r}",
            )
        return engine

    def devices(self) -> list[devices._DeviceAttributes]:
        """Implements `Session.list_devices`."""
        if self._steps.closed:
            raise errors_impl.CancelledError(None, None, "Session has been closed.")
        if self._steps.lost:
            raise errors_impl.InvalidArgumentError(None, None, f"{self._steps.lost} {RESTARTED}")
        return list(self._devices)

    def placements(self) -> dict[str, str]:
        """Implements `Session.placements`."""
        return devices.placements(self._steps.engine)

    def memory_stats(self) -> MemoryStats:
        """Implements `Session.memory_stats`."""
        from tinytf._src.debug import session_stats

        return session_stats.memory_stats(self.local_engine())

    def stats(self) -> SessionStats:
        """Implements `Session.stats`."""
        from tinytf._src.debug import session_stats

        engine = self.local_engine()
        return session_stats.SessionStats(
            engine.steps(),
            engine.feed_bytes_copied(),
            len(self._steps.cache.prepared),
            len(self._steps.cache.calls),
            self.memory_stats(),
            engine.active_runs(),
        )

    def held(self, tensor: Any) -> Any:
        """Returns the value of a tensor of the graph as the engine has it, such as the handle of a resource."""
        steps = self._steps
        steps.check_can_run()
        tensor = steps.graph.as_graph_element(tensor, allow_operation=False)
        self.local_engine()  # others have no values of this process
        return steps.prepare([], [tensor], [], yield_="held").call([])[0]

    def plan_report(self, session: HasEngine, fetches: Any, feed_list: Any) -> PlanReport:
        """Implements `Session.plan_report`."""
        from tinytf._src.debug.plan_report import plan_report

        steps = self._steps
        steps.check_can_run()
        feeds = list(dict.fromkeys(feed_list_tensors(steps.graph, feed_list)))
        handler = FetchHandler(steps.graph, fetches, feeds, session)
        self.local_engine()  # others do not describe plans
        prepared = steps.prepare(feeds, handler.tensors, handler.targets)
        return plan_report(steps.graph, prepared.describe(), feeds, handler.tensors)
