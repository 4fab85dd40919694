"""Creators of the sessions of a `MonitoredSession`."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_manager import SessionManager


@tf_export("train.SessionCreator")
class SessionCreator(metaclass=ABCMeta):
    """Base class of objects that create sessions for `MonitoredSession`, initially and after losses."""

    @abstractmethod
    def create_session(self) -> Any:
        """Returns a new session with an initialized model."""


class _ScaffoldCreator(SessionCreator):
    """Creates sessions with the operations of a scaffold."""

    def __init__(self, scaffold: Scaffold | None, master: str, config: Any) -> None:
        self._scaffold = scaffold or Scaffold()
        self._session_manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _finalized_manager(self) -> SessionManager:
        """Finalizes scaffold and graph, every time; returns the session manager."""
        scaffold = self._scaffold.finalize()
        if self._session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=scaffold.local_init_op,
                local_init_feed_dict=scaffold.local_init_feed_dict,
                ready_op=scaffold.ready_op,
                ready_for_local_init_op=scaffold.ready_for_local_init_op,
                graph=get_default_graph(),
            )
        return self._session_manager


@tf_export("train.ChiefSessionCreator")
class ChiefSessionCreator(_ScaffoldCreator):
    """Creates sessions for the chief: restores or initializes the model.

    Args:
      scaffold: a `Scaffold`; None: a default one.
      master: the sessions' target.
      config: the sessions' `ConfigProto`, or None.
      checkpoint_dir: directory whose latest checkpoint is restored, if there is one, or None.
      checkpoint_filename_with_path: the checkpoint to restore, or None. At most one of both may be given.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        """Returns a new session whose model is restored or initialized."""
        manager = self._finalized_manager()
        session = manager.prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )
        input_state = self._scaffold._input_state
        if input_state is not None:
            try:
                input_state.restore(session)
            except BaseException:
                session.close()
                raise
        return session


@tf_export("train.WorkerSessionCreator")
class WorkerSessionCreator(_ScaffoldCreator):
    """Creates sessions for workers: waits until the chief has initialized the model.

    Args:
      scaffold: a `Scaffold`; None: a default one.
      master: the sessions' target.
      config: the sessions' `ConfigProto`, or None.
      max_wait_secs: float, how long to wait for the chief.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        max_wait_secs: float = 30 * 60,
    ) -> None:
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """Returns a new session. DeadlineExceededError if its model is not initialized in time."""
        manager = self._finalized_manager()
        return manager.wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)
