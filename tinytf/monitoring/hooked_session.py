"""A session whose steps call hooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any

from tinytf import protos
from tinytf.framework import tf_logging
from tinytf.framework.graph import Graph
from tinytf.monitoring.run_options import merged_options
from tinytf.monitoring.session_interface import SessionInterface
from tinytf.monitoring.stop_state import StopState
from tinytf.monitoring.unfed import UnfedInputs
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunValues

_SEQUENCES = (list, tuple)
_STOPPED = "Run called even after should_stop requested."


class _Context(SessionRunContext):
    """Tells what the program asked for when a hook looks at it."""

    def __init__(self, fetches: Any, feed_dict: Any, session: Any) -> None:
        super().__init__(None, session)
        self._asked = fetches, feed_dict

    @property
    def original_args(self) -> Any:
        """The `SessionRunArgs` of the program, without those of hooks."""
        if self._original_args is None:
            self._original_args = SessionRunArgs(*self._asked)
        return self._original_args


class _Fetches:
    """What the program and some hooks fetch in one step, each thing once."""

    def __init__(self, fetches: Any, requests: Sequence[Any]) -> None:
        self.kind = fetches.__class__ if _is_flat(fetches) else None
        # A list without structure is what sessions run quickest.
        self.fetches = tuple(fetches) if self.kind else fetches
        wanted = list(fetches) if self.kind else [fetches]
        self.own = len(wanted)  # how many are the program's
        places: dict[int, int] = {}
        self.places: list[int | None] = []  # of the hooks' values
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
        self.asked = requests  # before those were left out that wait for feeds
        self.feed_keys: Any = None  # if other feeds would let others wait
        self.is_kept = feeds_nothing and not self.options and _cannot_change(self.fetches)

    def are_for(self, fetches: Any, feed_dict: Any, requests: Sequence[Any]) -> bool:
        """Whether the same requests for the same fetches have led to this: no second look is needed."""
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


class HookedSession(SessionInterface):
    """Calls hooks before and after each step, and fetches and feeds in one step what they and the program want."""

    def __init__(self, sess: Any, hooks: Sequence[Any], stop: StopState) -> None:
        self._sess = sess
        self._hooks = hooks
        self._stop = stop
        self._kept: _Fetches | None = None  # of the last step
        self._unfed = UnfedInputs(sess.graph)
        self._waiting: list[Any] = []  # hooks that had to wait for feeds, and were told of
        self._nothing: tuple[Any, Any] | None = None  # what hooks get that ask for no options
        if not hooks:
            self.run = sess.run  # type: ignore[method-assign]  # nobody requests a stop

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._sess.graph

    def raw_session(self) -> Any:
        """The session below."""
        return self._sess

    def should_stop(self) -> bool:
        """Whether a hook wants no more steps."""
        return self._stop.requested

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """A step with all hooks. RuntimeError after a hook has requested the stop, or if the same key is fed twice."""
        return self._run(self._hooks, fetches, feed_dict, options, run_metadata)

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """A step with these of the hooks; False: none, and no look at the stop."""
        if not hooks:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        called = [hook for hook in self._hooks if any(hook is other for other in hooks)]
        return self._run(called, fetches, feed_dict, options, run_metadata)

    def _run(self, hooks: Sequence[Any], fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        if self._stop.requested:
            raise RuntimeError(_STOPPED)
        context = _Context(fetches, feed_dict, self._sess)
        requests = [hook.before_run(context) for hook in hooks]
        step = self._kept
        if step is None or not step.are_for(fetches, feed_dict, requests):
            step = _Fetches(fetches, requests)
            asked_feeds = feed_dict
            if step.feeds:
                feed_dict = _joined_with_user(step.feeds, feed_dict)
            step = self._without_waiting(step, hooks, fetches, requests, feed_dict)
            if step.feed_keys is not None:
                step.feed_keys = set(asked_feeds or ())
            self._kept = step if step.is_kept else None
            if step.options is not None:
                options = merged_options(options, step.options)
        told = self._told(options, run_metadata)
        if options is not None:
            run_metadata = told[1]
        if len(step.all) == step.own:
            results = self._sess.run(fetches, feed_dict, options, run_metadata)
            result = results
        else:
            results = self._sess.run(step.all, feed_dict, options, run_metadata)
            result = step.kind(results[: step.own]) if step.kind else results[0]
        values: list[Any] = [None] * len(step.all)  # for hooks, by the place of what they fetch
        for hook, place in zip(hooks, step.places):
            if place is None:
                value = SessionRunValues(None, *told)
            else:
                value = values[place]
                if value is None:
                    value = values[place] = SessionRunValues(results[place], *told)
            hook.after_run(context, value)
            if context._stop_requested:
                self._stop.note(f"{type(hook).__name__} requested the stop")
        if context._stop_requested:
            self._stop.requested = True
        return result

    def _without_waiting(
        self, step: _Fetches, hooks: Sequence[Any], fetches: Any, requests: Sequence[Any], feed_dict: Any
    ) -> _Fetches:
        """A step may do without what some hooks want, where it does not feed what that needs."""
        can_wait = [
            getattr(hook, "waits_for_feeds", False) and request is not None and request.fetches is not None
            for hook, request in zip(hooks, requests)
        ]
        needy = [can and bool(self._unfed.of(request.fetches, None)) for can, request in zip(can_wait, requests)]
        if not any(needy):
            return step
        left = list(requests)
        for i, hook in enumerate(hooks):
            missing = self._unfed.of(requests[i].fetches, feed_dict) if needy[i] else None
            if missing:
                left[i] = None
                if hook not in self._waiting:
                    self._waiting.append(hook)
                    text = "%s does nothing in steps that do not feed %s."
                    tf_logging.warning(text, type(hook).__name__, ", ".join(missing))
        step = _Fetches(fetches, left)
        step.asked = requests
        step.feed_keys = ()
        return step

    def _told(self, options: Any, run_metadata: Any) -> tuple[Any, Any]:
        """The messages that hooks get to see."""
        if options is not None:
            return options, protos.RunMetadata() if run_metadata is None else run_metadata
        if self._nothing is None:
            self._nothing = protos.RunOptions(), protos.RunMetadata()
        return self._nothing if run_metadata is None else (self._nothing[0], run_metadata)


def _is_flat(fetches: Any) -> bool:
    return fetches.__class__ in _SEQUENCES and not any(isinstance(part, (list, tuple, Mapping)) for part in fetches)


def _cannot_change(fetches: Any) -> bool:
    try:
        hash(fetches)
    except TypeError:
        return False
    return True


def _joined(feeds: Any, more: Any, text: str) -> Any:
    """Both dictionaries in one. RuntimeError for a key that both have."""
    if feeds and (both := set(feeds.keys()) & set(more.keys())):
        raise RuntimeError(f"{text} Conflict(s): {list(both)}")
    return {**(feeds or {}), **more}


def _joined_with_user(feeds: Any, feed_dict: Any) -> Any:
    if not feed_dict:
        return feeds
    return _joined(feeds, feed_dict, "Same tensor is fed by a SessionRunHook and user.")
