"""Applies element-wise ops that preserve zeros to the values of a `SparseTensor`."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.declarations.op_spec import OpSpec


def over_values(spec: OpSpec, inputs: tuple[Any, ...]) -> SparseTensor | None:
    """The first input if it is a `SparseTensor` and the op applies to its values as in TensorFlow, else None."""
    if spec.maps_sparse and isinstance(inputs[0], SparseTensor):
        return inputs[0]
    return None
