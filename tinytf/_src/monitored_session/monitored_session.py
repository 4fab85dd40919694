"""`tf.train.MonitoredSession`: a session that calls hooks, stops its threads, and is recreated when it is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.context_stack import Entered
from tinytf._src.framework.context.defaults import default_sessions
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.checkpoint_saver_hook import CheckpointSaverHook
from tinytf._src.monitored_session.coordinated_creator import CoordinatedCreator
from tinytf._src.monitored_session.hook_ends import end_hooks, tell_closed, tell_error
from tinytf._src.monitored_session.idling import wake_elsewhere
from tinytf._src.monitored_session.recoverable_session import RecoverableSession, check_step_fn
from tinytf._src.monitored_session.recovery import Backoff, RecoveryPolicy
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator, SessionCreator
from tinytf._src.monitored_session.session_interface import SessionInterface
from tinytf._src.monitored_session.session_report import SessionReport
from tinytf._src.monitored_session.stop_signals import StopSignals
from tinytf._src.monitored_session.stop_state import StopState
from tinytf._src.session.base_session import local_engine_of

_CLEAN = (errors_impl.OutOfRangeError, StopIteration)  # end a `with` block without propagating
_CLOSED = "Session is already closed."


class StepContext:
    """The argument of a step function: gives access to the raw session and to steps with hooks."""

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session = session
        self._run_with_hooks_fn = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The raw session, whose steps call no hooks."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a step that calls hooks; arguments and result as of `Session.run`."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the training loop: raises StopIteration, which ends a `with` block of the session without an error."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _MonitoredSession(SessionInterface):
    """Common base class of MonitoredSession and SingularMonitoredSession."""

    StepContext = StepContext

    def __init__(
        self,
        session_creator: SessionCreator | None,
        hooks: Any,
        recovery: RecoveryPolicy | None,
        stop_grace_period_secs: float,
        handle_signals: bool,
        always_end: bool,
    ) -> None:
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = list(hooks or ())
        self._always_end = always_end
        self._stop = StopState()
        self._signals = StopSignals(self._stop, self._runs_steps) if handle_signals else None
        wake_elsewhere(self._hooks)
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = CoordinatedCreator(
            session_creator or ChiefSessionCreator(), self._hooks, self._stop, stop_grace_period_secs
        )
        self._backoff = Backoff(recovery or RecoveryPolicy())
        self._sess: Any
        if recovery is None:
            self._sess = self._coordinated_creator.create_session()
        else:
            self._sess = RecoverableSession(self._coordinated_creator, self._stop, self._backoff)
        self._graph = self._raw().graph
        if self._signals is not None:
            self._signals.begin()

    # -- Steps -------------------------------------------------------------------------------------------------------

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None, *, hooks: Any = True
    ) -> Any:
        """Runs a step with hooks.

        Args:
          fetches, feed_dict, options, run_metadata: as of `Session.run`.
          hooks: True: calls all hooks; False: none, and a requested stop is ignored; or a list of the hooks to call.

        Returns:
          The values of `fetches`, as of `Session.run`.

        Raises:
          RuntimeError: if the session is closed, after a hook has requested a stop, and if a key is fed twice.
        """
        sess = self._sess
        if sess is None:
            raise RuntimeError("Run called on a monitored session that is closed.")
        if hooks is True:
            return sess.run(fetches, feed_dict, options, run_metadata)
        return sess.run_with(hooks, fetches, feed_dict, options, run_metadata)

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a step function; calls it again from its beginning if the session was lost meanwhile.

        Args:
          step_fn: takes one argument named `step_context`, a `StepContext`.

        Returns:
          The result of `step_fn`.

        Raises:
          TypeError: if `step_fn` is not callable.
          ValueError: if it has other arguments.
          RuntimeError: if the session is closed.
        """
        check_step_fn(step_fn)
        sess = self._sess
        if sess is None:
            raise RuntimeError("run_step_fn called on a monitored session that is closed.")

        def context(of: Any) -> StepContext:
            return self.StepContext(of.raw_session(), of.run)

        if isinstance(sess, RecoverableSession):
            return sess.run_step_fn(step_fn, context)
        return step_fn(context(sess))

    def should_stop(self) -> bool:
        """Returns whether the training loop should end: a hook or thread requests it, or the session is closed."""
        return True if self._sess is None else self._sess.should_stop()

    # -- Introspection -----------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph | None:
        """The session's graph; None if the session is closed."""
        return None if self._raw() is None else self._raw().graph

    @property
    def stop_reason(self) -> str | None:
        """Why no further steps are run: the hook that requested the stop, the operation whose input has ended, or the
        error. None while there is no reason."""
        return self._stop.reason

    @property
    def recoveries(self) -> int:
        """How often the session was lost and recreated."""
        return self._backoff.recoveries

    def raw_session(self) -> Any:
        """Returns the wrapped `tf.Session`, whose steps call no hooks; None if it is closed. A loss replaces it."""
        return self._raw()

    def report(self) -> SessionReport:
        """Returns a `SessionReport`, also after closing; printing it gives a summary of a few lines."""
        creator = self._coordinated_creator
        savers = [hook for hook in self._hooks if isinstance(hook, CheckpointSaverHook)]
        written = [hook.last_checkpoint for hook in savers if hook.last_checkpoint]
        seconds, calls = creator.times.told()
        return SessionReport(
            sessions_created=creator.created,
            causes=tuple(self._backoff.causes),
            stop_reason=self._stop.reason,
            last_checkpoint=written[-1] if written else creator.first_checkpoint,
            pending_deletions=tuple(name for hook in savers for name in hook.pending_deletions()),
            hook_seconds=seconds,
            hook_calls=calls,
            steps_again=self._backoff.steps_again,
        )

    def _runs_steps(self) -> bool:
        engine = local_engine_of(self._raw())
        return engine is not None and engine.active_runs() > 0

    def _raw(self) -> Any:
        return self._coordinated_creator.tf_sess

    def _tf_sess(self) -> Any:
        return self._raw()

    def as_default(self) -> AbstractContextManager[Any]:
        """Returns a context manager in which `eval` and `run` of tensors and operations are steps of this session, with
        hooks."""
        return Entered(default_sessions, self)

    # -- Closing -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Any:
        return self

    def __exit__(self, exception_type: Any, exception: Any, traceback: Any) -> bool:
        clean = exception_type in _CLEAN or (exception is not None and exception is self._stop.error)
        if clean:
            op = getattr(getattr(exception, "op", None), "name", None)
            self._stop.note(f"{op} has no more input" if op else f"{exception_type.__name__}: {exception}")
            self._tell_hook_s_end(exception)
        elif exception is not None:
            self._stop.note(f"{exception_type.__name__}: {exception}")
        if self._sess is None and (exception is None or clean):
            raise RuntimeError(_CLOSED)
        self._close(None if clean else exception)
        return clean and exception is not self._stop.error

    def _tell_hook_s_end(self, exception: Any) -> None:
        """Logs a warning if a hook's OutOfRangeError has ended the block, which looks like the end of the input."""
        frame = exception.__traceback__ if isinstance(exception, errors_impl.OutOfRangeError) else None
        while frame is not None:
            caller = frame.tb_frame.f_locals.get("self")
            if any(caller is hook for hook in self._hooks):
                where = f"{type(caller).__name__}.{frame.tb_frame.f_code.co_name}"
                text = "%s raised OutOfRangeError, which ends the session's `with` block as if the input had ended: %s"
                tf_logging.warning(text, where, str(exception))
                return
            frame = frame.tb_next

    @called_by_users
    def close(self) -> None:
        """Calls the hooks' `end`, stops the threads and closes the session.

        Steps and threads that do not end within the grace period are left running, and their locations are logged.

        Raises:
          RuntimeError: if the session is closed already.
          Exception: the first error of a hook, or the error that ended a thread.
        """
        if self._sess is None:
            raise RuntimeError(_CLOSED)
        self._close(None)

    def _close(self, error: BaseException | None) -> None:
        sess, self._sess = self._sess, None
        if sess is None:
            return
        if self._signals is not None:
            self._signals.end()
        try:
            sess.wake()
            if error is not None:
                tell_error(self._hooks, error)
            if (error is None or self._always_end) and self._raw() is not None:
                end_hooks(self._hooks, self._raw(), goes_on=error is not None)
        finally:
            try:
                sess.close()
            finally:
                self._coordinated_creator.forget()
                if not self._graph_was_finalized:
                    self._graph._unsafe_unfinalize()
                tell_closed(self._hooks)
                if self._signals is not None:
                    self._signals.restore()
        if self._stop.error is not None and sys.exc_info()[1] is not self._stop.error:
            raise self._stop.error  # also if the block ends by another error, so that no signal is lost


