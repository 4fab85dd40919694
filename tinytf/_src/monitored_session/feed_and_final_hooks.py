"""Hooks that feed each step, and a hook that runs operations at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook


@tf_export("train.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds each step a computed feed dict.

    Args:
      feed_fn: callable without arguments; returns a feed dict, or None.
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> Any:
        """Returns the feeds of the step."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


@tf_export("experimental.HandleFeedHook")
class HandleFeedHook(SessionRunHook):
    """Feeds each step values that belong to its session, for example handles of tensors.

    Args:
      providers: dict from fed tensors to functions. Each is called with the raw session once, when it is created, and
        again after a loss, so that no step gets a handle of a lost session.
    """

    def __init__(self, providers: Mapping[Any, Callable[[Any], Any]]) -> None:
        self._providers = dict(providers)
        self._args: SessionRunArgs | None = None

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Calls the providers."""
        self._args = None
        found = {tensor: provide(session) for tensor, provide in self._providers.items()}
        self._args = SessionRunArgs(fetches=None, feed_dict=found)

    def before_run(self, run_context: Any) -> Any:
        """Returns the feeds of the step."""
        return self._args

    def on_close(self) -> None:
        """Drops the values."""
        self._args = None


@tf_export("train.FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Evaluates fetches at the end of the session.

    Args:
      final_ops: a structure of fetches, or None.
      final_ops_feed_dict: its feed dict, or None.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values of `final_ops`; None before the end."""
        return self._final_ops_values

    def end(self, session: Any) -> None:
        """Evaluates `final_ops`."""
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
        except (errors_impl.OutOfRangeError, StopIteration):
            tf_logging.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. Its operations read the "
                "input, which has ended: they should only read variables."
            )
            raise
