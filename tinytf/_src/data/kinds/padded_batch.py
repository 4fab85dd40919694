"""Batches of elements of different shapes, which are padded."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.base import Unary
from tinytf._src.data.kinds.arguments import boolean, int64
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor, internal_convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value, constant_value_as_shape
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.control_flow.smart_cond import smart_constant_value


class PaddedBatchDataset(Unary):
    """Batches of `batch_size` elements, each padded at the end of its dimensions to a common shape."""

    def __init__(
        self, input_dataset: Any, batch_size: Any, padded_shapes: Any, padding_values: Any, drop_remainder: Any
    ) -> None:
        spec = input_dataset.element_spec
        types, shapes = structure.legacy_types(spec), structure.legacy_shapes(spec)
        classes = structure.legacy_classes(spec)
        if SparseTensor in nest.flatten(classes):
            raise TypeError("Batching of padded sparse tensors is not currently supported")
        self._batch_size = int64(batch_size, "batch_size")
        if padding_values is None:
            padding_values = nest.map_structure(_zero, types)
        given = nest.flatten_up_to(shapes, padded_shapes)
        flat_shapes = [_shape_tensor(wanted, shape) for shape, wanted in zip(nest.flatten(shapes), given)]
        self._padded_shapes = nest.pack_sequence_as(shapes, flat_shapes)
        self._padding_values = nest.map_structure_up_to(shapes, _value_tensor, padding_values, types)
        self._drop_remainder = boolean(drop_remainder, "drop_remainder")
        drops = smart_constant_value(self._drop_remainder)
        size = constant_value(self._batch_size) if drops else None
        batch_shapes = nest.map_structure(
            lambda wanted: TensorShape([size]).concatenate(constant_value_as_shape(wanted)), self._padded_shapes
        )
        self._structure = structure.convert_legacy_structure(types, batch_shapes, classes)
        arguments: dict[str, Any] = {
            "batch_size": self._batch_size,
            "padded_shapes": [convert_to_tensor(wanted, dtype=dtypes.int64) for wanted in flat_shapes],
            "padding_values": nest.flatten(self._padding_values),
            "output_shapes": self._flat_shapes,
        }
        variant = input_dataset._variant_tensor
        if drops is False:
            batches = gen_ops.padded_batch_dataset(variant, **arguments)
        else:
            batches = gen_ops.padded_batch_dataset_v2(variant, drop_remainder=self._drop_remainder, **arguments)
        super().__init__(input_dataset, batches)

    @property
    def element_spec(self) -> Any:
        """The specification of a batch."""
        return self._structure


def _zero(dtype: Any) -> Any:
    if dtype.base_dtype == dtypes.string:
        return ""
    if dtype.base_dtype == dtypes.variant:
        raise TypeError(
            "Unable to create padding for field of type 'variant' because t.base_type == dtypes.variant == "
            f"{dtype.base_dtype}."
        )
    return np.zeros_like(dtype.as_numpy_dtype())


def _value_tensor(value: Any, dtype: Any) -> Any:
    value = convert_to_tensor(value, name="padding_value")
    if not value.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {value!s}")
    if value.dtype != dtype:
        raise TypeError(f"Padding value tensor ({value!s}) does not match output type: {dtype}")
    return value


def _shape_tensor(wanted: Any, shape: TensorShape) -> Any:
    """Returns the padded shape of a component as a tensor, -1 for dimensions that are padded to the longest element.
    ValueError if elements do not fit in."""
    try:
        static = as_shape(wanted)
        tensor = convert_to_tensor([-1 if size is None else size for size in static.as_list()], dtype=dtypes.int64)
    except (TypeError, ValueError):
        tensor = internal_convert_to_tensor(wanted, preferred_dtype=dtypes.int64)
        kind = f"Padded shape {wanted!s} must be a 1-D tensor of tf.int64 values, but its"
        if tensor.shape.dims is not None and len(tensor.shape.dims) != 1:
            raise ValueError(f"{kind} shape was {tensor.shape}.") from None
        if tensor.dtype != dtypes.int64:
            raise TypeError(f"{kind} element type was {tensor.dtype.name}.") from None
        static = constant_value_as_shape(tensor)
    if not _fits(static, shape):
        raise ValueError(
            f"The padded shape {static} is not compatible with the corresponding input component shape {shape}."
        )
    return tensor


def _fits(padded: TensorShape, shape: TensorShape) -> bool:
    if padded.dims is None or shape.dims is None:
        return True
    sizes = list(zip(padded.as_list(), shape.as_list()))
    return len(padded.dims) == len(shape.dims) and not any(
        size is not None and needed is not None and size < needed for size, needed in sizes
    )
