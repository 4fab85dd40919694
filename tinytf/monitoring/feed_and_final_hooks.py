"""Hooks that feed each step, and that run something at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import errors_impl, tf_logging
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds each step what `feed_fn()` returns: a dictionary, or None."""

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> Any:
        """Feeds the step."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


@tf_export("experimental.HandleFeedHook")
class HandleFeedHook(SessionRunHook):
    """Feeds each step what belongs to its session, and is gone with it: handles of tensors, for example.

    Args:
      providers: functions by the tensors that they feed. Each is called with the session below once, when that begins; after
        a loss with the new session, so that no step gets a handle of the old one.
    """

    def __init__(self, providers: Mapping[Any, Callable[[Any], Any]]) -> None:
        self._providers = dict(providers)
        self._args: SessionRunArgs | None = None

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Asks the providers."""
        self._args = None
        found = {tensor: provide(session) for tensor, provide in self._providers.items()}
        self._args = SessionRunArgs(fetches=None, feed_dict=found)

    def before_run(self, run_context: Any) -> Any:
        """Feeds the step."""
        return self._args

    def on_close(self) -> None:
        """Drops the handles."""
        self._args = None


@tf_export("train.FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Runs `final_ops`, a structure of fetches, at the end, fed `final_ops_feed_dict`."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """What they were at the end; None before it."""
        return self._final_ops_values

    def end(self, session: Any) -> None:
        """Runs them."""
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
        except (errors_impl.OutOfRangeError, StopIteration):
            tf_logging.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. Its operations read the "
                "input, which has ended: let them read variables only."
            )
            raise
