"""Python functions that get eager tensors, called by graph nodes and in eager execution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


def as_types(func: Callable[..., Any], result: Any, types: list[Any]) -> list[Any]:
    """Converts the result of a function to tensors of the given dtypes. Raises ValueError if the number of values
    differs.
    """
    if not types:
        return []
    values = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(values) != len(types):
        name = getattr(func, "__name__", type(func).__name__)
        raise ValueError(f"{name} returns {len(values)} values, but expects to see {len(types)} values.")
    for value in values:
        if getattr(value, "_is_dense_tensor_like", False):
            raise RuntimeError(
                "Attempting to return a variable from an eagerly executed py_func. Only numeric data structures like Tensors "
                "or NumPy arrays should be returned; to return the value of a variable, make sure to obtain the Tensor "
                f"backing it by calling `.read_value()` on the variable in question: {value}"
            )
    return [convert_to_tensor(value, dtype) for value, dtype in zip(values, types, strict=True)]


class EagerFunction:
    """The callable of a `py_function` node: converts arrays to eager tensors, calls the user's function, and converts
    back.
    """

    def __init__(self, func: Callable[..., Any], types: list[Any]) -> None:
        self.func = func
        self.types = types

    def __call__(self, *arrays: Any) -> list[Any]:
        with eager_mode():
            tensors = [convert_to_tensor(array) for array in arrays]
            return [_array(y) for y in as_types(self.func, self.func(*tensors), self.types)]


class EagerGradient:
    """The callable of the gradient node of an `EagerFunction`: runs the function once more under a tape.

    Its inputs are the inputs of the function and the gradients of its outputs. It returns the gradients of the inputs
    at the indices `wanted`, zeros where a gradient is None. `derive(records, ys, xs, gradients)` runs backpropagation.
    """

    def __init__(self, function: EagerFunction, wanted: list[int], derive: Callable[..., list[Any]]) -> None:
        self.function = function
        self.wanted = wanted
        self.derive = derive

    def __call__(self, *arrays: Any) -> list[Any]:
        count = len(arrays) - len(self.function.types)
        tape = _core.Tape()
        with eager_mode():
            tensors = [convert_to_tensor(array) for array in arrays]
            inputs, gradients = tensors[:count], tensors[count:]
            for i in self.wanted:
                tape.watch(inputs[i])
            tape.push()
            try:
                outputs = as_types(self.function.func, self.function.func(*inputs), self.function.types)
            finally:
                tape.pop()
            records = tape.records()
            tape.clear()
            found = self.derive(records, outputs, [inputs[i] for i in self.wanted], gradients)
            return [
                _array(convert_to_tensor(g)) if g is not None else _zeros(inputs[i])
                for i, g in zip(self.wanted, found, strict=True)
            ]


def _array(tensor: Any) -> Any:
    return tensor.numpy()


def _zeros(tensor: Any) -> Any:
    return np.zeros_like(tensor.numpy())


def types_of(Tout: Any) -> tuple[list[Any], bool]:
    """Returns `Tout` as a list of dtypes, and whether it was a list or tuple."""
    several = isinstance(Tout, (list, tuple))
    return [dtypes.as_dtype(t) for t in (Tout if several else [Tout])], several
