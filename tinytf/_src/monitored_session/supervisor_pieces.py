"""The operations that a supervisor looks up in a graph, or creates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.monitored_session.session_manager import SessionManager
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.ops.data_flow.table_initializers import tables_initializer
from tinytf._src.ops.logging.summary_ops import merge_all
from tinytf._src.variables import collections as variables

USE_DEFAULT = 0  # stands for an argument that was not given


class SupervisorOps(NamedTuple):
    """The operations with which a supervisor initializes, saves and summarizes a model; each may be None."""

    ready_op: Any
    ready_for_local_init_op: Any
    init_op: Any
    local_init_op: Any
    saver: Any
    summary_op: Any
    global_step: Any

    def completed(self) -> SupervisorOps:
        """Looks up the operations that were not given in the default graph, or creates them there."""
        makers = (ready_op, ready_for_local_init_op, init_op, local_init_op, saver, summary_op, global_step)
        return SupervisorOps(*map(given_or, self, makers))

    def meta_graph_def(self, graph: Graph) -> Any:
        """Returns the `MetaGraphDef` of a graph with the saver."""
        saver_def = self.saver.saver_def if self.saver else None
        return create_meta_graph_def(graph_def=graph.as_graph_def(add_shapes=True), saver_def=saver_def)

    def session_manager(self, graph: Graph, recovery_wait_secs: float, run_options: Any) -> SessionManager:
        """Returns a session manager that initializes models with these operations."""
        return SessionManager(
            local_init_op=self.local_init_op,
            ready_op=self.ready_op,
            ready_for_local_init_op=self.ready_for_local_init_op,
            graph=graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=run_options,
        )


def given_or(given: Any, default: Callable[[], Any]) -> Any:
    """Returns an argument, or a default if it was not given."""
    return default() if given is USE_DEFAULT else given


def first_of_collection(key: str) -> Any:
    """Returns the first element of a collection of the default graph; None if it is empty."""
    found = get_default_graph().get_collection(key)
    if len(found) > 1:
        tf_logging.info("Found %d %s operations. Returning the first one.", len(found), key)
    return found[0] if found else None


def found_or_made(key: str, make: Callable[[], Any]) -> Any:
    """Returns the first element of a collection. If it is empty, adds the result of `make` to it, unless that is
    None."""
    found = first_of_collection(key)
    if found is None:
        found = make()
        if found is not None:
            get_default_graph().add_to_collection(key, found)
    return found


def ready_op() -> Any:
    """Returns the tensor with the names of uninitialized variables."""
    return found_or_made(GraphKeys.READY_OP, variables.report_uninitialized_variables)


def ready_for_local_init_op() -> Any:
    """Returns the tensor with the names of the variables that the local initialization needs, or None."""
    return first_of_collection(GraphKeys.READY_FOR_LOCAL_INIT_OP)


def init_op() -> Any:
    """Returns the operation that initializes global variables."""
    return found_or_made(GraphKeys.INIT_OP, variables.global_variables_initializer)


def local_init_op() -> Any:
    """Returns the operation that initializes local variables and tables."""
    return found_or_made(
        GraphKeys.LOCAL_INIT_OP, lambda: group(variables.local_variables_initializer(), tables_initializer())
    )


def saver() -> Any:
    """Returns a saver; None if there are no variables."""
    return found_or_made(GraphKeys.SAVERS, lambda: Saver() if variables.global_variables() else None)


def summary_op() -> Any:
    """Returns the merged summaries; None if there are none."""
    return found_or_made(GraphKeys.SUMMARY_OP, merge_all)


def global_step() -> Any:
    """Returns the global step, or None. Its shape is not checked, and its dtype only if it is not in the collection."""
    return found_or_made(GraphKeys.GLOBAL_STEP, _step_by_name)


def _step_by_name() -> Any:
    try:
        step = get_default_graph().get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if step.dtype.base_dtype not in (dtypes.int32, dtypes.int64):
        tf_logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None
    return step
