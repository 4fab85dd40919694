"""`tf.cond`: runs one of two branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.control_flow.primitives import merge, own_tensor, switch
from tinytf._src.ops.control_flow.slices import with_long_indices
from tinytf._src.ops.control_flow.summaries import with_summaries
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, with_flows
from tinytf._src.ops.control_flow.version import builds_nodes, nodes

__all__ = ["cond"]


@tf_export("cond")
@called_by_users
def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """Runs `true_fn` if a predicate is true and `false_fn` otherwise.

    In graph mode both functions are called once, to build the branches. Operations that they create run only in the
    selected branch; operations that exist before run in any case. In eager execution only one function is called.

    Args:
      pred: bool scalar.
      true_fn: function without arguments.
      false_fn: function without arguments. Both return the same structure of tensors, operations or values of the same
        dtypes; an operation becomes a tensor that depends on it.
      strict: bool, whether a list or tuple of one result keeps its structure; otherwise it is unpacked.
      name: optional name of the name scope.
      fn1: deprecated name of `true_fn`.
      fn2: deprecated name of `false_fn`.

    Returns:
      The results of the selected branch, in the structure that the functions return.

    Raises:
      TypeError: if a function is missing, given twice or not callable, or if the structures have different types.
      ValueError: if a function returns None, or if the structures or dtypes differ.

    Example:
      y = tf.cond(x > 0, lambda: tf.sqrt(x), lambda: tf.zeros_like(x))
    """
    true_fn = _given("true_fn", true_fn, "fn1", fn1)
    false_fn = _given("false_fn", false_fn, "fn2", fn2)
    for which, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"{which} must be callable.")
    if builds_nodes() and not executing_eagerly():
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool", pred)
        with name_scope(name or "cond", values=[pred]) as scope:
            return nodes.build_branches(pred, [true_fn, false_fn], scope, is_if=True)
    with name_scope(name, "cond", [pred]):
        if executing_eagerly():
            result = true_fn() if pred else false_fn()
            return result if strict else _unpacked(result)
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        return _build(pred, true_fn, false_fn, strict)


def _given(name: str, function: Any, old_name: str, old_function: Any) -> Callable[[], Any]:
    if old_function is not None:
        if function is not None:
            raise TypeError(f"cond(): {name} and {old_name} may not be set simultaneously.")
        return old_function
    if function is None:
        raise TypeError(f"cond(): {name} argument required")
    return function


def _unpacked(result: Any) -> Any:
    return result[0] if isinstance(result, (list, tuple)) and len(result) == 1 else result


def _build(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], strict: bool) -> Any:
    off, on = switch(pred, pred)
    pivot_on = gen_ops.identity(on, name="switch_t")
    pivot_off = gen_ops.identity(off, name="switch_f")
    pred = gen_ops.identity(pred, name="pred_id")
    for tensor in (on, off, pivot_on, pivot_off, pred):
        tensor.graph.prevent_fetching(tensor.op)
    context_on, given_on, results_on = _build_branch(pred, pivot_on, 1, true_fn, "true_fn")
    context_off, given_off, results_off = _build_branch(pred, pivot_off, 0, false_fn, "false_fn")
    if not strict:
        given_on, given_off = _unpacked(given_on), _unpacked(given_off)
    try:
        nest.assert_same_structure(given_on, given_off, expand_composites=True)
    except (TypeError, ValueError):
        given_on, given_off = _with_same_indices(given_on, given_off)
        results_on, results_off = _with_same_indices(results_on, results_off)
        _check_structures(given_on, given_off)
    tensors_on = nest.flatten(results_on, expand_composites=True)
    tensors_off = nest.flatten(results_off, expand_composites=True)
    if not tensors_on:
        raise ValueError("true_fn and false_fn must return at least one result.")
    for a, b in zip(tensors_on, tensors_off, strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            types = f"{a.dtype.name}, {b.dtype.name}"
            raise ValueError(f"Outputs of true_fn and false_fn must have the same type: {types}")
    merges = [merge(pair)[0] for pair in zip(tensors_off, tensors_on, strict=True)]
    merges = with_flows(nest.flatten(given_on, expand_composites=True), merges)
    if context_on.outer_context is None:  # Nested contexts are reachable from their outer context.
        for context in (context_on, context_off):
            get_default_graph().add_to_collection(GraphKeys.COND_CONTEXT, context)
    result = nest.pack_sequence_as(given_on, merges, expand_composites=True)
    return result if strict else _unpacked(result)


def _build_branch(
    pred: Tensor, pivot: Tensor, branch: int, function: Callable[[], Any], name: str
) -> tuple[CondContext, Any, Any]:
    """Returns the context of a branch, the result of its function, and that result as tensors of the branch, in a list
    unless it is a list or tuple.
    """
    context = CondContext(pred, pivot, branch)
    context.Enter()
    try:
        given = with_summaries(function)
        if given is None:
            raise ValueError(f"{name} must have a return value.")
        results = nest.map_structure(lambda value: _result(context, value), given, expand_composites=True)
        if not isinstance(results, (list, tuple)):
            results = [results]
        context.ExitResult(results)
    finally:
        context.Exit()
    return context, given, results


def _result(context: CondContext, value: Any) -> Tensor:
    if isinstance(value, Operation):
        return with_dependencies([value], context.pivot)
    return context.AddResult(own_tensor(flow_of(value)))


def _with_same_indices(on: Any, off: Any) -> tuple[Any, Any]:
    """Returns both structures with int64 indices where corresponding IndexedSlices have different index dtypes.

    Raises TypeError or ValueError if the structures differ otherwise than within composite tensors.
    """
    nest.assert_same_structure(on, off)
    pairs = list(zip(nest.flatten(on), nest.flatten(off), strict=True))
    for i, (a, b) in enumerate(pairs):
        both = isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices)
        if both and a.indices.dtype != b.indices.dtype:
            pairs[i] = with_long_indices(a), with_long_indices(b)
    return nest.pack_sequence_as(on, [a for a, _ in pairs]), nest.pack_sequence_as(off, [b for _, b in pairs])


def _check_structures(on: Any, off: Any) -> None:
    try:
        nest.assert_same_structure(on, off, expand_composites=True)
    except TypeError as error:
        raise TypeError(f"Incompatible return types of true_fn and false_fn: {error}") from None
    except ValueError as error:
        raise ValueError(f"Incompatible return values of true_fn and false_fn: {error}") from None
