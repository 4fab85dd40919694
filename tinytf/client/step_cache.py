"""What a session keeps of the runs that it has seen."""

from __future__ import annotations

from typing import Any

# Each keeps a plan with its constants alive. A program has some tens; who makes ever new ones does not need the old.
_MOST_REMEMBERED = 1000


class _NeverCached(dict[Any, Any]):
    """In place of calls that are recognised: sends every run the long way, where tracers and recorders are."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


class StepCache:
    """Forms of `run` calls that are recognised, and what is prepared for them. Thread-safe.

    `recognises`: whether calls ever are.
    """

    def __init__(self, recognises: bool) -> None:
        self._recognises = recognises
        self.calls: dict[Any, Any]  # (class, fetches, feed keys) → (prepared call, results → structure)
        self.recognise_calls(True)
        self.prepared: dict[Any, Any] = {}  # (feeds, tensors, targets, yield) → prepared call
        self.counts: dict[Any, int] = {}  # of what is prepared, its runs, if costs are counted

    def remember_call(self, key: Any, call: Any) -> None:
        """Has a form of call be recognised from now on."""
        _remember(self.calls, key, call)

    def remember_prepared(self, signature: Any, prepared: Any) -> None:
        """Keeps a prepared call."""
        _remember(self.prepared, signature, prepared)

    def recognise_calls(self, recognised: bool) -> None:
        """Forgets the calls; none is recognised any more unless `recognised`."""
        self.calls = {} if recognised and self._recognises else _NeverCached()

    def clear(self) -> None:
        """Forgets everything."""
        self.calls.clear()
        self.prepared.clear()
        self.counts.clear()


def _remember(entries: dict[Any, Any], key: Any, entry: Any) -> None:
    """Adds an entry, and drops the oldest if there are too many."""
    entries[key] = entry
    if len(entries) > _MOST_REMEMBERED:
        entries.pop(next(iter(list(entries))), None)
