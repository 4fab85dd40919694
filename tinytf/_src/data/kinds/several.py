"""Datasets made of several others: zipped or one after the other."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.base import DatasetBase


class ZipDataset(DatasetBase):
    """Elements with one element of each of several datasets, in the structure in which these are given."""

    def __init__(self, datasets: Any) -> None:
        self._datasets = datasets
        parts = nest.flatten(datasets)
        for dataset in parts:
            if not isinstance(dataset, DatasetBase):
                message = "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects."
                if isinstance(dataset, list):
                    message += " Nested structures do not support Python lists; please use a tuple instead."
                raise TypeError(message)
        self._structure = nest.pack_sequence_as(datasets, [dataset.element_spec for dataset in parts])
        variants = [dataset._variant_tensor for dataset in parts]
        super().__init__(gen_ops.zip_dataset(variants, **self._flat_structure))

    def _inputs(self) -> list[Any]:
        return nest.flatten(self._datasets)

    @property
    def element_spec(self) -> Any:
        """The specifications of the datasets' elements, in their structure."""
        return self._structure


class ConcatenateDataset(DatasetBase):
    """The elements of one dataset, then those of another."""

    def __init__(self, input_dataset: Any, dataset_to_concatenate: Any) -> None:
        self._input_datasets = [input_dataset, dataset_to_concatenate]
        specs = [dataset.element_spec for dataset in self._input_datasets]
        types, classes = map(structure.legacy_types, specs), map(structure.legacy_classes, specs)
        for what, (first, second) in (("types", types), ("classes", classes)):
            if first != second:
                raise TypeError(f"Two datasets to concatenate have different {what} {first} and {second}")
        first, second = map(structure.legacy_shapes, specs)
        pairs = zip(nest.flatten(first), nest.flatten(second))
        shapes = nest.pack_sequence_as(first, [one.most_specific_compatible_shape(other) for one, other in pairs])
        self._structure = structure.convert_legacy_structure(
            structure.legacy_types(specs[0]), shapes, structure.legacy_classes(specs[0])
        )
        variants = [dataset._variant_tensor for dataset in self._input_datasets]
        super().__init__(gen_ops.concatenate_dataset(*variants, **self._flat_structure))

    def _inputs(self) -> list[Any]:
        return self._input_datasets

    @property
    def element_spec(self) -> Any:
        """The specification that fits the elements of both datasets."""
        return self._structure
