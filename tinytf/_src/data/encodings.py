"""How the values of a dataset's elements travel between operations as tensors: one `Encoding` for each kind of
specification."""

from __future__ import annotations

import functools
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.composite import parts_of, with_parts
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorSpec
from tinytf._src.framework.composites.type_spec import (
    BatchableTypeSpec,
    TensorSpec,
    type_spec_from_value,
)
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value_as_shape
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArraySpec


class Encoding:
    """The encoding of values as their component tensors. Stateless.

    The `legacy_…` methods describe a specification as programs before `element_spec` do: by a type, a shape and a
    class.
    """

    def flat_specs(self, spec: Any) -> list[TensorSpec]:
        """Returns the specifications of the tensors."""
        return parts_of(spec)

    def tensors(self, spec: Any, value: Any) -> list[Any]:
        """Returns the tensors of a value."""
        return nest.flatten(spec._to_components(value), expand_composites=True)

    def batched_tensors(self, spec: Any, value: Any) -> list[Any]:
        """Returns the tensors of a batch, whose first dimension counts values. ValueError if one is a scalar; TypeError
        if values of this kind cannot be joined."""
        if not isinstance(spec, BatchableTypeSpec):
            raise TypeError(f"Values of {spec} cannot be taken out of batches")
        tensors = self.tensors(spec, value)
        if any(tensor.shape.ndims == 0 for tensor in tensors):
            raise ValueError(f"Value {value!s} has insufficient rank for batching.")
        return tensors

    def value(self, spec: Any, tensors: list[Any]) -> Any:
        """Returns the value that the tensors encode."""
        return with_parts(spec, tensors)

    def legacy_type(self, spec: Any) -> Any:
        """Returns the element type. NotImplementedError if values of this kind have none."""
        raise NotImplementedError(f"{type(spec).__name__}._to_legacy_output_types()")

    def legacy_shape(self, spec: Any) -> Any:
        """Returns the shape. NotImplementedError if values of this kind have none."""
        raise NotImplementedError(f"{type(spec).__name__}._to_legacy_output_shapes()")

    def legacy_class(self, spec: Any) -> Any:
        """Returns the class of the values, or a specification."""
        return spec.value_type


class _Tensors(Encoding):
    def value(self, spec: TensorSpec, tensors: list[Any]) -> Any:
        [tensor] = tensors
        tensor.set_shape(spec.shape)
        return tensor

    def legacy_type(self, spec: TensorSpec) -> Any:
        return spec.dtype

    def legacy_shape(self, spec: TensorSpec) -> Any:
        return spec.shape

    def legacy_class(self, spec: TensorSpec) -> Any:
        return Tensor


class _SparseTensors(Encoding):
    """A sparse tensor is one variant tensor: its three components; a batch is a matrix of them."""

    def flat_specs(self, spec: SparseTensorSpec) -> list[TensorSpec]:
        return [TensorSpec(None, dtypes.variant)]

    def tensors(self, spec: SparseTensorSpec, value: Any) -> list[Any]:
        sparse = SparseTensor.from_value(value)
        parts = sparse.indices, sparse.values, sparse.dense_shape
        return [gen_ops.serialize_sparse(*parts, out_type=dtypes.variant)]

    def batched_tensors(self, spec: SparseTensorSpec, value: Any) -> list[Any]:
        if spec.shape.merge_with(constant_value_as_shape(value.dense_shape)).ndims == 0:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        return [gen_ops.serialize_many_sparse(value.indices, value.values, value.dense_shape, out_type=dtypes.variant)]

    def value(self, spec: SparseTensorSpec, tensors: list[Any]) -> SparseTensor:
        sparse = SparseTensor(*gen_ops.deserialize_sparse(tensors[0], spec.dtype))
        sparse.indices.set_shape([None, spec.shape.ndims])
        sparse.dense_shape.set_shape([spec.shape.ndims])
        return sparse

    def legacy_type(self, spec: SparseTensorSpec) -> Any:
        return spec.dtype

    def legacy_shape(self, spec: SparseTensorSpec) -> Any:
        return spec.shape


class _TensorArrays(Encoding):
    """The legacy shape of an array begins with its two properties, as if they were sizes."""

    def legacy_type(self, spec: TensorArraySpec) -> Any:
        return spec._dtype

    def legacy_shape(self, spec: TensorArraySpec) -> Any:
        return TensorShape([spec._dynamic_size, spec._infer_shape]).concatenate(spec._element_shape)


class OfSpecs(Encoding):
    """The encoding of values whose specification takes the place of a type, a shape and a class."""

    def legacy_type(self, spec: Any) -> Any:
        """Returns the specification itself."""
        return spec

    legacy_shape = legacy_class = legacy_type


@functools.singledispatch
def encoding_of(spec: Any) -> Encoding:
    """Returns the encoding of the values of a specification. Other modules register specifications of theirs."""
    return _COMPONENTS


@encoding_of.register(TensorSpec)
def _of_tensors(spec: TensorSpec) -> Encoding:
    return _TENSORS


@encoding_of.register(SparseTensorSpec)
def _of_sparse_tensors(spec: SparseTensorSpec) -> Encoding:
    return _SPARSE_TENSORS


@encoding_of.register(TensorArraySpec)
def _of_tensor_arrays(spec: TensorArraySpec) -> Encoding:
    return _TENSOR_ARRAYS


_COMPONENTS, _TENSORS, _SPARSE_TENSORS, _TENSOR_ARRAYS = Encoding(), _Tensors(), _SparseTensors(), _TensorArrays()


def check_tensors(spec: Any, tensors: list[Any]) -> None:
    """Raises ValueError unless the tensors have the specifications of the encoding's."""
    expected = encoding_of(spec).flat_specs(spec)
    if len(tensors) != len(expected):
        raise ValueError("Incompatible input: wrong number of tensors")
    for i, (tensor, wanted) in enumerate(zip(tensors, expected)):
        if not type_spec_from_value(tensor).is_compatible_with(wanted):
            raise ValueError(f"Incompatible input: tensor {i} ({tensor!s}) is incompatible with {wanted}")
