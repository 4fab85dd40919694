"""Translates a `ConfigProto` into options of the core session, and checks the settings that can be refused."""

from __future__ import annotations

import os
import threading
from typing import Any

from tinytf._src.framework.errors import errors_impl

_SINGLE_THREADED = "SINGLE_THREADED_EXECUTOR"  # value of `executor_type`: steps run on the calling thread

_metadata_lock = threading.RLock()  # reentrant: a signal handler may close a session at any moment
_metadata_in_use: set[tuple[str, int]] = set()  # (name, version) of the open sessions


def core_options(config: Any, place_pruned_graph: bool = False) -> dict[str, Any]:
    """Returns the core session's keyword arguments for a `ConfigProto` or None.

    `place_pruned_graph` forces the config's setting of that name to true.
    """
    intra, inter = _threads_from_environment()
    if config is None:
        options: dict[str, Any] = {"place_pruned_graph": True} if place_pruned_graph else {}
        return options | ({"intra_op_threads": intra, "inter_op_threads": inter} if intra or inter else {})
    optimizer = config.graph_options.optimizer_options
    rewrites_of_graph = config.graph_options.rewrite_options
    rewrites = not rewrites_of_graph.disable_meta_optimizer
    enabled = optimizer.opt_level >= 0
    inter = config.inter_op_parallelism_threads or inter
    if config.experimental.executor_type == _SINGLE_THREADED:
        inter = -1
    pools = [(pool.num_threads, pool.global_name) for pool in config.session_inter_op_thread_pool]
    if config.use_per_session_threads and not pools and inter >= 0:
        pools = [(inter, "")]
    return {
        "intra_op_threads": config.intra_op_parallelism_threads or intra,
        "inter_op_threads": inter,
        "inter_op_pools": pools,
        "fold_constants": rewrites and (enabled or optimizer.do_constant_folding),
        "eliminate_common_subexpressions": rewrites and (enabled or optimizer.do_common_subexpression_elimination),
        "max_folded_bytes": max(optimizer.max_folded_constant_in_bytes, 0),
        "timeout_ms": config.operation_timeout_in_ms,
        "cpu_devices": config.device_count.get("CPU", 1),
        "allow_soft_placement": config.allow_soft_placement,
        "log_device_placement": config.log_device_placement,
        "compile_loops": rewrites_of_graph.loop_optimization != rewrites_of_graph.OFF,
        "place_pruned_graph": place_pruned_graph or config.graph_options.place_pruned_graph,
    }


def _threads_from_environment() -> tuple[int, int]:
    """Returns the threads of one kernel and of one step that the environment sets; 0: one per processor."""
    return _number("TF_NUM_INTRAOP_THREADS"), _number("TF_NUM_INTEROP_THREADS")


def _number(name: str) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isdigit() else 0


def check_executor(config: Any) -> None:
    """Raises NotFoundError if the config names an unknown executor type. As in TensorFlow, sessions check at the first
    run."""
    kind = config.experimental.executor_type if config is not None else ""
    if kind not in ("", "DEFAULT", _SINGLE_THREADED):
        raise errors_impl.NotFoundError(
            None,
            None,
            f"No executor factory registered for the given executor type: {kind} "
            f"Registered factories are {{{_SINGLE_THREADED}, , DEFAULT}}.",
        )


def check_extension(config: Any, is_first: bool) -> None:
    """Raises FailedPreconditionError if the graph grows although the config set `optimize_for_static_graph`."""
    if config is not None and config.experimental.optimize_for_static_graph and not is_first:
        raise errors_impl.FailedPreconditionError(
            None, None, "Extending the graph is not supported when `optimize_for_static_graph` is true."
        )


class SessionName:
    """Reserves the name and version of `session_metadata` for one open session, until `release`.

    The constructor raises InvalidArgumentError if another open session has them or the version is negative.
    """

    def __init__(self, config: Any) -> None:
        self._key: tuple[str, int] | None = None
        if config is None or not config.experimental.HasField("session_metadata"):
            return
        metadata = config.experimental.session_metadata
        if metadata.version < 0:
            raise errors_impl.InvalidArgumentError(
                None, None, f"Session version shouldn't be negative: {_short_text(metadata)}"
            )
        key = (metadata.name, metadata.version)
        with _metadata_lock:
            if key in _metadata_in_use:
                raise errors_impl.InvalidArgumentError(
                    None,
                    None,
                    f"A session with the same name and version has already been created: {_short_text(metadata)}",
                )
            _metadata_in_use.add(key)
        self._key = key

    def release(self) -> None:
        """Frees the name. Idempotent."""
        key, self._key = self._key, None
        if key is not None:
            with _metadata_lock:
                _metadata_in_use.discard(key)


def _short_text(message: Any) -> str:
    return " ".join(str(message).split())
