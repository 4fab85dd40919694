"""`tf.while_loop`: runs a part of the graph repeatedly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.control_flow.loop_building import build_loop
from tinytf._src.ops.control_flow.primitives import own_tensor
from tinytf._src.ops.control_flow.shape_invariants import invariant_of
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, is_tensor_array
from tinytf._src.ops.control_flow.version import builds_nodes, nodes
from tinytf._src.ops.control_flow.while_context import WhileContext

__all__ = ["while_loop"]


@tf_export("while_loop")
@called_by_users
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeats `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` is true.

    In graph mode both functions are called once, to build the loop. In eager execution it is a Python loop.

    Args:
      cond: function from the loop variables to a bool scalar.
      body: function from the loop variables to their next values, in the same structure.
      loop_vars: initial values: a list, tuple or other structure of tensors, TensorArrays, SparseTensors and
        IndexedSlices.
      shape_invariants: optional structure of the shapes that the variables have in all iterations; defaults to the
        initial shapes. For a SparseTensor it is the shape of `dense_shape`, for IndexedSlices that of `values`.
      parallel_iterations: int, how many iterations may run in parallel.
      back_prop: bool, whether the loop can be differentiated; loops of control flow version 2 always can.
      swap_memory: bool, whether values kept for gradients may be moved to other memory.
      name: optional name of the name scope.
      maximum_iterations: optional integer scalar, maximum number of iterations.
      return_same_structure: bool, whether a single variable keeps its structure; otherwise it is unpacked.

    Returns:
      The final values of the loop variables: in control flow version 2 and in functions in the structure of
      `loop_vars`, otherwise in the structure that `body` returns.

    Raises:
      TypeError: if `cond` or `body` is not callable, if `parallel_iterations` is below 1, or if structures have
        different types.
      ValueError: if there are no variables, if a shape invariant is violated, or if structures differ.

    Example:
      i, total = tf.while_loop(lambda i, s: i < 10, lambda i, s: (i + 1, s + i), [tf.constant(0), tf.constant(0)])
    """
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    eagerly = executing_eagerly()
    if not eagerly and builds_nodes():
        return _build_node(
            cond,
            body,
            loop_vars,
            shape_invariants,
            parallel_iterations,
            name,
            maximum_iterations,
            return_same_structure,
        )
    with name_scope(name, "while", loop_vars):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        alone = len(loop_vars) == 1 and not return_same_structure
        if maximum_iterations is not None:
            maximum_iterations = _limit(maximum_iterations, (0,))
            cond, body, loop_vars = _counted(cond, body, loop_vars, maximum_iterations, alone)
        if eagerly:
            result = _run(cond, body, loop_vars, alone and maximum_iterations is None)
            return result if maximum_iterations is None else result[1]
        if shape_invariants is not None:
            if maximum_iterations is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
            shape_invariants = nest.map_structure(invariant_of, loop_vars, shape_invariants)
        context = WhileContext(maximum_iterations, parallel_iterations, back_prop, swap_memory)
        if context.outer_context is None:  # Nested contexts are reachable from their outer context.
            get_default_graph().add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        result = build_loop(context, cond, body, loop_vars, shape_invariants, return_same_structure)
        return result if maximum_iterations is None else result[1]


def _limit(value: Any, ranks: tuple[int | None, ...]) -> Tensor:
    """Returns a maximum number of iterations as a tensor. Raises ValueError if its rank is none of `ranks`; None is an
    unknown one."""
    limit = convert_to_tensor(value, name="maximum_iterations")
    if limit.shape.ndims not in ranks:
        raise ValueError(f"maximum_iterations must be a scalar, saw shape: {limit.shape}")
    return limit


def _build_node(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any,
    parallel_iterations: int,
    name: str | None,
    maximum_iterations: Any,
    return_same_structure: bool,
) -> Any:
    """Builds the loop as a While node. Initial values become tensors outside of its name scope."""
    leaves = nest.flatten(loop_vars, expand_composites=True) if len(loop_vars) else []  # a tensor has no length
    given = [own_tensor(flow_of(leaf)) for leaf in leaves]
    if shape_invariants is not None:
        nest.assert_same_structure(loop_vars, shape_invariants)
        tensors = nest.pack_sequence_as(loop_vars, given, expand_composites=True)
        shape_invariants = nest.flatten(nest.map_structure(invariant_of, tensors, shape_invariants))
    with name_scope(name or "while") as scope:
        return nodes.build_while(
            cond,
            body,
            loop_vars,
            given,
            shape_invariants,
            parallel_iterations,
            None if maximum_iterations is None else _limit(maximum_iterations, (0, None)),
            return_same_structure,
            scope,
        )


def _counted(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, maximum: Any, alone: bool
) -> tuple[Callable[..., Any], Callable[..., Any], Any]:
    """Returns condition, body and variables of a loop that counts its iterations in an additional first variable."""
    counter: Any = 0 if executing_eagerly() else constant(0, dtype=maximum.dtype, name="iteration_counter")
    limit = int(maximum) if executing_eagerly() else maximum

    def arguments(rest: Any) -> Any:
        return (rest,) if alone else rest

    return (
        lambda i, rest: gen_ops.logical_and(i < limit, cond(*arguments(rest))),
        lambda i, rest: (i + 1, body(*arguments(rest))),
        (counter, loop_vars[0] if alone else loop_vars),
    )


def _run(cond: Callable[..., Any], body: Callable[..., Any], values: Any, alone: bool) -> Any:
    """Runs the loop eagerly."""
    structure = list(values)
    bare = False  # Whether the body returns its only variable without a list.
    while cond(*values):
        values = body(*values)
        if alone and not isinstance(values, (list, tuple)):
            bare, values = True, (values,)
        nest.assert_same_structure(structure, list(values))
    values = nest.map_structure(
        lambda x: x if is_tensor_array(x) else convert_to_tensor(x), values, expand_composites=True
    )
    return values[0] if bare else values
