"""Hooks that a monitored session calls around its steps, and their arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.exports import tf_export


class _SessionRunArgs(NamedTuple):
    fetches: Any
    feed_dict: Any = None
    options: Any = None


@tf_export("train.SessionRunArgs")
class SessionRunArgs(_SessionRunArgs):
    """Fetches, feeds and `RunOptions` that a hook adds to a step.

    Args:
      fetches: nested structure of fetches.
      feed_dict: optional dict of feeds. A tensor that another hook or the program feeds too is a RuntimeError.
      options: optional `RunOptions`, merged with the options of the program and of other hooks.
    """


class _SessionRunValues(NamedTuple):
    results: Any
    options: Any
    run_metadata: Any


@tf_export("train.SessionRunValues")
class SessionRunValues(_SessionRunValues):
    """The results of a hook's fetches in a step, and the `RunOptions` and `RunMetadata` of the step."""


@tf_export("train.SessionRunContext")
class SessionRunContext:
    """The step that is about to run or has run: the user's arguments and the session.

    Args:
      original_args: SessionRunArgs of the user's call.
      session: session that runs the step.
    """

    def __init__(self, original_args: Any, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> Any:
        """The `SessionRunArgs` of the user's call, without the fetches and feeds of hooks."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that runs the step."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook has requested a stop."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Requests a stop: the session's `should_stop` returns True from now on."""
        self._stop_requested = True


@tf_export("train.SessionRunHook")
class SessionRunHook:
    """Base class of hooks, whose methods a monitored session calls; subclasses override some of them.

    Beyond TensorFlow, a hook may define `on_error(error)`, called when a step or the session fails; `on_close()`, called
    when the session is closed, however it ended; `end_priority`, a number by which calls of `end` are ordered; and
    `waits_for_feeds`, true if steps that do not feed the placeholders of its fetches skip them.
    """

    def begin(self) -> None:
        """Called once before the session is created; the graph may still be modified."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called after a session is created, also after a recovery; the graph is finalized.

        Args:
          session: the new session.
          coord: Coordinator of the session's threads.
        """

    def before_run(self, run_context: Any) -> Any:
        """Called before each step.

        Args:
          run_context: SessionRunContext.

        Returns:
          None, or `SessionRunArgs` with additional fetches and feeds.
        """
        return None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Called after each step.

        Args:
          run_context: SessionRunContext.
          run_values: SessionRunValues of the fetches that `before_run` added.
        """

    def end(self, session: Any) -> None:
        """Called at the end of the session, unless an exception ends it.

        Args:
          session: the session, which is still open.
        """
