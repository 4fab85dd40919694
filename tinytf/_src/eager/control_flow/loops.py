"""Builds loops as While nodes whose conditions and bodies are functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.defined_parts import loop_of
from tinytf._src.eager.control_flow.loop_gradient import gradients_of_loop
from tinytf._src.eager.control_flow.loop_node import loop_node, note_original_outputs
from tinytf._src.eager.control_flow.parts import Part, captures_of, here, name_in, waited_for
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values.tensor_like import is_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array.shape_ops import squeeze
from tinytf._src.ops.control_flow.primitives import own_tensor
from tinytf._src.ops.control_flow.shape_invariants import invariant_of
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, with_flows


def while_node(
    cond: Callable[..., Tensor],
    body: Callable[..., Sequence[Tensor]],
    variables: Sequence[Tensor],
    shapes: Sequence[TensorShape],
    parallel_iterations: int,
    name: str,
    functions: tuple[str, str],
    named: int = 0,
) -> list[Tensor]:
    """Adds a While node and returns its outputs: the final values of the variables, then captured tensors.

    `cond` and `body` are called with a tensor for each variable, of its loop-invariant shape. `functions` are the names
    of the functions made of them. The first `named` arguments are named after the operations of the variables' initial
    values.
    """
    test = Part(functions[0], variables, shapes, lambda *values: ([own_tensor(cond(*values))], None), named)

    def repeat(*values: Tensor) -> tuple[list[Tensor], None]:
        here(test.graph.external_captures)  # come first, outside of the body's name scopes
        return [own_tensor(value) for value in body(*values)], None

    step = Part(functions[1], variables, shapes, repeat, named)
    for variable, shape, value in zip(variables, shapes, step.outputs, strict=False):
        _check(variable, shape, value)
    outer = captures_of([test, step])
    inner = step.take(outer)
    condition = test.as_function([*test.inputs, *test.take(outer)], test.outputs, gradient_of_loop_node)
    repeated = step.as_function([*step.inputs, *inner], [*step.outputs, *inner], gradient_of_loop_node)
    inputs = [*variables, *outer]
    shapes = [*shapes, *(tensor.shape for tensor in inputs[len(shapes) :])]
    waits = waited_for([test, step])
    op = loop_node(condition, repeated, inputs, shapes, parallel_iterations, name, waits)
    note_original_outputs(op)
    return list(op.outputs)


def gradient_of_loop_node(op: Operation, grads: Sequence[Any]) -> list[Any]:
    """Returns the gradients of the inputs of a While node."""
    return gradients_of_loop(op, grads, loop_of(op, gradient_of_loop_node), gradient_of_loop_node)


def _check(variable: Tensor, shape: TensorShape, value: Tensor) -> None:
    if value.dtype != variable.dtype.base_dtype:
        raise TypeError(
            f"Loop var {variable.name} enters the loop with type {variable.dtype.base_dtype} but has type {value.dtype} "
            "after 1 iteration."
        )
    if not shape.is_compatible_with(value.shape) or _is_less_known(value.shape, shape):
        raise ValueError(
            f"Input tensor '{variable.name}' enters the loop with shape {shape}, but has shape {value.shape} after "
            "one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
            "tf.while_loop to specify a less-specific shape."
        )


def _is_less_known(shape: TensorShape, than: TensorShape) -> bool:
    if than.dims is None:
        return False
    return shape.dims is None or any(a is None and b is not None for a, b in zip(shape.as_list(), than.as_list()))


def _default_shapes(loop_vars: Any, given: Sequence[Tensor]) -> list[TensorShape]:
    """Returns the default loop-invariant shapes: the shapes of the initial values, but the number of a SparseTensor's
    values is left open."""
    shapes: list[TensorShape] = []
    rest = iter(given)
    for variable in nest.flatten(loop_vars):
        own = [next(rest).shape for _ in nest.flatten(variable, expand_composites=True)]
        shapes.extend(invariant_of(variable) if isinstance(variable, SparseTensor) else own)
    return shapes


def build_while(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    given: Sequence[Tensor],
    shape_invariants: Any,
    parallel_iterations: int,
    maximum: Any,
    return_same_structure: bool,
    scope: str,
) -> Any:
    """Implements `tf.while_loop` as a While node. `given` are the flat tensors of `loop_vars`; `shape_invariants` is
    flat, or None for the defaults; `maximum` is the iteration limit, a tensor or None."""
    leaves = nest.flatten(loop_vars, expand_composites=True)
    if shape_invariants is None:
        shapes = _default_shapes(loop_vars, given)
    else:
        shapes = [TensorShape(shape) for shape in shape_invariants]
    limit = constant(-1, name="maximum_iterations") if maximum is None else maximum
    counter = constant(0, None if maximum is None else maximum.dtype, name="loop_counter")

    def packed(tensors: Sequence[Tensor]) -> Any:
        return nest.pack_sequence_as(loop_vars, with_flows(leaves, tensors), expand_composites=True)

    def test(i: Tensor, most: Tensor, *values: Tensor) -> Any:
        holds = cond(*packed(values))
        if is_tensor(holds) and holds.shape.ndims != 0:
            holds = squeeze(holds)
        return holds if maximum is None else gen_ops.logical_and(i < most, holds)

    def step(i: Tensor, most: Tensor, *values: Tensor) -> list[Tensor]:
        result = body(*packed(values))
        if not nest.is_nested_or_composite(result):
            result = [result]
        nest.assert_same_structure(list(result), list(loop_vars), expand_composites=True)
        flat = nest.flatten(result, expand_composites=True)
        return [i + 1, most, *(own_tensor(flow_of(value)) for value in flat)]

    variables = [counter, limit, *given]
    names = name_in(scope, "cond"), name_in(scope, "body")
    outputs = while_node(
        test, step, variables, [TensorShape([])] * 2 + shapes, parallel_iterations, scope, names, named=2
    )
    with name_scope(scope):  # TensorFlow copies all outputs in this scope, though only variables are returned
        copies = [gen_ops.identity(tensor) for tensor in outputs]
    results = with_flows(leaves, copies[2 : len(variables)])
    if len(results) == 1 and not return_same_structure:
        return results[0]
    return nest.pack_sequence_as(loop_vars, results, expand_composites=True)
