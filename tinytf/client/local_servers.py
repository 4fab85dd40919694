"""Servers of this process: what sessions that are made with their targets share."""

from __future__ import annotations

import socket
import threading
import time
import weakref
from typing import Any

from tinytf import _core
from tinytf.client.own_cluster import task_of
from tinytf.client.session_life import SessionLife
from tinytf.client.step_places import begin_close, places_of_steps
from tinytf.framework import tf_logging

_SCHEME = "grpc://"


class LocalServer:
    """The variables, queues, … that sessions of one target share. One that was started stays until it is stopped, whoever
    forgets it. Thread-safe.

    Args:
      target: "grpc://localhost:2222", say.
      job, task: as which its devices are known.
      config: the `ConfigProto` of sessions that are made without one, or None.
      kept_port: the socket that keeps the port, which is closed with it.
    """

    def __init__(self, target: str, job: str, task: int, config: Any, kept_port: socket.socket) -> None:
        self.target, self.job, self.task, self.config = target, job, task, config
        self._kept_port = kept_port
        self._resources = _core.ResourceManager()
        self._ends = False  # under the lock
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._sessions: weakref.WeakSet[SessionLife] = weakref.WeakSet()  # under the lock

    def core_options(self, target: str, config: Any) -> dict[str, Any]:
        """What a session of the server is made with, beside its config. One with a cluster of its own, or that is to be
        isolated, has variables of its own. `target`: as the program calls the server.

        InvalidArgumentError for a cluster that does not have the server once, UnimplementedError for one of several tasks."""
        options = {"job": self.job, "task": self.task, "is_served": True}
        if config is not None and config.HasField("cluster_def"):
            options["job"], options["task"] = task_of(target, config.cluster_def)
            return options
        if config is not None and config.isolate_session_state:
            return options
        return {**options, "resources": self._resources}

    def opened(self, session: SessionLife) -> None:
        """Notes a session of the server, which ends with it, and at once if it was stopped while the session was made."""
        with self._lock:
            self._sessions.add(session)
            is_late = self._ends
        if is_late:
            session.release()

    def reset(self, containers: list[str]) -> None:
        """Drops what containers hold, and aborts the sessions: their steps fail from then on, but for those of sessions that
        have run nothing yet, which go on."""
        for name in containers:
            self._resources.clear_container(name)
        with self._lock:
            lost = [session for session in self._sessions if session.has_run()]
            self._sessions.difference_update(lost)
        for session in lost:
            session.abort()

    def start(self) -> None:
        """Lets sessions find it. Does nothing if it was started or stopped before."""
        with self._lock:
            if not self._ends:
                _servers.setdefault(self.target, self)

    def stop(self, grace_secs: float) -> None:
        """Ends the sessions and drops what they shared. More than once does no harm. Steps that have not ended after the
        grace period are left behind, with an error in the log that says where they stand."""
        with self._lock:
            self._ends = True
            if _servers.get(self.target) is self:
                del _servers[self.target]
        self._end_sessions(grace_secs)
        self._resources.clear()
        self._kept_port.close()
        self._stopped.set()

    def join(self) -> None:
        """Waits until it is stopped."""
        while not self._stopped.wait(_POLL_SECONDS):  # so that signals are seen
            pass

    def __del__(self) -> None:
        self._kept_port.close()

    def _end_sessions(self, grace_secs: float) -> None:
        """`grace_secs`: how long their steps may take to end."""
        with self._lock:
            sessions = list(self._sessions)
            self._sessions.clear()
        end = time.monotonic() + grace_secs
        ending = [(session, begin_close(session.release)) for session in sessions]
        for _, thread in ending:
            thread.join(max(end - time.monotonic(), 0.0))
        stuck = [session for session, thread in ending if thread.is_alive()]
        if stuck:
            places = "; ".join(place for session in stuck for place in places_of_steps(session))
            tf_logging.error("The server stops, and leaves steps behind that do not end: %s", places)


_POLL_SECONDS = 0.1
_servers: dict[str, LocalServer] = {}  # by target; single operations of a dict are atomic


def target_of(address: str) -> str:
    """The target of a server at "host:port"."""
    return _SCHEME + address


def find(target: str) -> LocalServer | None:
    """The server of this process that was started with that target; "127.0.0.1" is "localhost"."""
    return _servers.get(target) or _servers.get(target.replace("//127.0.0.1:", "//localhost:", 1))
