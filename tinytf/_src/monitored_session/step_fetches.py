"""Merges the fetches of the program and of hooks into one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any

from tinytf._src.monitored_session.run_options import merged_options

_SEQUENCES = (list, tuple)


class StepFetches:
    """The fetches of the program and some hooks in one step, without duplicates."""

    def __init__(self, fetches: Any, requests: Sequence[Any]) -> None:
        self.kind = fetches.__class__ if _is_flat(fetches) else None
        # Sessions are fastest for a flat list.
        self.fetches = tuple(fetches) if self.kind else fetches
        wanted = list(fetches) if self.kind else [fetches]
        self.own = len(wanted)  # number of the program's fetches
        places: dict[int, int] = {}
        self.places: list[int | None] = []  # positions of the hooks' values
        for request in requests:
            own = None if request is None else request.fetches
            if own is None:
                self.places.append(None)
                continue
            if id(own) not in places:
                places[id(own)] = len(wanted)
                wanted.append(own)
            self.places.append(places[id(own)])
        self.all = wanted
        self.feeds = None
        self.options = None
        for request in requests:
            if request is not None and request.feed_dict:
                self.feeds = _joined(self.feeds, request.feed_dict, "Same tensor is fed by two hooks.")
            if request is not None and request.options:
                self.options = merged_options(self.options, request.options)
        feeds_nothing = all(request is None or request.feed_dict is None for request in requests)
        self.asked = requests  # before the removal of requests that lack feeds
        self.feed_keys: Any = None  # set if other feeds would remove other requests
        self.is_kept = feeds_nothing and not self.options and _cannot_change(self.fetches)

    def are_for(self, fetches: Any, feed_dict: Any, requests: Sequence[Any]) -> bool:
        """Returns whether this object can be reused: the same fetches and requests."""
        if fetches is not self.fetches and not (
            self.kind
            and fetches.__class__ is self.kind
            and len(fetches) == self.own
            and all(map(is_, fetches, self.fetches))
        ):
            return False
        if self.feed_keys is not None and (feed_dict or {}).keys() != self.feed_keys:
            return False
        return len(requests) == len(self.asked) and all(map(is_, requests, self.asked))


def _is_flat(fetches: Any) -> bool:
    return fetches.__class__ in _SEQUENCES and not any(isinstance(part, (list, tuple, Mapping)) for part in fetches)


def _cannot_change(fetches: Any) -> bool:
    try:
        hash(fetches)
    except TypeError:
        return False
    return True


def _joined(feeds: Any, more: Any, text: str) -> Any:
    """Merges two feed dicts. RuntimeError for a common key."""
    if feeds and (both := set(feeds.keys()) & set(more.keys())):
        raise RuntimeError(f"{text} Conflict(s): {list(both)}")
    return {**(feeds or {}), **more}


def joined_with_user(feeds: Any, feed_dict: Any) -> Any:
    if not feed_dict:
        return feeds
    return _joined(feeds, feed_dict, "Same tensor is fed by a SessionRunHook and user.")
