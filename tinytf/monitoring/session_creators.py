"""What makes the sessions of a `MonitoredSession`: first, and again when one was lost."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.default_graph import get_default_graph
from tinytf.monitoring.scaffold import Scaffold
from tinytf.monitoring.session_manager import SessionManager


@tf_export("train.SessionCreator")
class SessionCreator(metaclass=ABCMeta):
    """Makes sessions: subclasses say how."""

    @abstractmethod
    def create_session(self) -> Any:
        """A new session whose model is ready."""


class _ScaffoldCreator(SessionCreator):
    """Makes sessions with what a scaffold has."""

    def __init__(self, scaffold: Scaffold | None, master: str, config: Any) -> None:
        self._scaffold = scaffold or Scaffold()
        self._session_manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _finalized_manager(self) -> SessionManager:
        """Finalizes the scaffold, each time, and the graph with it."""
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
    """Makes sessions, and restores or initialises their models.

    Args:
      scaffold: the pieces of the model; one of the defaults when None.
      master: the sessions' target, and `config` their `ConfigProto`.
      checkpoint_dir: a folder whose newest checkpoint is restored, if there is one.
      checkpoint_filename_with_path: or the checkpoint that is restored.
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
        """A new session whose model is restored or initialised."""
        manager = self._finalized_manager()
        return manager.prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


@tf_export("train.WorkerSessionCreator")
class WorkerSessionCreator(_ScaffoldCreator):
    """Makes sessions whose model the chief makes ready.

    Args:
      scaffold: the pieces of the model; one of the defaults when None.
      master: the sessions' target, and `config` their `ConfigProto`.
      max_wait_secs: how long to wait for the chief.
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
        """A new session; DeadlineExceededError if its model does not become ready."""
        manager = self._finalized_manager()
        return manager.wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)
