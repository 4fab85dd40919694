"""The Python functions that nodes of graphs may call, by token, and what their errors become."""

from __future__ import annotations

import functools
import itertools
import traceback
import weakref
from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf.framework import errors_impl
from tinytf.framework.graph import Graph

_numbers = itertools.count()
_by_token: dict[str, weakref.ref[Any]] = {}  # read by the core

# The first that fits counts. The runtime's own errors have no code of their own here, as in TensorFlow.
_CODES = (
    (errors_impl.OpError, errors_impl.UNKNOWN),
    ((ValueError, TypeError), errors_impl.INVALID_ARGUMENT),
    (StopIteration, errors_impl.OUT_OF_RANGE),
    (MemoryError, errors_impl.RESOURCE_EXHAUSTED),
    (NotImplementedError, errors_impl.UNIMPLEMENTED),
    (KeyboardInterrupt, errors_impl.CANCELLED),
)


def register(function: Callable[..., Any], graph: Graph) -> str:
    """The token of a function that nodes of `graph` call: they can for as long as the graph or the caller keeps it."""
    try:
        reference = weakref.ref(function)
    except TypeError:  # of a class whose objects nobody can refer to weakly
        function = functools.partial(function)
        reference = weakref.ref(function)
    token = f"pyfunc_{next(_numbers)}"
    _by_token[token] = reference
    weakref.finalize(function, _by_token.pop, token, None).atexit = False
    graph._py_funcs_used_in_graph.append(function)
    return token


def function_of(token: str) -> Any:
    """The function that is registered as `token`. KeyError if it is gone."""
    function = _by_token[token]()
    if function is None:
        raise KeyError(token)
    return function


def size() -> int:
    """How many functions are registered."""
    return len(_by_token)


def _describe(error: BaseException) -> tuple[int, bytes]:
    """Error code and message of a step that ends with an exception of a function."""
    code = next((code for kinds, code in _CODES if isinstance(error, kinds)), errors_impl.UNKNOWN)
    told = traceback.TracebackException.from_exception(error)
    text = f"{type(error).__name__}: {told}\n" + "\n".join(told.format()) + "\n"
    return code, text.encode(errors="backslashreplace")  # names of files, for example, may be no text


_core.set_functions(_by_token, _describe)
