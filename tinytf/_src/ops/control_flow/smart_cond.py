"""Conditionals that are decided at graph construction if the predicate depends only on constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.constant_value import constant_value, evaluated_constant
from tinytf._src.ops.control_flow.cases import case_by
from tinytf._src.ops.control_flow.conditional import cond


def smart_constant_value(pred: Any) -> Any:
    """Returns the value of a predicate if it is known at graph construction, otherwise None.

    Operations that depend only on constants are evaluated for this.

    Args:
      pred: bool tensor, bool, 0 or 1.

    Returns:
      A bool if `pred` is not a tensor; otherwise a NumPy array or scalar, or None.

    Raises:
      TypeError: if `pred` is anything else.
    """
    if isinstance(pred, Tensor):
        value = constant_value(pred)
        return evaluated_constant(pred) if value is None else value
    if pred in (0, 1):  # Covers False and True.
        return bool(pred)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Calls one of the functions if `smart_constant_value(pred)` is known, otherwise builds a `tf.cond`.

    Raises TypeError if a function is not callable or `pred` is not a predicate.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()


def smart_case(
    pred_fn_pairs: Any, default: Callable[[], Any] | None = None, exclusive: bool = False, name: str = "smart_case"
) -> Any:
    """Does the same as `tf.case`, but accepts bools as predicates and decides known predicates at once."""
    return case_by(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)
