"""Branches that are chosen while the graph is built, where what decides depends on constants only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework.constant_value import constant_value, evaluated_constant
from tinytf.framework.tensor import Tensor
from tinytf.ops.control_flow.cases import case_by
from tinytf.ops.control_flow.conditional import cond


def smart_constant_value(pred: Any) -> Any:
    """The value of a predicate that is known while the graph is built, else None.

    Operations that depend on constants only are computed for that.

    Args:
      pred: a tensor, a bool, or 0 or 1.

    Returns a bool for what is no tensor, a NumPy array or scalar of the tensor's value, or None. Raises TypeError for
    other arguments.
    """
    if isinstance(pred, Tensor):
        value = constant_value(pred)
        return evaluated_constant(pred) if value is None else value
    if pred in (0, 1):  # False and True, too
        return bool(pred)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What one of the functions returns if `smart_constant_value(pred)` is known; else `tf.cond`.

    Raises TypeError if one of the functions cannot be called, or for a `pred` that is no predicate.
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
    """As `tf.case`, but predicates may be bools, and those whose values are known choose while the graph is built."""
    return case_by(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)
