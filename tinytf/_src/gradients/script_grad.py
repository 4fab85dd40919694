"""Gradients of Python functions that run eager operations (EagerPyFunc)."""

from __future__ import annotations

from typing import Any

from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.tape_walk import gradients_of_records
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.ops.script import python_functions, script_ops
from tinytf._src.ops.script.eager_functions import EagerGradient


@gradient_of("EagerPyFunc")
def _eager_py_func_grad(op: Any, *grads: Any) -> list[Any]:
    inputs = op.inputs
    wanted = [i for i, tensor in enumerate(inputs) if is_trainable(tensor)]
    function = python_functions.function_of(op._raw_attr("token").decode())
    gradient = EagerGradient(function, wanted, gradients_of_records)
    found = script_ops.call_node("EagerPyFunc", gradient, [*inputs, *grads], [inputs[i].dtype for i in wanted], None)
    result: list[Any] = [None] * len(inputs)
    for i, value in zip(wanted, found, strict=True):
        value.set_shape(inputs[i].shape)
        result[i] = value
    return result
