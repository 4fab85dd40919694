"""The registry of Python functions that graph nodes call by token, and the error codes of their exceptions."""

from __future__ import annotations

import functools
import itertools
import traceback
import weakref
from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph

_numbers = itertools.count()
_by_token: dict[str, weakref.ref[Any]] = {}  # Read by the C++ core.

# The first match counts. Exceptions of the runtime map to UNKNOWN, as in TensorFlow. A function whose eager session has
# been closed is cancelled, like the other operations of that session.
_CODES = (
    (errors_impl.SessionClosedError, errors_impl.CANCELLED),
    (errors_impl.OpError, errors_impl.UNKNOWN),
    ((ValueError, TypeError), errors_impl.INVALID_ARGUMENT),
    (StopIteration, errors_impl.OUT_OF_RANGE),
    (MemoryError, errors_impl.RESOURCE_EXHAUSTED),
    (NotImplementedError, errors_impl.UNIMPLEMENTED),
    (KeyboardInterrupt, errors_impl.CANCELLED),
)


def register(function: Callable[..., Any], graph: Graph) -> str:
    """Registers a function for nodes of `graph` and returns its token, valid as long as the graph or the caller keeps
    the function alive.
    """
    try:
        reference = weakref.ref(function)
    except TypeError:  # The object does not support weak references.
        function = functools.partial(function)
        reference = weakref.ref(function)
    token = f"pyfunc_{next(_numbers)}"
    _by_token[token] = reference
    weakref.finalize(function, _by_token.pop, token, None).atexit = False
    graph._py_funcs_used_in_graph.append(function)
    return token


def register_as(token: str, function: Callable[..., Any]) -> None:
    """Registers a function of a module under a token that the C++ core knows."""
    _by_token[token] = weakref.ref(function)


def function_of(token: str) -> Any:
    """Returns the function of a token. Raises KeyError if it no longer exists."""
    function = _by_token[token]()
    if function is None:
        raise KeyError(token)
    return function


def size() -> int:
    """Returns the number of registered functions."""
    return len(_by_token)


def _describe(error: BaseException) -> tuple[int, bytes]:
    """Returns the error code and message of a step in which a function raised an exception."""
    code = next((code for kinds, code in _CODES if isinstance(error, kinds)), errors_impl.UNKNOWN)
    told = traceback.TracebackException.from_exception(error)
    text = f"{type(error).__name__}: {told}\n" + "\n".join(told.format()) + "\n"
    return code, text.encode(errors="backslashreplace")  # File names, for example, may not be valid text.


_core.set_functions(_by_token, _describe)
