"""Small questions about graphs and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tinytf as tf
from tinytf.python.ops.control_flow_ops import case_by

__all__ = [
    "get_graph_from_inputs",
    "get_name_scope",
    "get_placeholders",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
]


def get_placeholders(graph: Any) -> list[Any]:
    """The placeholders of a graph, in the order in which they were made."""
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_graph_from_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """The graph that these values are of, or the default graph. ValueError if they are of several, or not of `graph`."""
    for value in op_input_list:
        other = getattr(value, "graph", None)
        if other is not None and graph is not None and other is not graph:
            raise ValueError(
                f"{value} is not from the passed-in graph, or not from the same one as the values before it."
            )
        graph = graph or other
    return graph or tf.get_default_graph()


def get_name_scope() -> str:
    """The name scope that holds here."""
    return tf.get_default_graph().get_name_scope()


def smart_constant_value(pred: Any) -> Any:
    """The value of a condition that is known while the graph is built, else None. TypeError for what is no condition."""
    if isinstance(pred, tf.Tensor):
        return tf.get_static_value(pred)
    if pred in (0, 1):  # False and True, too
        return bool(pred)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What one of the functions returns, if the condition is known while the graph is built; else `tf.cond`."""
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()


def smart_case(
    pred_fn_pairs: Any, default: Callable[[], Any] | None = None, exclusive: bool = False, name: str = "smart_case"
) -> Any:
    """As `tf.case`, but that predicates may be bools, and those that are known are decided while the graph is built."""
    return case_by(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)
