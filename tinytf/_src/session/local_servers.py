"""Servers of this process: the resources that sessions made with the same target share."""

from __future__ import annotations

import socket
import threading
import time
import weakref
from typing import Any

from tinytf import _core
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.session.config import core_options
from tinytf._src.session.local_engine import CoreEngine
from tinytf._src.session.own_cluster import task_of
from tinytf._src.session.session_life import SessionLife
from tinytf._src.session.step_places import begin_close, places_of_steps

_SCHEME = "grpc://"


class LocalServer:
    """Variables, queues and other resources that the sessions of one target share. Thread-safe.

    It is an `EngineFactory`: the engines of these sessions are of this process and hold the resources in common.
    A started server stays alive until it is stopped, even without references to it.

    Args:
      target: for example "grpc://localhost:2222".
      job, task: job name and task number in the names of its devices.
      config: the `ConfigProto` of sessions that are made without one, or None.
      kept_port: the bound socket that reserves the port; closed by `stop`.
    """

    def __init__(self, target: str, job: str, task: int, config: Any, kept_port: socket.socket) -> None:
        self.target, self.job, self.task, self.config = target, job, task, config
        self._kept_port = kept_port
        self._resources = _core.ResourceManager()
        self._ends = False  # guarded by the lock
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._sessions: weakref.WeakSet[SessionLife] = weakref.WeakSet()  # guarded by the lock

    def new_engine(self, graph: Graph, target: str, config: Any, place_pruned_graph: bool) -> CoreEngine:
        """As of `EngineFactory`. A session with its own `cluster_def` or with `isolate_session_state` does not share
        resources.

        InvalidArgumentError if the `cluster_def` does not list the server exactly once, UnimplementedError if it has
        several tasks.
        """
        return CoreEngine(graph, **core_options(config, place_pruned_graph) | self._own_options(target, config))

    def _own_options(self, target: str, config: Any) -> dict[str, Any]:
        options = {"job": self.job, "task": self.task, "is_served": True}
        if config is not None and config.HasField("cluster_def"):
            options["job"], options["task"] = task_of(target, config.cluster_def)
            return options
        if config is not None and config.isolate_session_state:
            return options
        return {**options, "resources": self._resources}

    def opened(self, session: SessionLife) -> None:
        """Registers a session; the server's stop closes it, at once if the server has stopped meanwhile."""
        with self._lock:
            self._sessions.add(session)
            is_late = self._ends
        if is_late:
            session.release()

    def reset(self, containers: list[str]) -> None:
        """Clears containers and aborts the sessions: their steps fail from now on. Sessions that have run nothing yet
        go on."""
        for name in containers:
            self._resources.clear_container(name)
        with self._lock:
            lost = [session for session in self._sessions if session.has_run()]
            self._sessions.difference_update(lost)
        for session in lost:
            session.abort()

    def start(self) -> None:
        """Makes the server findable by its target. Does nothing if it was started or stopped before."""
        with self._lock:
            if not self._ends:
                _servers.setdefault(self.target, self)

    def stop(self, grace_secs: float) -> None:
        """Closes the sessions and drops the shared resources. Idempotent. Steps that have not ended after the grace
        period are left running, and an error in the log says where they are."""
        with self._lock:
            self._ends = True
            if _servers.get(self.target) is self:
                del _servers[self.target]
        self._end_sessions(grace_secs)
        self._resources.clear()
        self._kept_port.close()
        self._stopped.set()

    def join(self) -> None:
        """Blocks until the server is stopped."""
        while not self._stopped.wait(_POLL_SECONDS):  # polls, so that Python runs signal handlers
            pass

    def __del__(self) -> None:
        self._kept_port.close()

    def _end_sessions(self, grace_secs: float) -> None:
        """Closes the sessions; `grace_secs` is how long their steps may take to end."""
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
            tf_logging.error("The server stops although some steps are still running: %s", places)


_POLL_SECONDS = 0.1
_servers: dict[str, LocalServer] = {}  # by target; single operations of a dict are atomic


def target_of(address: str) -> str:
    """Returns the target of a server at "host:port"."""
    return _SCHEME + address


def find(target: str) -> LocalServer | None:
    """Returns the started server of this process with that target, or None; "127.0.0.1" is "localhost"."""
    return _servers.get(target) or _servers.get(target.replace("//127.0.0.1:", "//localhost:", 1))
