"""Representation of TensorArrays by their flow tensors in branches and loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def is_tensor_array(value: Any) -> bool:
    """Returns whether a value is a TensorArray.

    That class depends on control flow, so it is recognized by its attribute `_flows_through`, which says that branches
    and loops pass the flow of its objects instead.
    """
    return getattr(type(value), "_flows_through", False)


def flow_of(value: Any) -> Any:
    """Returns the flow of a TensorArray, and any other value unchanged."""
    return value.flow if is_tensor_array(value) else value


def with_flows(values: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    """Returns the tensors; where `values` has a TensorArray, returns that array with the tensor as its flow."""
    if len(values) != len(tensors):
        raise ValueError(f"Lengths of original Tensor list and new list do not match: {len(values)} vs. {len(tensors)}")
    return [
        value._continued(tensor) if is_tensor_array(value) else tensor
        for value, tensor in zip(values, tensors, strict=True)
    ]
