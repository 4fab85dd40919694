"""Datasets of given tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.base import Source
from tinytf._src.data.kinds.arguments import int64
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.dimension import Dimension


class TensorDataset(Source):
    """One element: the given one."""

    def __init__(self, element: Any) -> None:
        element = structure.normalize_element(element)
        self._structure = structure.type_spec_from_value(element)
        self._tensors = structure.to_tensor_list(self._structure, element)
        shapes = structure.get_flat_tensor_shapes(self._structure)
        super().__init__(gen_ops.tensor_dataset(self._tensors, output_shapes=shapes))

    @property
    def element_spec(self) -> Any:
        """The specification of the element."""
        return self._structure


class TensorSliceDataset(Source):
    """The slices of tensors along the first dimension."""

    def __init__(self, element: Any) -> None:
        element = structure.normalize_element(element)
        batched = structure.type_spec_from_value(element)
        self._tensors = structure.to_batched_tensor_list(batched, element)
        self._structure = nest.map_structure(lambda spec: spec._unbatch(), batched)
        count = _first_dimension(self._tensors[0])
        for tensor in self._tensors[1:]:
            count.assert_is_compatible_with(_first_dimension(tensor))
        shapes = structure.get_flat_tensor_shapes(self._structure)
        super().__init__(gen_ops.tensor_slice_dataset(self._tensors, output_shapes=shapes))

    @property
    def element_spec(self) -> Any:
        """The specification of a slice."""
        return self._structure


def _first_dimension(tensor: Any) -> Dimension:
    dims = tensor.shape.dims
    return Dimension(None if dims is None else dims[0].value)


class SparseTensorSliceDataset(Source):
    """The slices of a sparse tensor along the first dimension, as tuples (indices, values, dense shape)."""

    def __init__(self, sparse_tensor: Any) -> None:
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}.")
        self._sparse_tensor = sparse_tensor
        parts = sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape
        columns, sizes = parts[0].shape.dims[1], parts[2].shape.dims[0]
        rank = (columns - 1).merge_with(sizes - 1)
        self._structure = (
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], sparse_tensor.dtype),
            TensorSpec([rank], dtypes.int64),
        )
        super().__init__(gen_ops.sparse_tensor_slice_dataset(*parts))

    @property
    def element_spec(self) -> Any:
        """The specification of a tuple."""
        return self._structure


class RangeDataset(Source):
    """Numbers from `start` to before `stop` by `step`: arguments like those of Python's `range`."""

    def __init__(self, *args: Any) -> None:
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
        self._start, self._stop, self._step = (
            int64(value, name) for value, name in ((start, "start"), (stop, "stop"), (step, "step"))
        )
        self._structure = TensorSpec([], dtypes.int64)
        numbers = gen_ops.range_dataset(self._start, self._stop, self._step, **self._flat_structure)
        super().__init__(numbers)

    @property
    def element_spec(self) -> Any:
        """The specification of a scalar of type int64."""
        return self._structure
