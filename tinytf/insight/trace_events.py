"""Events of the Chrome trace format, which chrome://tracing and Perfetto show. Times are microseconds."""

from __future__ import annotations

import json
from typing import Any

Event = dict[str, Any]


class TraceEvents:
    """A trace in the making: names of processes and threads first, then events as they were added."""

    def __init__(self) -> None:
        self._names: list[Event] = []
        self._events: list[Event] = []

    def name_process(self, name: str, pid: int) -> None:
        """Labels a process."""
        self._names.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}})

    def name_thread(self, name: str, pid: int, tid: int) -> None:
        """Labels a thread of a process."""
        self._names.append({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}})

    def add_region(
        self, category: str, name: str, pid: int, tid: int, start: float, duration: float, args: dict[str, Any]
    ) -> None:
        """Something with a beginning and an end; regions of one thread may only nest."""
        self._add("X", category, name, pid, tid, start, dur=duration, args=args)

    def add_object(self, phase: str, name: str, pid: int, tid: int, time: float, id: int, **more: Any) -> None:
        """The birth ("N"), a snapshot ("O") or the end ("D") of a tensor."""
        self._add(phase, "Tensor", name, pid, tid, time, id=id, **more)

    def add_flow(self, phase: str, name: str, pid: int, tid: int, time: float, id: int) -> None:
        """One end of an arrow between regions: its start ("s") or a step of it ("t")."""
        self._add(phase, "DataFlow", name, pid, tid, time, id=id)

    def add_counter(self, category: str, name: str, pid: int, time: float, value: int) -> None:
        """A new value of a number that a graph is drawn of."""
        self._add("C", category, name, pid, 0, time, args={name: value})

    def _add(self, phase: str, category: str, name: str, pid: int, tid: int, time: float, **more: Any) -> None:
        self._events.append({"ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "ts": time, **more})

    def format_to_string(self, pretty: bool = False) -> str:
        """The trace file's text."""
        trace = {"traceEvents": self._names + self._events}
        if pretty:
            return json.dumps(trace, indent=4, separators=(",", ": "))
        return json.dumps(trace, separators=(",", ":"))
