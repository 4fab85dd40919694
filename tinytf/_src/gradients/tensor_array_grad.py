"""Gradients of TensorArray reads and writes, which use TensorArrays of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray

_names_of_bodies: WeakKeyDictionary[Graph, str] = WeakKeyDictionary()  # unique in the graph of the arrays


def _source(op: Any, grad: Any) -> str:
    """The name of the gradient array for the operation's array in the current gradient computation. Computations in
    function bodies have their own names for arrays of outer graphs."""
    body = get_default_graph()
    if op.graph is body:
        return _computation(grad)
    name = _names_of_bodies.get(body)
    if name is None:
        name = _names_of_bodies[body] = op.graph.unique_name("body")
    return f"{name}/{_computation(grad)}"


def _computation(grad: Any) -> str:
    """The name of the gradient computation to which a gradient belongs; each has its own arrays."""
    parts = grad.name.split("/")
    places = [i for i, part in enumerate(parts) if part.startswith("gradients")]
    if not places:
        raise ValueError(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {grad.name}. This means that a "
            "tf.gradients op with this op in its dependency path has a custom name that does not start with 'gradients'. "
            "Please make sure all calls to tf.gradients that have non-empty 'name' arguments use names that start with "
            "'gradients'."
        )
    return "/".join(parts[: places[-1] + 1])


def _gradients(op: Any, dtype: str, flow: Any, grad: Any) -> TensorArray:
    """The gradient array of the operation's array; its uses depend on `flow`."""
    array = TensorArray(op._raw_attr(dtype), handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False)
    return array.grad(_source(op, grad), flow=flow)


def _register(name: str) -> Callable[[Any], Any]:
    """Registers a gradient function for all generations of an op. As in TensorFlow, gradient arrays belong to the third
    generation: for an earlier array, the gradient fails because its handle has another type."""

    def register(function: Any) -> Any:
        for generation in ("", "V2", "V3"):
            gradient_of(name + generation)(function)
        return function

    return register


@_register("TensorArrayRead")
def _read(op: Any, grad: Any) -> Any:
    _, index, flow = op.inputs
    return None, None, _gradients(op, "dtype", flow, grad).write(index, grad).flow


@_register("TensorArrayWrite")
def _write(op: Any, flow: Any) -> Any:
    return None, None, _gradients(op, "T", flow, flow).read(op.inputs[1]), flow


@_register("TensorArrayGather")
def _gather(op: Any, grad: Any) -> Any:
    _, indices, flow = op.inputs
    return None, None, _gradients(op, "dtype", flow, grad).scatter(indices, grad).flow


@_register("TensorArrayScatter")
def _scatter(op: Any, flow: Any) -> Any:
    return None, None, _gradients(op, "T", flow, flow).gather(op.inputs[1]), flow


@_register("TensorArrayConcat")
def _concat(op: Any, grad: Any, _: Any) -> Any:
    flow = op.inputs[1]
    return None, _gradients(op, "dtype", flow, grad).split(grad, op.outputs[1]).flow


@_register("TensorArraySplit")
def _split(op: Any, flow: Any) -> Any:
    return None, _gradients(op, "T", flow, flow).concat(), None, flow
