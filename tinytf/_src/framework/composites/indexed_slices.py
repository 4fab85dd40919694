"""`IndexedSlices`: a sparse set of rows of a tensor, such as the gradient of a gather."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value_as_shape
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_like import TensorLike
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape

__all__ = [
    "IndexedSlices",
    "IndexedSlicesSpec",
    "IndexedSlicesValue",
]


class IndexedSlicesValue(NamedTuple):
    """The value of an `IndexedSlices` that a session returns or accepts as a feed."""

    values: Any
    indices: Any
    dense_shape: Any


@tf_export("IndexedSlices")
class IndexedSlices(TensorLike, CompositeTensor):
    """A tensor given by some of its slices along dimension 0; all other slices are zero, slices of equal index add up.

    Args:
      values: Tensor of shape [n, ...], the slices.
      indices: integer Tensor of shape [n], the position of each slice.
      dense_shape: integer vector, the shape of the dense tensor; None if it is unknown.
    """

    __slots__ = ("_values", "_indices", "_dense_shape", "__weakref__", "__dict__")
    _is_control_input = True

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

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        rows = self._indices.shape.merge_with(self._values.shape[:1])
        shape = TensorShape([None]).concatenate(self._values.shape[1:])
        if self._dense_shape is None:
            return IndexedSlicesSpec(shape, self.dtype, self._indices.dtype, None, rows)
        shape = shape.merge_with(constant_value_as_shape(self._dense_shape))
        return IndexedSlicesSpec(shape, self.dtype, self._indices.dtype, self._dense_shape.dtype, rows)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"


@tf_export("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """Describes IndexedSlices by the shape of the dense tensor and the types of the components. Immutable.

    Args:
      shape: TensorShape of the dense tensor, or a value that it accepts; None means any shape.
      dtype: type of `values`.
      indices_dtype: type of `indices`.
      dense_shape_dtype: type of `dense_shape`; None means that there is no `dense_shape`.
      indices_shape: shape of `indices`, of rank 1; None means any number of indices.

    Raises:
      TypeError: if an argument that must be a type is not one.
      ValueError: if `indices_shape` has another rank than 1.
    """

    __slots__ = ("_shape", "_values_dtype", "_indices_dtype", "_dense_shape_dtype", "_indices_shape")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = as_shape(shape)
        self._values_dtype = dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = as_shape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type:
        """The class IndexedSlices."""
        return IndexedSlices

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        values = TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype)
        indices = TensorSpec(self._indices_shape, self._indices_dtype)
        if self._dense_shape_dtype is None:
            return values, indices
        return values, indices, TensorSpec([self._shape.ndims], self._dense_shape_dtype)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        if value.dense_shape is None:
            return value.values, value.indices
        return value.values, value.indices, value.dense_shape

    def _from_components(self, components: Any) -> Any:
        """Returns IndexedSlices, or an IndexedSlicesValue if all components are arrays."""
        if not all(isinstance(part, np.ndarray) for part in components):
            return IndexedSlices(*components)
        return IndexedSlicesValue(*components, *([None] if len(components) == 2 else []))

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape
