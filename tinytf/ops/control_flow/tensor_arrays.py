"""TensorArrays go through branches and loops as their flows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

_HOME = "tinytf.ops.data_flow.tensor_array_ops"


def is_tensor_array(value: Any) -> bool:
    """Whether it is a TensorArray. As long as their module is not loaded there is none."""
    home = sys.modules.get(_HOME)
    return home is not None and isinstance(value, home.TensorArray)


def flow_of(value: Any) -> Any:
    """Of a TensorArray the flow, anything else as it is."""
    return value.flow if is_tensor_array(value) else value


def with_flows(values: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    """The tensors; where there is a TensorArray among `values`, that array with the tensor as its flow."""
    if len(values) != len(tensors):
        raise ValueError(f"Lengths of original Tensor list and new list do not match: {len(values)} vs. {len(tensors)}")
    return [
        sys.modules[_HOME].build_ta_with_new_flow(value, tensor) if is_tensor_array(value) else tensor
        for value, tensor in zip(values, tensors, strict=True)
    ]
