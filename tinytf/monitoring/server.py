"""`tf.train.Server`: sessions of this process that share variables."""

from __future__ import annotations

import socket
from typing import Any

from tinytf import protos
from tinytf.client.local_servers import LocalServer, target_of
from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.protos import is_message
from tinytf.training.cluster_spec import ClusterSpec


@tf_export("train.Server")
class Server:
    """A place in this process whose sessions, `tf.Session(server.target)`, share variables, queues and other resources; they
    stay when sessions are closed. It keeps its port for itself but serves no other process.

    Args:
      server_or_cluster_def: a `ServerDef`, a `ClusterSpec`, or what one is made from.
      job_name: of the server's job; None: that of the `ServerDef`, or the only one.
      task_index: of the server in its job; None: that of the `ServerDef`, or the only one.
      protocol: "grpc", or None for that.
      config: a `ConfigProto` for sessions that are made without one.
      start: whether sessions may be made at once.

    ValueError where job or task must be given, TypeError for what is no cluster; InternalError and InvalidArgumentError for
    those that are not in it, UnimplementedError for clusters of more than one task, UnknownError if the port is taken.
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
        """Lets sessions be made; not any more after `stop`."""
        self._server.start()

    def join(self) -> None:
        """Waits until another thread calls `stop`."""
        self._server.join()

    def stop(self, grace_secs: float = 1.0) -> None:
        """Closes the sessions, drops what they shared, and frees the port. More than once does no harm.

        Steps are cancelled. Those that have not ended after `grace_secs`, as a Python function may not, are left behind: an
        error in the log says where they stand, and their session is closed when they end.
        """
        self._server.stop(grace_secs)

    @property
    def server_def(self) -> Any:
        """The `ServerDef` of this server."""
        return self._server_def

    @property
    def target(self) -> str:
        """What to make sessions of this server with."""
        return self._server.target

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server that is a cluster of its own, at any port: task 0 of job "local"."""
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
    """Host and port of the server's task."""
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
            None, None, "tinytf has servers of clusters of one task only; there are no steps over several processes"
        )
    host, _, port = tasks[server_def.job_name][server_def.task_index].rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise errors_impl.InvalidArgumentError(
            None, None, f'Could not parse port for local server from "{host}:{port}"'
        )
    return host, int(port)


def _reserved(port: int) -> socket.socket:
    """A socket that keeps the port, or any for 0, from others."""
    kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        kept.bind(("127.0.0.1", port))
    except OSError as error:
        kept.close()
        raise errors_impl.UnknownError(None, None, f"Could not start gRPC server: {error}") from error
    return kept
