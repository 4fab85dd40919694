"""Implements `partial_run_setup` and `partial_run`: steps whose feeds and fetches come in several calls."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs.log import logger
from tinytf._src.profiler.devices import report_placement
from tinytf._src.session.config import check_executor
from tinytf._src.session.endpoints import check_endpoints
from tinytf._src.session.engine import HasEngine, PartialStep
from tinytf._src.session.feed import expand_feeds, feed_array, feed_list_tensors
from tinytf._src.session.fetch import FetchHandler
from tinytf._src.session.step_runner import StepRunner


class _PartialRun:
    """One unfinished step: the engine's step, and the indices of its feeds and fetches there."""

    def __init__(self, step: PartialStep, feeds: list[Tensor], tensors: list[Tensor]) -> None:
        self.step = step
        self.feeds = {tensor: i for i, tensor in enumerate(feeds)}
        self.tensors = {tensor: i for i, tensor in enumerate(tensors)}


class PartialRuns:
    """The partial runs of one session, by handle. Thread-safe.

    Unfinished ones hold memory, and programs need not finish them: beyond `MOST` the least recently used are dropped.
    The session itself is passed to the methods, for the handles of fetched session tensors, which keep it alive.
    """

    MOST = 1000

    def __init__(self, steps: StepRunner) -> None:
        self._steps = steps
        self._lock = threading.RLock()  # reentrant: a signal handler may close the session at any moment
        self._runs: OrderedDict[str, _PartialRun] = OrderedDict()  # in order of use, most recent last
        self._next = 0
        self._warned = False

    def clear(self) -> None:
        """Drops all unfinished partial runs."""
        with self._lock:
            self._runs.clear()

    def set_up(self, session: HasEngine, fetches: Any, feeds: Any) -> str:
        """Implements `Session.partial_run_setup`."""
        steps = self._steps
        graph = steps.graph
        feed_tensors = feed_list_tensors(graph, feeds if feeds is not None else ())
        handler = FetchHandler(graph, fetches, (), session)
        check_endpoints(feed_tensors, handler.tensors, handler.targets)
        check_executor(steps.config)
        try:
            step = steps.engine.partial_run(feed_tensors, handler.tensors, handler.targets)
        except errors_impl.OpError as e:
            raise steps.explain(e) from e.__cause__
        report_placement(steps.engine)
        with self._lock:
            handle = ",".join(t.name for t in feed_tensors) + "->" + ",".join(t.name for t in handler.tensors)
            handle = f"{handle}/{self._next}"
            self._next += 1
            self._runs[handle] = _PartialRun(step, feed_tensors, handler.tensors)
            warn = len(self._runs) > self.MOST and not self._warned
            self._warned |= warn
            while len(self._runs) > self.MOST:
                self._runs.popitem(last=False)
        if warn:
            logger().warning(
                "More than %d partial runs of this session are unfinished: from now on, the least recently used ones are "
                "dropped. A partial run is finished when all its feeds have been given and all its fetches taken.",
                self.MOST,
            )
        return handle

    def go_on(self, session: HasEngine, handle: str, fetches: Any, feed_dict: Any) -> Any:
        """Implements `Session.partial_run`."""
        steps = self._steps
        with self._lock:
            with suppress(KeyError):
                self._runs.move_to_end(handle)
            run = self._runs.get(handle)
        pairs = expand_feeds(steps.graph, feed_dict) if feed_dict is not None else []
        fed = {tensor: feed_array(tensor, value) for tensor, value in pairs}
        handler = FetchHandler(steps.graph, fetches, fed, session)
        if handler.targets:
            raise RuntimeError("partial_run() requires empty target_list.")
        if run is None:
            raise errors_impl.InvalidArgumentError(None, None, "Must run 'setup' before performing partial runs!")
        for tensor in fed:
            if tensor not in run.feeds:
                _refuse(f"The feed {tensor.name} was not specified in partial_run_setup.")
        for tensor in handler.tensors:
            if tensor not in run.tensors:
                _refuse(f"The fetch {tensor.name} was not specified in partial_run_setup.")
        try:
            values = run.step.go_on(
                [(run.feeds[tensor], array) for tensor, array in fed.items()],
                [run.tensors[tensor] for tensor in handler.tensors],
            )
        except errors_impl.OpError as e:
            raise steps.explain(e, fed) from e.__cause__
        finally:
            if run.step.over():
                with self._lock:
                    self._runs.pop(handle, None)
        return handler.build_results(values, fed)


def _refuse(message: str) -> None:
    raise errors_impl.InvalidArgumentError(None, None, message)
