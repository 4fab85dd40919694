"""`tf.case`: selects the first branch whose predicate is true."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_sum

__all__ = ["case", "case_by"]

_Function = Callable[[], Any]


@tf_export("case")
@called_by_users
def case(
    pred_fn_pairs: Any,
    default: _Function | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str | None = "case",
) -> Any:
    """Calls the function of the first pair whose predicate is true, or `default` if none is.

    All functions are called once to build the branches, of which only one runs, as with `tf.cond`.

    Args:
      pred_fn_pairs: list of pairs of a bool scalar and a function without arguments, or a dict; a dict other than an
        OrderedDict is ordered by the names of the predicates.
      default: optional function without arguments. Without it the step fails if no predicate is true.
      exclusive: bool, whether the step fails if more than one predicate is true.
      strict: as in `tf.cond`.
      name: optional name of the name scope.

    Returns:
      The result of the selected function.

    Raises:
      TypeError: if `pred_fn_pairs` is not a collection of pairs of a bool tensor and a callable.
      ValueError: if it is empty, or in eager execution an unordered dict without `exclusive`.

    Example:
      r = tf.case([(x < 0, lambda: tf.constant(-1)), (x > 0, lambda: tf.constant(1))], default=lambda: tf.constant(0))
    """
    return case_by(partial(cond, strict=strict), pred_fn_pairs, default, exclusive, name)


def case_by(
    choose: Callable[..., Any],
    pred_fn_pairs: Any,
    default: _Function | None,
    exclusive: bool,
    name: str | None,
    allow_python_preds: bool = False,
) -> Any:
    """Does the same as `case` with another function than `cond`; `allow_python_preds` allows bools as predicates."""
    pairs = _pairs(pred_fn_pairs, exclusive, name, allow_python_preds)
    if not pairs:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    predicates, functions = [pred for pred, _ in pairs], [function for _, function in pairs]
    with name_scope(name, "case", [predicates]):
        if default is None:
            default = _last_as_default(predicates, functions)
            predicates, functions = predicates[:-1], functions[:-1]
        rest = default
        for pred, function in zip(reversed(predicates), reversed(functions), strict=True):
            rest = partial(choose, pred, true_fn=function, false_fn=rest)
        if not exclusive:
            return rest()
        with control_dependencies([_assert_at_most(1, predicates, "Input error: exclusive=True")]):
            return rest()


def _pairs(given: Any, exclusive: bool, name: str | None, allow_python_preds: bool) -> list[tuple[Any, _Function]]:
    if not isinstance(given, (list, tuple, dict)):
        raise TypeError("fns must be a list, tuple, or dict")
    pairs: list[Any] = list(given.items() if isinstance(given, dict) else given)
    if isinstance(given, dict) and not isinstance(given, OrderedDict):
        pairs = _ordered(pairs, exclusive, name)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, function = pair
        if isinstance(pred, Tensor):
            if pred.dtype != dtypes.bool:
                raise TypeError(f"pred must be Tensor of type bool: {pred.name}")
        elif not (allow_python_preds and isinstance(pred, bool)):
            raise TypeError(f"pred must be a Tensor{' or bool' if allow_python_preds else ''}, got: {pred}")
        if not callable(function):
            raise TypeError(f"fn for pred {getattr(pred, 'name', pred)} must be callable.")
    return pairs


def _ordered(pairs: list[Any], exclusive: bool, name: str | None) -> list[Any]:
    if executing_eagerly():
        if not exclusive:
            raise ValueError(
                "Unordered dictionaries are not supported for the `pred_fn_pairs` argument when `exclusive=False` and "
                "eager mode is enabled."
            )
        return pairs
    if not exclusive:
        from tinytf._src.framework.logs import tf_logging

        tf_logging.warn(
            "%s: a dict of predicates has no order, so the predicates are tested in the order of their names.", name
        )
    return sorted(pairs, key=lambda pair: pair[0].name)


def _last_as_default(predicates: list[Any], functions: list[_Function]) -> _Function:
    """Returns the last function, preceded by assertions that its predicate is true and no other one is."""
    others = predicates[:-1]
    text = f"Implementation error: selected default action #{len(others)} was called, but some of other predicates are True: "

    def default() -> Any:
        none_holds = "Input error: None of conditions evaluated as True:", _stacked(predicates)
        with control_dependencies([_assert_at_most(0, others, text), Assert(predicates[-1], none_holds)]):
            return functions[-1]()

    return default


def _stacked(predicates: Sequence[Any]) -> Tensor:
    return stack(predicates, name="preds_c")


def _assert_at_most(count: int, predicates: Sequence[Any], text: str) -> Operation:
    """Creates an operation that fails if more than `count` predicates are true."""
    stacked = _stacked(predicates)
    held = reduce_sum(cast(stacked, dtypes.int32), name="num_true_conds")
    condition = gen_ops.less_equal(held, constant(count, name="n_true_conds"))
    names = ", ".join(getattr(pred, "name", "?") for pred in predicates)
    data = [f"{text}: more than {count} conditions ({names}) evaluated as True:", stacked]
    return Assert(condition, data, summarize=len(predicates))
