"""What hooks are told at the end of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf.framework import tf_logging


def end_hooks(hooks: Sequence[Any], sess: Any, goes_on: bool) -> None:
    """Calls `end` of each, in the order of their `end_priority` (0 where there is none), and in their own where that is the
    same: hooks that save what the others do last have a greater one. The first error ends that, Ctrl-C as well; only those
    that stand before the hook that failed, and have waited for it, have their end all the same: no hook is to cost the last
    checkpoint. Where another error is on its way to the program it `goes_on` after errors: then each is logged."""
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
    """Calls `on_error` of those that have it. The error that ends the session counts, not those of hooks."""
    _call_all(hooks, "on_error", error)


def tell_closed(hooks: Sequence[Any]) -> None:
    """Calls `on_close` of those that have it: whatever has happened, the session is closed."""
    _call_all(hooks, "on_close")


def _call_all(hooks: Sequence[Any], name: str, *args: Any) -> None:
    for hook in hooks:
        method = getattr(hook, name, None)
        if method is not None:
            try:
                method(*args)
            except Exception as error:
                tf_logging.error("%s of %s failed: %s", name, type(hook).__name__, str(error))
