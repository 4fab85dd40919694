"""A session that is recreated when it is lost."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.coordinated_creator import CoordinatedCreator
from tinytf._src.monitored_session.coordinated_session import IN_CLOSE, PREEMPTION_ERRORS, CoordinatedSession
from tinytf._src.monitored_session.recovery import Backoff
from tinytf._src.monitored_session.rollback import Loss, loss_of, tell_of_rollback
from tinytf._src.monitored_session.session_interface import SessionInterface
from tinytf._src.monitored_session.stop_state import StopState

_ADVICE = (
    "This error may also occur due to a gRPC failure caused by high memory or network bandwidth usage in the parameter "
    "servers. If this error occurs repeatedly, try increasing the number of parameter servers assigned to the job. Error: %s"
)
_IN_CREATION = (
    "An error was raised while a session was being created. This may be due to a preemption of a connected worker or "
    "parameter server. A new session will be created. " + _ADVICE
)
_IN_RUN = (
    "An error was raised. This may be due to a preemption in a connected worker or parameter server. The current session "
    "will be closed and a new session will be created. " + _ADVICE
)
_IN_SHOULD_STOP = (
    "An error was raised while considering whether the session is complete. This may be due to a preemption in a connected "
    "worker or parameter server. The current session will be closed and a new session will be created. " + _ADVICE
)


class RecoverableSession(SessionInterface):
    """Creates a new session, and repeats the call there, when a step or thread raises a preemption error."""

    def __init__(self, creator: CoordinatedCreator, stop: StopState, backoff: Backoff) -> None:
        self._creator = creator
        self._stop = stop
        self._backoff = backoff
        self._loss: Loss | None = None  # until the new session exists
        self._sess: CoordinatedSession | None = self._create()

    def _create(self) -> CoordinatedSession:
        while True:
            try:
                made = self._creator.create_session()
            except PREEMPTION_ERRORS as error:
                tf_logging.info(_IN_CREATION, str(error))
                self._backoff.failed(error)
            else:
                loss, self._loss = self._loss, None
                if loss is not None:
                    checkpoint = self._creator.first_checkpoint
                    again = tell_of_rollback(loss, self._backoff.recoveries, made.raw_session(), checkpoint)
                    self._backoff.steps_again += again
                return made

    @property
    def graph(self) -> Graph:
        """The session's graph."""
        return self._session().graph

    def raw_session(self) -> Any:
        """Returns the wrapped session; None if it is closed."""
        return None if self._sess is None else self._sess.raw_session()

    def _session(self) -> CoordinatedSession:
        if self._sess is None:
            self._sess = self._create()
        return self._sess

    def should_stop(self) -> bool:
        """Returns whether the training loop should end. A session lost by a thread is recreated."""
        if self._stop.requested or self._sess is None:
            return True
        try:
            return self._sess.should_stop()
        except PREEMPTION_ERRORS as error:
            self._lose(_IN_SHOULD_STOP, error)
            self._sess = self._create()
            return False
        except Exception as error:  # `close` raises it
            self._stop.note(f"a thread failed: {type(error).__name__}: {error}")
            return True

    def _lose(self, text: str, error: BaseException) -> None:
        tf_logging.info(text, str(error))
        sess = self.raw_session()
        if sess is not None:
            self._loss = loss_of(sess, f"{type(error).__name__}: {error}")
        self.close()
        self._backoff.failed(error)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs a step with all hooks, on a new session if necessary."""
        try:
            result = (self._sess or self._session()).run(fetches, feed_dict, options, run_metadata)
        except PREEMPTION_ERRORS as error:
            self._lose(_IN_RUN, error)
            return self._again(lambda sess: sess.run(fetches, feed_dict, options, run_metadata))
        if self._backoff.failures:
            self._backoff.succeeded()
        return result

    def run_with(self, hooks: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        """Runs a step with the given hooks, on a new session if necessary."""
        return self._again(lambda sess: sess.run_with(hooks, fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn: Callable[[Any], Any], make_context: Callable[[CoordinatedSession], Any]) -> Any:
        """Calls a step function, again from its beginning if the session was lost meanwhile."""
        return self._again(lambda sess: step_fn(make_context(sess)))

    def _again(self, call: Callable[[CoordinatedSession], Any]) -> Any:
        """Repeats a call until it does not lose the session."""
        while True:
            try:
                result = call(self._session())
            except PREEMPTION_ERRORS as error:
                self._lose(_IN_RUN, error)
            else:
                self._backoff.succeeded()
                return result

    def wake(self) -> None:
        """Wakes idle hooks; they learn of the steps that they missed."""
        if self._sess is not None:
            self._sess.wake()

    def close(self) -> None:
        """Closes the session. Preemption errors of its threads are only logged."""
        sess, self._sess = self._sess, None
        if sess is None:
            return
        try:
            sess.close()
        except PREEMPTION_ERRORS as error:
            tf_logging.warning(IN_CLOSE, str(error))
        finally:
            self._creator.forget()


def check_step_fn(step_fn: Any) -> None:
    """Raises TypeError if a step function is not callable, ValueError if it has other arguments than `step_context`."""
    if not callable(step_fn):
        raise TypeError("unsupported callable")
    arguments = tuple(inspect.signature(step_fn).parameters)
    if arguments not in (("step_context",), ("self", "step_context")):
        raise ValueError(
            "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's an "
            f"instance method. Got {arguments} instead."
        )
