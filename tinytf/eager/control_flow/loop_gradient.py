"""Gradients of While nodes: a loop that goes back, through what the first one has put on lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.eager.calls import call_in_graph
from tinytf.eager.control_flow.parts import PartFunction, gradient_name, here
from tinytf.eager.graph_function import GraphFunction, ancestors
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import control_dependencies
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.gradients.missing_gradients import zeros_of
from tinytf.gradients.trainable import is_trainable
from tinytf.ops.control_flow.context import inside
from tinytf.ops.data_flow import list_ops


class LoopBody:
    """The body of a loop, what of it the derivative takes, and where in the loop's outputs that is listed."""

    def __init__(self, cond: PartFunction, body: PartFunction) -> None:
        recorded = body.recorded()
        self.names = cond.name, body.name
        derivative = recorded.derivative
        self.trainable = recorded.trainable
        self.gradient_parts = recorded.gradient_parts
        self.assembled = recorded.assembled
        self.derivative: GraphFunction | None = None
        self.needed: list[int] = []
        self.constant: set[int] = set()
        self.listed: list[Tensor] = []
        if derivative is None:  # what an iteration yields depends on nothing, but there may be none
            return
        behind = set(ancestors(derivative.outputs, {t._key for t in recorded.saved}))
        self.needed = [i for i, t in enumerate(body.inputs) if t.op in behind]
        inputs, seeds = body.inputs, derivative.inputs[len(body.inputs) :]
        saved = recorded.saved
        needed = [inputs[i] for i in self.needed]
        self.derivative = body.sibling(derivative.name, [*needed, *seeds], saved, derivative.outputs, [])
        self.constant = {i for i in self.needed if body.outputs[i] is inputs[i]}
        self.listed = [*(inputs[i] for i in self.needed if i not in self.constant), *saved]

    def lists_without_gradient(self) -> list[int]:
        """Those of `listed` whose types have none."""
        return [i for i, tensor in enumerate(self.listed) if not is_trainable(tensor)]

    def extend(self, op: Operation, cond: PartFunction, body: PartFunction) -> list[Tensor]:
        """Has each iteration put what the derivative takes on lists: what these are after the loop."""
        with op.graph.as_default(), inside(op._get_control_flow_context()), control_dependencies(None):
            empty = [list_ops.empty_tensor_list(t.shape, t.dtype.base_dtype) for t in self.listed]
        with body.graph.as_default(), body.graph.control_dependencies(None), body.graph.name_scope(None):
            lists = [gen_ops.placeholder(dtypes.variant, shape=[], name="list") for _ in self.listed]
            longer = [list_ops.tensor_list_push_back(a, value) for a, value in zip(lists, self.listed, strict=True)]
        with cond.graph.as_default(), cond.graph.control_dependencies(None), cond.graph.name_scope(None):
            unread = [gen_ops.placeholder(dtypes.variant, shape=[], name="list") for _ in self.listed]
        step = body.longer(lists, longer, (self, len(op.outputs)))
        step.without_gradient |= {len(body.outputs) + i for i in self.lists_without_gradient()}
        test = cond.longer(unread, [])
        count = len(op.outputs)
        op._call_instead({"cond": [test.entered(op.graph)], "body": [step.entered(op.graph)]}, longer, empty)
        return list(op.outputs[count:])


def gradients_of_loop(
    op: Operation,
    grads: Sequence[Any],
    functions: tuple[PartFunction, PartFunction],
    while_node: Callable[..., list[Tensor]],
) -> list[Any]:
    """The gradients of a loop's inputs, by a loop that runs as often, which `while_node` builds. `functions` are the loop's
    condition and body."""
    cond, body = functions
    count = len(op.inputs)
    extension = body.extension
    if extension is not None and all(grad is None for grad in grads[extension[1] :]):
        whole, lists = extension[0], list(op.outputs[extension[1] :])
    else:
        whole = LoopBody(cond, body)
        if not whole.trainable:
            return [None] * count
        lists = whole.extend(op, cond, body) if whole.listed else []
    result: list[Any] = [None] * count
    for i, grad in zip(*_go_back(op, whole, grads, lists, while_node), strict=True):
        result[i] = grad
    return result


def _go_back(
    op: Operation,
    loop: LoopBody,
    grads: Sequence[Any],
    lists: Sequence[Tensor],
    while_node: Callable[..., list[Tensor]],
) -> tuple[list[int], list[Tensor]]:
    """The numbers of inputs that have gradients, and these."""
    derivative = loop.derivative
    inputs, outputs = list(op.inputs), list(op.outputs)
    sums = _handles_with_gradients(loop, inputs)
    first = [zeros_of(outputs[i]) if grads[i] is None else convert_to_tensor(grads[i]) for i in loop.trainable]
    first += [zeros_of(inputs[i]) for i in sums]
    many, more = len(loop.trainable), len(sums)

    def body(done: Tensor, *rest: Tensor) -> list[Tensor]:
        seeds, so_far, stacks = rest[:many], rest[many : many + more], rest[many + more :]
        shorter, taken = [], []
        for stack, like in zip(stacks, loop.listed, strict=True):
            stack, value = list_ops.tensor_list_pop_back(stack, like.dtype)
            value.set_shape(like.shape)
            shorter.append(stack)
            taken.append(value)
        values = iter(taken)
        needed = [inputs[i] if i in loop.constant else next(values) for i in loop.needed]
        found: list[Any] = [None] * len(inputs)
        if derivative is not None:
            found = loop.assembled(call_in_graph(derivative, [*here(needed), *seeds, *values]))
        before = [
            gen_ops.zeros_like(seed) if found[i] is None else _shaped(convert_to_tensor(found[i]), seed)
            for i, seed in zip(loop.trainable, seeds, strict=True)
        ]
        total = [sum_ + convert_to_tensor(found[i]) for i, sum_ in zip(sums, so_far, strict=True)]
        return [done + 1, *before, *total, *shorter]

    variables = [constant(0, outputs[0].dtype, name="loop_counter"), *first, *lists]
    shapes = [TensorShape([]), *(outputs[i].shape for i in loop.trainable), *(t.shape for t in first[many:])]
    shapes += [TensorShape([])] * len(lists)
    at_once = op._raw_attr("parallel_iterations")
    count = outputs[0]  # of the iterations: a loop's first variable
    if constant_value(inputs[0]) != 0:  # of a loop that others built
        count = count - inputs[0]
    names = gradient_name(loop.names[0]), gradient_name(loop.names[1])
    name = f"{op.name}_grad"
    fixed = [len(variables) - len(lists) + i for i in loop.lists_without_gradient()]
    with_counter = while_node(lambda done, *_: done < count, body, variables, shapes, at_once, name, names, fixed)
    return [*loop.trainable, *sums], with_counter[1 : 1 + many + more]


def _shaped(tensor: Tensor, like: Tensor) -> Tensor:
    """The tensor, which has the shape of another: of rows it may not be known."""
    tensor.set_shape(like.shape)
    return tensor


def _handles_with_gradients(loop: LoopBody, inputs: Sequence[Tensor]) -> list[int]:
    """Variables whose values the body reads."""
    shapes = loop.gradient_parts
    return [i for i, t in enumerate(inputs) if t.dtype == dtypes.resource and i < len(shapes) and shapes[i]]
