"""Caches of prepared calls, by the form of the `run` calls that lead to them."""

from __future__ import annotations

from typing import Any

# Bound of each cache: each entry keeps a plan with its constants alive. Programs use some tens; a program that keeps
# making new ones does not need the oldest.
_MOST_REMEMBERED = 1000


class _NeverCached(dict[Any, Any]):
    """Replaces the call cache while steps are traced or recorded: every run takes the slow path."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


class StepCache:
    """Maps forms of `run` calls to prepared calls. Thread-safe.

    `recognises`: whether the call cache is used at all.

    The key of a call is (tensors fetched for a gate, …, type of the fetches, their structure, keys of the feed dict, …),
    see `structure_key`. The structure of a flat list is its tuple, that of a hashable leaf is itself: `_core.run_cached`
    forms the keys of these two. `StepRunner.find_call` forms all keys, which takes 400 to 800 ns.
    """

    def __init__(self, recognises: bool) -> None:
        self._recognises = recognises
        # key → (prepared call, values → structure of the fetches; None: the values themselves)
        self.calls: dict[Any, Any]
        self.recognise_calls(True)
        self.prepared: dict[Any, Any] = {}  # (feeds, tensors, targets, yield) → prepared call
        self.counts: dict[Any, int] = {}  # runs of each prepared call, only with cost models

    def remember_call(self, key: Any, call: Any) -> None:
        """Adds a form of call to the call cache."""
        _remember(self.calls, key, call)

    def remember_prepared(self, signature: Any, prepared: Any) -> None:
        """Adds a prepared call."""
        _remember(self.prepared, signature, prepared)

    def recognise_calls(self, recognised: bool) -> None:
        """Empties the call cache, and switches it on or off."""
        self.calls = {} if recognised and self._recognises else _NeverCached()

    def recognises_calls(self) -> bool:
        """Returns whether the call cache is on."""
        return self.calls.__class__ is dict

    def clear(self) -> None:
        """Empties all caches."""
        self.calls.clear()
        self.prepared.clear()
        self.counts.clear()


def _remember(entries: dict[Any, Any], key: Any, entry: Any) -> None:
    """Adds an entry, and drops the oldest if there are too many."""
    entries[key] = entry
    if len(entries) > _MOST_REMEMBERED:
        entries.pop(next(iter(list(entries))), None)
