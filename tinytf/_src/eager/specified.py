"""Arguments of inlined functions with an input signature: tensors that show the signature's static shapes."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_like import is_graph_tensor


class SpecifiedTensor(Tensor):
    """A tensor that shows only the shape in the signature. Operations take the tensor itself as input."""

    __slots__ = ("_seen_shape", "_argument")

    def __init__(self, argument: Tensor, spec: TensorSpec) -> None:
        super().__init__(argument._op, argument._value_index, argument._dtype)
        self._seen_shape = _sizes(spec)
        self._argument = argument

    @property
    def _itself(self) -> Tensor:
        return self._argument

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self._seen_shape


def as_specified(spec: TensorSpec, argument: Any) -> Any:
    """Returns the argument with the spec's static shape, if it is a graph tensor."""
    if not is_graph_tensor(argument) or argument._shape_tuple() == _sizes(spec):
        return argument
    return SpecifiedTensor(argument, spec)


def _sizes(spec: TensorSpec) -> tuple[int | None, ...] | None:
    dims = spec.shape.dims
    return None if dims is None else tuple(dim.value for dim in dims)


def arguments_of(result: Any) -> Any:
    """Replaces the SpecifiedTensors in a function's result by the original tensors."""
    leaves = nest.flatten(result)
    if not any(type(leaf) is SpecifiedTensor for leaf in leaves):
        return result
    return nest.map_structure(lambda leaf: leaf._argument if type(leaf) is SpecifiedTensor else leaf, result)
