"""Gradients of TensorArray reads and writes, which use TensorArrays of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.gradients.gradient_arrays import name_of_gradients
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray


def _gradients(op: Any, dtype: str, flow: Any, grad: Any) -> TensorArray:
    """The gradient array of the operation's array; its uses depend on `flow`."""
    array = TensorArray(op._raw_attr(dtype), handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False)
    return array.grad(name_of_gradients(op.inputs[0], grad), flow=flow)


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
