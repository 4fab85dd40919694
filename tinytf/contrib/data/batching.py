"""Batches, and the shapes of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.framework import with_shape
from tinytf.python.data.ops.dataset_ops import UnaryDataset
from tinytf.python.data.util import nest, structure
from tinytf.python.util.deprecation import deprecated

_Transformation = Callable[[Any], Any]


@deprecated(None, "Use `tf.data.experimental.dense_to_sparse_batch(...)`.")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> _Transformation:
    """See `tf.data.experimental.dense_to_sparse_batch`."""
    return tf.data.experimental.dense_to_sparse_batch(batch_size, row_shape)


@deprecated(None, "Use `tf.data.experimental.unbatch()`.")
def unbatch() -> _Transformation:
    """See `tf.data.experimental.unbatch`."""
    return tf.data.experimental.unbatch()


@deprecated(None, "Use `tf.data.Dataset.batch(..., drop_remainder=True)`.")
def batch_and_drop_remainder(batch_size: Any) -> _Transformation:
    """Joins successive elements along a new first dimension; a smaller batch at the end is left out.

    Args:
      batch_size: int or int64 tensor.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return dataset.batch(batch_size, drop_remainder=True)

    return transformation


@deprecated(None, "Use `tf.data.Dataset.padded_batch(..., drop_remainder=True)`.")
def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> _Transformation:
    """Pads elements to a common shape and joins them; a smaller batch at the end is left out.

    Args:
      batch_size: int or int64 tensor.
      padded_shapes: as in `tf.data.Dataset.padded_batch`.
      padding_values: as in `tf.data.Dataset.padded_batch`.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return dataset.padded_batch(
            batch_size, padded_shapes=padded_shapes, padding_values=padding_values, drop_remainder=True
        )

    return transformation


@deprecated(None, "Use `tf.data.experimental.map_and_batch(...)`.")
def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> _Transformation:
    """See `tf.data.experimental.map_and_batch`."""
    return tf.data.experimental.map_and_batch(
        map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls
    )


def assert_element_shape(expected_shapes: Any) -> _Transformation:
    """Checks the shapes of elements, statically where they are known and else when the elements are computed.

    Args:
      expected_shapes: nested structure of TensorShapes.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises ValueError for incompatible shapes. The result has the merged
      shapes.
    """

    def _check_shape(*elements: Any) -> Any:  # graphs show the name
        pairs = zip(nest.flatten(elements), nest.flatten(expected_shapes))
        checked = [with_shape(shape, tensor) if shape else tensor for tensor, shape in pairs]
        return nest.pack_sequence_as(elements, checked)

    def transformation(dataset: Any) -> Any:
        spec = tf.data.experimental.get_structure(dataset)
        shapes = structure.legacy_shapes(spec)
        pairs = zip(nest.flatten(shapes), nest.flatten_up_to(shapes, expected_shapes))
        merged = nest.pack_sequence_as(shapes, [shape.merge_with(expected) for shape, expected in pairs])
        merged_spec = structure.convert_legacy_structure(
            structure.legacy_types(spec), merged, structure.legacy_classes(spec)
        )
        return _RestructuredDataset(dataset.map(_check_shape), merged_spec)

    return transformation


class _RestructuredDataset(UnaryDataset):
    """The same tensors with another specification."""

    def __init__(self, dataset: Any, element_spec: Any) -> None:
        self._structure = element_spec
        super().__init__(dataset, dataset._variant_tensor)

    @property
    def element_spec(self) -> Any:
        """The given specification."""
        return self._structure
