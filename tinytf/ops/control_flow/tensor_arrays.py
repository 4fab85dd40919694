"""TensorArrays go through branches and loops as their flows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class FlowsThrough:
    """Base of `TensorArray`, which stands above control flow: branches and loops take its flow in its place."""

    @property
    def flow(self) -> Any:
        """The flow that comes after all uses so far."""
        raise NotImplementedError

    def _continued(self, flow: Any) -> Any:
        """The array, whose later uses come after `flow`."""
        raise NotImplementedError


def is_tensor_array(value: Any) -> bool:
    """Whether it is a TensorArray."""
    return isinstance(value, FlowsThrough)


def flow_of(value: Any) -> Any:
    """Of a TensorArray the flow, anything else as it is."""
    return value.flow if isinstance(value, FlowsThrough) else value


def with_flows(values: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    """The tensors; where there is a TensorArray among `values`, that array with the tensor as its flow."""
    if len(values) != len(tensors):
        raise ValueError(f"Lengths of original Tensor list and new list do not match: {len(values)} vs. {len(tensors)}")
    return [
        value._continued(tensor) if isinstance(value, FlowsThrough) else tensor
        for value, tensor in zip(values, tensors, strict=True)
    ]
