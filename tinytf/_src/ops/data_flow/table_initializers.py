"""The operation that initializes the lookup tables of a graph."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.ops.control_flow.dependencies import group, no_op


@tf_export("tables_initializer", "initializers.tables_initializer")
def tables_initializer(name: str = "init_all_tables") -> Any:
    """Creates an operation that initializes all lookup tables of the default graph.

    Args:
      name: name of the operation.

    Returns:
      An operation; a no-op if there are no tables.
    """
    initializers = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(*initializers, name=name) if initializers else no_op(name=name)


@tf_export("initialize_all_tables")
def initialize_all_tables(name: str = "init_all_tables") -> Any:
    """Deprecated alias of `tables_initializer`."""
    return tables_initializer(name)
