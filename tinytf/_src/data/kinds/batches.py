"""Datasets of batches, of windows, and of the elements of batches."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.base import Unary
from tinytf._src.data.dataset_spec import DatasetSpec
from tinytf._src.data.kinds.arguments import boolean, int64
from tinytf._src.exports import named
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dimension import Dimension


class BatchDataset(Unary):
    """Batches of `batch_size` elements; with `drop_remainder` no smaller one at the end."""

    def __init__(self, input_dataset: Any, batch_size: Any, drop_remainder: Any) -> None:
        self._batch_size = int64(batch_size, "batch_size")
        self._drop_remainder = boolean(drop_remainder, "drop_remainder")
        size = constant_value(self._batch_size) if constant_value(self._drop_remainder) else None
        self._structure = nest.map_structure(lambda spec: spec._batch(size), input_dataset.element_spec)
        batches = gen_ops.batch_dataset_v2(
            input_dataset._variant_tensor,
            batch_size=self._batch_size,
            drop_remainder=self._drop_remainder,
            **self._flat_structure,
        )
        super().__init__(input_dataset, batches)

    @property
    def element_spec(self) -> Any:
        """The specification of a batch."""
        return self._structure


class WindowDataset(Unary):
    """Windows of elements, each component a dataset of its own."""

    def __init__(self, input_dataset: Any, size: Any, shift: Any, stride: Any, drop_remainder: Any) -> None:
        self._size = int64(size, "size")
        self._shift = int64(shift, "shift")
        self._stride = int64(stride, "stride")
        self._drop_remainder = boolean(drop_remainder, "drop_remainder")
        self._structure = nest.map_structure(DatasetSpec, input_dataset.element_spec)
        windows = gen_ops.window_dataset(
            input_dataset._variant_tensor,
            self._size,
            self._shift,
            self._stride,
            self._drop_remainder,
            **self._flat_structure,
        )
        super().__init__(input_dataset, windows)

    @property
    def element_spec(self) -> Any:
        """The specification of a window."""
        return self._structure


class RestructuredDataset(Unary):
    """The same tensors with another specification."""

    def __init__(self, dataset: Any, element_spec: Any) -> None:
        self._structure = element_spec
        super().__init__(dataset, dataset._variant_tensor)

    @property
    def element_spec(self) -> Any:
        """The given specification."""
        return self._structure


@named("_UnbatchDataset")
class UnbatchDataset(Unary):
    """The elements of batches."""

    def __init__(self, input_dataset: Any) -> None:
        shapes = input_dataset._flat_shapes
        if any(shape.ndims == 0 for shape in shapes):
            raise ValueError("Cannot unbatch an input with scalar components.")
        size = Dimension(None)
        try:
            for shape in shapes:
                size = size.merge_with(None if shape.dims is None else shape.dims[0])
        except ValueError:
            raise ValueError("Cannot unbatch an input whose components have different batch sizes.") from None
        self._structure = nest.map_structure(lambda spec: spec._unbatch(), input_dataset.element_spec)
        super().__init__(input_dataset, gen_ops.unbatch_dataset(input_dataset._variant_tensor, **self._flat_structure))

    @property
    def element_spec(self) -> Any:
        """The specification of an element of a batch."""
        return self._structure


def elements_of_batches(dataset: Any, mapped: Any) -> UnbatchDataset:
    """Returns the dataset of the elements of a dataset's batches. `mapped(function)` maps the dataset."""
    spec = dataset.element_spec

    def normalize(arg: Any, *rest: Any) -> list[Any]:
        return structure.to_batched_tensor_list(spec, (arg, *rest) if rest else arg)

    return UnbatchDataset(RestructuredDataset(mapped(normalize), spec))
