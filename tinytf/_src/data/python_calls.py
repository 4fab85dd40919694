"""The Python functions of a pipeline that run now."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tinytf._src.framework.sites.creation_line import is_users_file, place
from tinytf._src.framework.sites.function_callers import graph_of


class PythonCall(NamedTuple):
    """A call of a Python function, by `tf.py_func` or a generator of a dataset, that has not returned.

    Attributes:
      function: str, its name.
      line: str, "FILE:LINE", where it is now, in its own file.
      thread: str, the name of the thread.
    """

    function: str
    line: str
    thread: str

    def __str__(self) -> str:
        return f"{self.function} at {self.line}, on thread {self.thread}"


def python_calls(names: Iterable[str]) -> tuple[PythonCall, ...]:
    """Returns the calls in progress of the Python functions that graph functions of these names call."""
    codes = {code for name in names for code in _codes(graph_of(name), set())}
    found = [_call(thread, frame, codes) for thread, frame in sys._current_frames().items()] if codes else []
    return tuple(call for call in found if call is not None)


def _codes(graph: Any, seen: set[int]) -> set[CodeType]:
    """The code of the Python functions that nodes of a graph, and of functions that it calls, call."""
    if graph is None or id(graph) in seen:
        return set()
    seen.add(id(graph))
    codes = {code for function in graph._py_funcs_used_in_graph if (code := _code(function)) is not None}
    for inner in graph._functions.values():
        codes |= _codes(inner.graph, seen)
    return codes


def _code(function: Any) -> CodeType | None:
    while isinstance(function, functools.partial):
        function = function.func
    if not hasattr(function, "__code__") and not hasattr(function, "__func__"):
        function = vars(type(function)).get("__call__")
    code: CodeType | None = getattr(getattr(function, "__func__", function), "__code__", None)
    return code


def _call(thread: int, frame: FrameType | None, codes: set[CodeType]) -> PythonCall | None:
    """The call in progress on a thread whose innermost frame this is."""
    frames: list[FrameType] = []  # innermost first, up to that of the function
    while frame is not None:
        frames.append(frame)
        if frame.f_code in codes:
            break
        frame = frame.f_back
    else:
        return None
    own = [frame for frame in frames if is_users_file(frame.f_code.co_filename)] or frames
    home = own[-1].f_code.co_filename  # not that of a library that the function calls
    inside = next(frame for frame in own if frame.f_code.co_filename == home)
    known = threading._active.get(thread)  # type: ignore[attr-defined]
    name = str(thread) if known is None else known.name
    return PythonCall(own[-1].f_code.co_name, place(home, inside.f_lineno), name)
