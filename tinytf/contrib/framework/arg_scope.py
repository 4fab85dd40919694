"""Argument scopes: defaults for arguments of functions within a block."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.context_variable import ContextVariable

__all__ = ["add_arg_scope", "arg_scope", "arg_scoped_arguments", "current_arg_scope", "has_arg_scope"]

_Scope = dict[str, dict[str, Any]]  # arguments by function key

_current = ContextVariable[_Scope]("tinytf_arg_scope", {})
_arguments: dict[str, tuple[str, ...]] = {}  # names of the arguments with defaults, by function key


def current_arg_scope() -> _Scope:
    """Returns the defaults of the current scope in this thread, by function key."""
    return _current.get()


def _key(function: Any) -> str:
    return getattr(function, "_key_op", str(function))


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function so that `arg_scope` can override the defaults of its arguments."""
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
    """Whether a function is decorated with `add_arg_scope`."""
    return _key(func) in _arguments


def arg_scoped_arguments(func: Any) -> tuple[str, ...]:
    """Returns the names of the arguments that `arg_scope` can set. The function must be decorated with
    `add_arg_scope`."""
    assert has_arg_scope(func)
    return _arguments[_key(func)]


@contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[_Scope]:
    """Context manager that sets defaults for arguments of functions in its body.

    Args:
      list_ops_or_scope: list of functions decorated with `add_arg_scope`; their defaults are added to those in force.
        Or a scope yielded by `arg_scope`, which replaces the defaults in force.
      **kwargs: the defaults by argument name; none if a scope is given.

    Yields:
      The scope, a dict that can be passed to `arg_scope`.

    Raises:
      ValueError: if a function is not decorated, or if a scope is given with arguments.
      TypeError: if `list_ops_or_scope` has another type.
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