@tf_export("train.MonitoredSession")
class MonitoredSession(_MonitoredSession):
    """A session that calls hooks around its steps, and is recreated when it is lost.

    A `with` block of it ends without an error when the input has ended (OutOfRangeError) or at StopIteration.
    AbortedError and UnavailableError, wherever they are raised, mean that the session is lost: it is closed, a new one
    is created, and the step is run again there.

    Args:
      session_creator: a `SessionCreator`; None: a `ChiefSessionCreator`.
      hooks: `SessionRunHook`s, called in this order, or None.
      stop_grace_period_secs: float, how long to wait for threads when closing.
      recovery: a `tf.experimental.RecoveryPolicy`; None: the default policy.
      handle_signals: bool, whether SIGTERM and Ctrl-C call the hooks' `end`, so that the state is saved, unless the
        program has its own handlers; see `tf.experimental.Terminated`. Closing restores the old handlers.
      always_end: bool, whether the hooks' `end` is also called if an error ends the block; then errors of hooks are
        logged.

    Example:
      with tf.train.MonitoredSession() as sess:
        while not sess.should_stop():
          sess.run(train_op)
    """

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Any = None,
        stop_grace_period_secs: float = 120,
        *,
        recovery: RecoveryPolicy | None = None,
        handle_signals: bool = False,
        always_end: bool = False,
    ) -> None:
        recovery = recovery or RecoveryPolicy()
        super().__init__(session_creator, hooks, recovery, stop_grace_period_secs, handle_signals, always_end)


@tf_export("train.SingularMonitoredSession")
class SingularMonitoredSession(_MonitoredSession):
    """Like `MonitoredSession`, but never recreated: all errors are raised to the program.

    Args:
      hooks: `SessionRunHook`s, called in this order, or None.
      scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path: as of `ChiefSessionCreator`.
      stop_grace_period_secs: float, how long to wait for threads when closing.
      handle_signals, always_end: as of `MonitoredSession`.
    """

    def __init__(
        self,
        hooks: Any = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
        *,
        handle_signals: bool = False,
        always_end: bool = False,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, None, stop_grace_period_secs, handle_signals, always_end)
