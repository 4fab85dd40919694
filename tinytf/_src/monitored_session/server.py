"""`tf.train.Server`: sessions of one process that share resources."""

from __future__ import annotations

import socket
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.protos import is_message
from tinytf._src.session.local_servers import LocalServer, target_of
from tinytf._src.training.cluster_spec import ClusterSpec


@tf_export("train.Server")
class Server:
    """A server in this process: its sessions, `tf.Session(server.target)`, share variables, queues and other resources.

    Resources outlive the sessions. The server reserves its port but serves no other process.

    Args:
      server_or_cluster_def: a `ServerDef`, a `ClusterSpec`, or an argument of `ClusterSpec`.
      job_name: str, the server's job; None: the `ServerDef`'s, or the cluster's only job.
      task_index: int, the server's task in the job; None: the `ServerDef`'s, or the job's only task.
      protocol: "grpc", or None for the same.
      config: a `ConfigProto` for sessions made without one, or None.
      start: bool, whether to start the server at once.

    Raises:
      ValueError: if job or task is ambiguous.
      TypeError: if the first argument does not describe a cluster.
      InternalError, InvalidArgumentError: if the job or task is not in the cluster, or the port is invalid.
      NotFoundError: for another protocol.
      UnimplementedError: for clusters of several tasks.
      UnknownError: if the port is taken.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        self._server_def = _server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        host, port = _address(self._server_def)
        kept_port = _reserved(port)
        own = self._server_def
        default = own.default_session_config if own.HasField("default_session_config") else None
        target = target_of(f"{host}:{kept_port.getsockname()[1]}")
        self._server = LocalServer(target, own.job_name, own.task_index, default, kept_port)
        if start:
            self.start()

    def start(self) -> None:
        """Allows sessions to be made. Has no effect after `stop`."""
        self._server.start()

    def join(self) -> None:
        """Blocks until another thread calls `stop`."""
        self._server.join()

    def stop(self, grace_secs: float = 1.0) -> None:
        """Closes the sessions, drops the shared resources, and frees the port. Idempotent.

        Running steps are cancelled. Steps that do not end in time, for example in a Python function, are left running:
        an error with their locations is logged, and their session is closed when they end.

        Args:
          grace_secs: float, how long to wait for running steps.
        """
        self._server.stop(grace_secs)

    @property
    def server_def(self) -> Any:
        """The `ServerDef` of this server."""
        return self._server_def

    @property
    def target(self) -> str:
        """The target string for sessions of this server."""
        return self._server.target

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """Returns a server on any free port that is its own cluster: task 0 of job "local". `config`, `start`: as of
        `Server`."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def _server_def(given: Any, job_name: Any, task_index: Any, protocol: Any, config: Any) -> Any:
    if is_message(given, "ServerDef"):
        made = protos.ServerDef.FromString(given.SerializeToString())
        for field, value in [("job_name", job_name), ("task_index", task_index), ("protocol", protocol)]:
            if value is not None:
                setattr(made, field, value)
    else:
        try:
            cluster = ClusterSpec(given)
        except TypeError:
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
            ) from None
        if job_name is None:
            job_name = _only(cluster.jobs, "job_name")
        if task_index is None:
            task_index = _only(cluster.task_indices(job_name), "task_index")
        made = protos.ServerDef(
            cluster=cluster.as_cluster_def(),
            job_name=job_name,
            task_index=task_index,
            protocol="grpc" if protocol is None else protocol,
        )
    if config is not None:
        made.default_session_config.MergeFrom(config)
    return made


def _only(found: Any, what: str) -> Any:
    if len(found) != 1:
        raise ValueError(f"Must specify an explicit `{what}`.")
    return found[0]


def _address(server_def: Any) -> tuple[str, int]:
    """Returns host and port of the server's task."""
    if server_def.protocol != "grpc":
        raise errors_impl.NotFoundError(
            None,
            None,
            f"No server factory registered for the given ServerDef: {server_def}\nThe available server factories are: "
            "[ GRPC_SERVER ]",
        )
    tasks = {job.name: dict(job.tasks) for job in server_def.cluster.job}
    if server_def.job_name not in tasks:
        raise errors_impl.InternalError(None, None, f'Job "{server_def.job_name}" was not defined in cluster')
    if server_def.task_index not in tasks[server_def.job_name]:
        raise errors_impl.InvalidArgumentError(
            None, None, f'Task {server_def.task_index} was not defined in job "{server_def.job_name}"'
        )
    if sum(map(len, tasks.values())) > 1:
        raise errors_impl.UnimplementedError(
            None, None, "tinytf supports only clusters of one task: a step cannot be distributed over several processes"
        )
    host, _, port = tasks[server_def.job_name][server_def.task_index].rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise errors_impl.InvalidArgumentError(
            None, None, f'Could not parse port for local server from "{host}:{port}"'
        )
    return host, int(port)


def _reserved(port: int) -> socket.socket:
    """Returns a bound socket that reserves the port; 0: any port."""
    kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        kept.bind(("127.0.0.1", port))
    except OSError as error:
        kept.close()
        raise errors_impl.UnknownError(None, None, f"Could not start gRPC server: {error}") from error
    return kept
