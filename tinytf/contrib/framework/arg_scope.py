"""Defaults of functions' arguments for all calls in a block."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework.context_variable import ContextVariable

__all__ = ["add_arg_scope", "arg_scope", "arg_scoped_arguments", "current_arg_scope", "has_arg_scope"]

_Scope = dict[str, dict[str, Any]]  # arguments by the key of the function

_current = ContextVariable[_Scope]("tinytf_arg_scope", {})
_arguments: dict[str, tuple[str, ...]] = {}  # of the functions that take part


def current_arg_scope() -> _Scope:
    """The defaults that hold here, in this thread, by function."""
    return _current.get()


def _key(function: Any) -> str:
    return getattr(function, "_key_op", str(function))


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose arguments may have other defaults in the block of an `arg_scope`."""
    key = _key(func)

    @functools.wraps(func)
    def with_defaults(*args: Any, **kwargs: Any) -> Any:
        defaults = _current.get().get(key)
        return func(*args, **({**defaults, **kwargs} if defaults else kwargs))

    defaults = getattr(func, "__defaults__", None) or ()
    code = func.__code__
    _arguments[key] = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
    with_defaults._key_op = key  # type: ignore[attr-defined]
    return with_defaults


def has_arg_scope(func: Any) -> bool:
    """Whether the function takes part."""
    return _key(func) in _arguments


def arg_scoped_arguments(func: Any) -> tuple[str, ...]:
    """The names of a function's arguments that may have other defaults. The function must take part."""
    assert has_arg_scope(func)
    return _arguments[_key(func)]


@contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[_Scope]:
    """In the block these arguments are defaults of the functions in a list, besides those that hold already. What it yields
    can be given to another `arg_scope`, in whose block just those defaults hold.

    ValueError for a function without `add_arg_scope`.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling adictionary, kwargs must be empty.")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(_current.get())
        for function in list_ops_or_scope:
            if not has_arg_scope(function):
                name = (getattr(function, "__module__", None), getattr(function, "__name__", function))
                raise ValueError("%s is not decorated with @add_arg_scope", name)
            key = _key(function)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    before = _current.get()
    _current.set(scope)
    try:
        yield scope
    finally:
        _current.set(before)
