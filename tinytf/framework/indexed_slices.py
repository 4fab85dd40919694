"""`IndexedSlices`: some rows of a tensor, as gradients of gathers have them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.exports import tf_export
from tinytf.framework.dtypes import DType
from tinytf.framework.tensor_like import TensorLike

__all__ = [
    "IndexedSlices",
    "IndexedSlicesValue",
]


class IndexedSlicesValue(NamedTuple):
    """What a session returns for, and accepts as, an `IndexedSlices`."""

    values: Any
    indices: Any
    dense_shape: Any


@tf_export("IndexedSlices")
class IndexedSlices(TensorLike):
    """Rows `values[i]` at `indices[i]` of a tensor of shape `dense_shape` that is zero elsewhere.

    `values` has shape [n, …], `indices` is an integer vector of n elements, `dense_shape` is an integer vector or
    None. Rows of the same index add up.
    """

    __slots__ = ("_values", "_indices", "_dense_shape", "__weakref__", "__dict__")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Any:
        """Which row of the dense tensor each is."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor, or None if it is not known."""
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
        """The operation that yields `values`."""
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
        """The operations that take any of the component tensors."""
        parts = [self._values, self._indices] + ([] if self._dense_shape is None else [self._dense_shape])
        return list(dict.fromkeys(op for part in parts for op in part.consumers()))

    _consumers = consumers

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"
