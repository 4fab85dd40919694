"""`Session.trace`: writes all steps within a block, with their nodes, as a file for Perfetto or chrome://tracing."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from time import time_ns
from typing import Any, NamedTuple

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.sites.creation_line import place
from tinytf._src.framework.sites.user_line import user_line
from tinytf._src.framework.values import dtypes
from tinytf._src.profiler.trace_events import TraceEvents
from tinytf._src.profiler.watched import path_of_new_file, watched

_LABEL_CHARACTERS = 60  # maximum length of a step's label; the arguments of the event list all fetches


class _Step(NamedTuple):
    """One run of a session. Times are nanoseconds since the epoch."""

    fetches: tuple[str, ...]
    packed_nodes: bytes  # marshaled, because thousands of tuples would slow down the garbage collector
    started: int
    ended: int
    thread: int
    error: str | None

    def nodes(self) -> list[tuple[Any, ...]]:
        """Returns the record of each node, as `PreparedCall.call_with` yields it."""
        return marshal.loads(self.packed_nodes)


class StepTracer:
    """Collects the steps of a session. Thread-safe."""

    def __init__(self) -> None:
        self._steps: list[_Step] = []
        self._callers: dict[int, str] = {}  # native id of each thread that ran steps → its name

    def record(
        self,
        fetches: Iterable[Any],
        nodes: Sequence[tuple[Any, ...]],
        started_ns: int,
        ended_ns: int,
        error: BaseException | None = None,
    ) -> None:
        """Adds a step that the calling thread ran.

        Args:
          fetches: the fetched tensors and operations.
          nodes: (name, start, end, thread, outputs, iterations) of each node that ran, as `PreparedCall.call_with`
            yields them.
          started_ns: start of the step in nanoseconds since the epoch.
          ended_ns: end of the step in nanoseconds since the epoch.
          error: the exception that the step raised, or None.
        """
        thread = threading.get_native_id()
        self._callers[thread] = threading.current_thread().name
        told = None if error is None else f"{type(error).__name__}: {error}"
        names = tuple(fetch.name for fetch in fetches)
        self._steps.append(_Step(names, marshal.dumps(list(nodes)), started_ns, ended_ns, thread, told))

    def run(self, step: Callable[[], tuple[Any, Any]], fetches: Iterable[Any]) -> tuple[Any, Any]:
        """Runs `step()`, which returns results and node records, adds it to the trace, and returns both."""
        started = time_ns()
        try:
            results, nodes = step()
        except BaseException as e:
            self.record(fetches, (), started, time_ns(), e)
            raise
        self.record(fetches, nodes, started, time_ns())
        return results, nodes

    def to_json(self, graph: Graph) -> str:
        """Returns the steps so far in Chrome's trace format; `graph` provides ops, inputs and source lines of the
        nodes."""
        steps = list(self._steps)
        epoch = min((step.started for step in steps), default=0)
        pid = os.getpid()
        events = TraceEvents()
        events.name_process("tinytf session", pid)
        threads = set(self._callers)
        described: dict[str, dict[str, Any]] = {}
        for number, step in enumerate(steps, 1):
            nodes = step.nodes()
            threads |= {node[3] for node in nodes}
            about: dict[str, Any] = {"step": number, "fetches": list(step.fetches), "nodes": len(nodes)}
            if step.error is not None:
                about["error"] = step.error
            start, end = _span(step, nodes)
            time, duration = (start - epoch) / 1000, (end - start) / 1000
            events.add_region("Step", _label(step.fetches), pid, step.thread, time, duration, about)
            for name, start, end, thread, outputs, iterations in nodes:
                if name not in described:
                    described[name] = _describe(graph, name)
                time, duration = (start - epoch) / 1000, (end - start) / 1000
                args = {**described[name], "step": number, "outputs": [_shape_of(output) for output in outputs]}
                if iterations:
                    args["iterations"] = iterations
                events.add_region("Op", name, pid, thread, time, duration, args)
        for thread in sorted(threads):
            events.name_thread(self._callers.get(thread) or _system_name(thread), pid, thread)
        return events.format_to_string()


def traced(runner: Any, path: str | os.PathLike[str]) -> AbstractContextManager[None]:
    """Implements `Session.trace`; `runner` is the object that runs the session's steps."""
    path = path_of_new_file(path)
    return watched(
        runner,
        "tracer",
        "The session is already being traced.",
        StepTracer,
        lambda tracer: _write(path, tracer.to_json(runner.graph)),
    )


def _write(path: str, text: str) -> None:
    """Writes the file atomically: it appears complete or not at all."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


def _span(step: _Step, nodes: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Returns start and end of a step, extended to include all its nodes even if the clock was set back meanwhile."""
    return min([step.started, *(node[1] for node in nodes)]), max([step.ended, *(node[2] for node in nodes)])


def _label(fetches: tuple[str, ...]) -> str:
    text = f"run {', '.join(fetches)}"
    return text if len(text) <= _LABEL_CHARACTERS else f"{text[: _LABEL_CHARACTERS - 1]}…"


def _describe(graph: Graph, name: str) -> dict[str, Any]:
    """Returns the properties of a node that are the same in every step: op, inputs and the user's source line."""
    operation = graph._nodes.named(name)
    if operation is None:  # a node that the engine added
        return {}
    file, line = user_line(operation._site)
    inputs = [f"{tensor.name} {tensor.dtype.name}{tensor.shape}" for tensor in operation.inputs]
    return {"op": operation.type, "inputs": inputs, "defined at": place(file, line)}


def _shape_of(output: tuple[Any, ...]) -> str:
    _, dtype, dims, _ = output
    return f"{dtypes.as_dtype(dtype).name}({', '.join(map(str, dims))})"


def _system_name(thread: int) -> str:
    """Returns the operating system's name of a thread that Python did not start, if available."""
    with suppress(OSError), open(f"/proc/self/task/{thread}/comm", encoding="utf-8") as file:
        return f"{file.read().strip()} {thread}"
    return f"thread {thread}"
