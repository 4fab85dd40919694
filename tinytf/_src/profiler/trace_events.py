"""Events of the Chrome trace format, which chrome://tracing and Perfetto display. Times are microseconds."""

from __future__ import annotations

import json
from typing import Any

Event = dict[str, Any]


class TraceEvents:
    """Builds a trace: the names of processes and threads, followed by the events in the order of their addition."""

    def __init__(self) -> None:
        self._names: list[Event] = []
        self._events: list[Event] = []

    def name_process(self, name: str, pid: int) -> None:
        """Sets the displayed name of a process."""
        self._names.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}})

    def name_thread(self, name: str, pid: int, tid: int) -> None:
        """Sets the displayed name of a thread."""
        self._names.append({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}})

    def add_region(
        self, category: str, name: str, pid: int, tid: int, start: float, duration: float, args: dict[str, Any]
    ) -> None:
        """Adds an event with a duration; regions of one thread must be disjoint or nested."""
        self._add("X", category, name, pid, tid, start, dur=duration, args=args)

    def add_object(self, phase: str, name: str, pid: int, tid: int, time: float, id: int, **more: Any) -> None:
        """Adds the creation ("N"), a snapshot ("O") or the deletion ("D") of a tensor."""
        self._add(phase, "Tensor", name, pid, tid, time, id=id, **more)

    def add_flow(self, phase: str, name: str, pid: int, tid: int, time: float, id: int) -> None:
        """Adds one end of an arrow between regions: its start ("s") or a step ("t")."""
        self._add(phase, "DataFlow", name, pid, tid, time, id=id)

    def add_counter(self, category: str, name: str, pid: int, time: float, value: int) -> None:
        """Adds a value of a counter that is displayed as a curve."""
        self._add("C", category, name, pid, 0, time, args={name: value})

    def _add(self, phase: str, category: str, name: str, pid: int, tid: int, time: float, **more: Any) -> None:
        self._events.append({"ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "ts": time, **more})

    def format_to_string(self, pretty: bool = False) -> str:
        """Returns the text of the trace file."""
        trace = {"traceEvents": self._names + self._events}
        if pretty:
            return json.dumps(trace, indent=4, separators=(",", ": "))
        return json.dumps(trace, separators=(",", ":"))
