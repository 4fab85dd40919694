"""TensorArrays go through branches and loops as their flows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def is_tensor_array(value: Any) -> bool:
    """Whether it is a TensorArray, whose class stands above control flow and says by `_flows_through` that branches and
    loops take the flow of its objects in their place."""
    return getattr(type(value), "_flows_through", False)


def flow_of(value: Any) -> Any:
    """Of a TensorArray the flow, anything else as it is."""
    return value.flow if is_tensor_array(value) else value


def with_flows(values: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    """The tensors; where there is a TensorArray among `values`, that array with the tensor as its flow."""
    if len(values) != len(tensors):
        raise ValueError(f"Lengths of original Tensor list and new list do not match: {len(values)} vs. {len(tensors)}")
    return [
        value._continued(tensor) if is_tensor_array(value) else tensor
        for value, tensor in zip(values, tensors, strict=True)
    ]
