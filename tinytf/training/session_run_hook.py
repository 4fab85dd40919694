"""What is called around the steps of a monitored session: hooks, and what they are told."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.exports import tf_export


class _SessionRunArgs(NamedTuple):
    fetches: Any
    feed_dict: Any = None
    options: Any = None


@tf_export("train.SessionRunArgs")
class SessionRunArgs(_SessionRunArgs):
    """What is to be fetched and fed in a step, and with which `RunOptions`."""


class _SessionRunValues(NamedTuple):
    results: Any
    options: Any
    run_metadata: Any


@tf_export("train.SessionRunValues")
class SessionRunValues(_SessionRunValues):
    """What a hook's fetches were in a step, its `RunOptions` and its `RunMetadata`."""


@tf_export("train.SessionRunContext")
class SessionRunContext:
    """The step that is about to run, or has run: what the program asked for, and the session."""

    def __init__(self, original_args: Any, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> Any:
        """The `SessionRunArgs` of the program, without those of hooks."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that runs the step."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook wants no more steps."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Lets the session's `should_stop` be True from now on."""
        self._stop_requested = True


@tf_export("train.SessionRunHook")
class SessionRunHook:
    """What a monitored session calls: subclasses do something in the methods that they have."""

    def begin(self) -> None:
        """Called once before the session exists: the graph may still be changed."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made, again after a failure: the graph is complete."""

    def before_run(self, run_context: Any) -> Any:
        """Called before each step; may return `SessionRunArgs` with what is to be fetched and fed besides."""
        return None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Called after each step, with the `SessionRunValues` of what `before_run` asked for."""

    def end(self, session: Any) -> None:
        """Called at the end, unless an error ends it."""
