"""A session whose steps call hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf import protos
from tinytf.framework.graph import Graph
from tinytf.monitoring.run_options import merged_options
from tinytf.monitoring.session_interface import SessionInterface
from tinytf.monitoring.stop_state import StopState
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunValues

_STOPPED = "Run called even after should_stop requested."


class HookedSession(SessionInterface):
    """Calls hooks before and after each step, and fetches and feeds in one step what they and the program want."""

    def __init__(self, sess: Any, hooks: Sequence[Any], stop: StopState) -> None:
        self._sess = sess
        self._hooks = hooks
        self._stop = stop
        self._without_hooks = not hooks
        self._nothing: tuple[Any, Any] | None = None  # what hooks get that ask for no options

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
        if self._stop.requested:
            raise RuntimeError(_STOPPED)
        if self._without_hooks:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        return self._run(self._hooks, fetches, feed_dict, options, run_metadata)

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """A step with these of the hooks; False: none, and no look at the stop."""
        if not hooks:
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        if self._stop.requested:
            raise RuntimeError(_STOPPED)
        called = [hook for hook in self._hooks if any(hook is other for other in hooks)]
        return self._run(called, fetches, feed_dict, options, run_metadata)

    def _run(self, hooks: Sequence[Any], fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        wanted = [fetches]  # by the program, and by the hooks that want something
        asked = []
        feeds = None
        for hook in hooks:
            request = hook.before_run(context)
            if request is None:
                asked.append(False)
                continue
            asked.append(request.fetches is not None)
            if request.fetches is not None:
                wanted.append(request.fetches)
            if request.feed_dict:
                feeds = _joined(feeds, request.feed_dict, "Same tensor is fed by two hooks.")
            if request.options:
                options = merged_options(options, request.options)
        if feeds:
            feed_dict = _joined(
                feeds, feed_dict, "Same tensor is fed by a SessionRunHook and user.", (feed_dict or {}, feeds)
            )
        if options is None:
            if self._nothing is None:
                self._nothing = protos.RunOptions(), protos.RunMetadata()
            told = self._nothing if run_metadata is None else (self._nothing[0], run_metadata)
        else:
            told = options, protos.RunMetadata() if run_metadata is None else run_metadata
            run_metadata = told[1]
        if len(wanted) == 1:
            result = self._sess.run(fetches, feed_dict, options, run_metadata)
            rest = iter(())
        else:
            # A tuple of what can be a key is found among the calls that the session has seen.
            is_list = fetches.__class__ is list
            if is_list:
                wanted[0] = tuple(fetches)
            result, *others = self._sess.run(tuple(wanted), feed_dict, options, run_metadata)
            if is_list:
                result = list(result)
            rest = iter(others)
        for hook, has_asked in zip(hooks, asked):
            hook.after_run(context, SessionRunValues(next(rest) if has_asked else None, *told))
            if context.stop_requested:
                self._stop.note(f"{type(hook).__name__} requested the stop")
        if context.stop_requested:
            self._stop.requested = True
        return result


def _joined(feeds: Any, more: Any, text: str, order: Any = None) -> Any:
    """Both dictionaries in one. RuntimeError for a key that both have."""
    if not feeds or not more:
        return dict(feeds or more or {})
    first, second = order or (feeds, more)
    if both := set(first.keys()) & set(second.keys()):
        raise RuntimeError(f"{text} Conflict(s): {list(both)}")
    return {**feeds, **more}
