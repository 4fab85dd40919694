"""Calls the final callbacks of hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.framework.logs import tf_logging


def end_hooks(hooks: Sequence[Any], sess: Any, goes_on: bool) -> None:
    """Calls `end` of all hooks, ordered by `end_priority` (default 0), then by position; saving hooks have a higher
    priority.

    The first error, Ctrl-C included, skips the remaining hooks, except those before the failing hook in the original
    order that were only deferred by priority: a failing hook must not cost the last checkpoint. With `goes_on`, when
    another error is propagating, errors are logged and all hooks are called.
    """
    ordered = sorted(range(len(hooks)), key=lambda place: getattr(hooks[place], "end_priority", 0))
    if goes_on:
        _call_all([hooks[place] for place in ordered], "end", sess)
        return
    for number, place in enumerate(ordered, 1):
        try:
            hooks[place].end(sess)
        except BaseException:
            _call_all([hooks[other] for other in ordered[number:] if other < place], "end", sess)
            raise


def tell_error(hooks: Sequence[Any], error: BaseException) -> None:
    """Calls `on_error` of the hooks that have it. Their own errors are logged; the session's error takes precedence."""
    _call_all(hooks, "on_error", error)


def tell_closed(hooks: Sequence[Any]) -> None:
    """Calls `on_close` of the hooks that have it, when the session is closed, however it ended."""
    _call_all(hooks, "on_close")


def _call_all(hooks: Sequence[Any], name: str, *args: Any) -> None:
    for hook in hooks:
        method = getattr(hook, name, None)
        if method is not None:
            try:
                method(*args)
            except Exception as error:
                tf_logging.error("%s of %s failed: %s", name, type(hook).__name__, str(error))
