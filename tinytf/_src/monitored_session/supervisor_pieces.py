"""The operations that a supervisor looks up in a graph, or creates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.checkpoint.saver import Saver
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.ops.data_flow.table_initializers import tables_initializer
from tinytf._src.ops.logging.summary_ops import merge_all
from tinytf._src.variables import collections as variables


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
