"""`IndexedSlices`: a sparse set of rows of a tensor, such as the gradient of a gather."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.exports import tf_export
from tinytf._src.framework.dtypes import DType
from tinytf._src.framework.tensor_like import TensorLike

__all__ = [
    "IndexedSlices",
    "IndexedSlicesValue",
]


class IndexedSlicesValue(NamedTuple):
    """The value of an `IndexedSlices` that a session returns or accepts as a feed."""

    values: Any
    indices: Any
    dense_shape: Any


@tf_export("IndexedSlices")
class IndexedSlices(TensorLike):
    """A tensor given by some of its slices along dimension 0; all other slices are zero, slices of equal index add up.

    Args:
      values: Tensor of shape [n, ...], the slices.
      indices: integer Tensor of shape [n], the position of each slice.
      dense_shape: integer vector, the shape of the dense tensor; None if it is unknown.
    """

    __slots__ = ("_values", "_indices", "_dense_shape", "__weakref__", "__dict__")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def values(self) -> Any:
        """Tensor of shape [n, ...], the slices."""
        return self._values

    @property
    def indices(self) -> Any:
        """Integer Tensor of shape [n], the position of each slice in the dense tensor."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """Integer vector, the shape of the dense tensor; None if it is unknown."""
        return self._dense_shape

    @property
    def name(self) -> str:
        """The name of `values`."""
        return self._values.name

    @property
    def device(self) -> str:
        """The device of `values`."""
        return self._values.device

    @property
    def op(self) -> Any:
        """The operation that produces `values`."""
        return self._values.op

    @property
    def dtype(self) -> DType:
        """The element type of `values`."""
        return self._values.dtype

    @property
    def graph(self) -> Any:
        """The graph of `values`."""
        return self._values.graph

    def consumers(self) -> list[Any]:
        """The operations that consume any of the component tensors."""
        parts = [self._values, self._indices] + ([] if self._dense_shape is None else [self._dense_shape])
        return list(dict.fromkeys(op for part in parts for op in part.consumers()))

    _consumers = consumers

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"
