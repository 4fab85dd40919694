"""`bucket_by_sequence_length`: batches of elements of similar length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.experimental.windows import group_by_window
from tinytf._src.exports import tf_export
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array_ops import where
from tinytf._src.ops.checks.check_ops import assert_less
from tinytf._src.ops.math_ops import reduce_min

_INT32 = np.iinfo(np.int32)


@tf_export("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: list[int],
    bucket_batch_sizes: list[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: Any = False,
) -> Callable[[Any], Any]:
    """Groups elements by their length, pads the elements of a group to a common shape and joins them.

    Args:
      element_length_func: takes an element as in `tf.data.Dataset.map`; returns its length, a scalar int32 tensor.
      bucket_boundaries: list of ints, the lengths at which groups end, which they do not contain.
      bucket_batch_sizes: list of ints, the sizes of batches, one more than boundaries.
      padded_shapes: nested structure of shapes, as in `tf.data.Dataset.padded_batch`; None means the shapes of the elements.
      padding_values: as in `tf.data.Dataset.padded_batch`.
      pad_to_bucket_boundary: bool, whether unknown dimensions are padded to the greatest length of the group instead of
        to the longest element; elements must then be shorter than the last boundary.
      no_padding: bool, whether elements are joined without padding.
      drop_remainder: bool or bool tensor, whether smaller batches at the end are left out.

    Returns:
      Function for `tf.data.Dataset.apply`.

    Raises:
      ValueError: if the lists have other lengths.
    """
    with name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        batch_sizes = constant(bucket_batch_sizes, dtype=dtypes.int64)

    def bucket_of(*args: Any) -> Any:
        length = element_length_func(*args)
        lows, highs = [_INT32.min, *bucket_boundaries], [*bucket_boundaries, _INT32.max]
        fits = gen_ops.logical_and(gen_ops.less_equal(lows, length), gen_ops.less(length, highs))
        return reduce_min(where(fits))

    def size_of(bucket: Any) -> Any:
        return batch_sizes[bucket]

    def batching_fn(bucket: Any, group: Any) -> Any:  # graphs show the name
        size = size_of(bucket)
        if no_padding:
            return group.batch(size, drop_remainder=drop_remainder)
        longest = _longest(bucket, bucket_boundaries) if pad_to_bucket_boundary else None
        shapes = _filled(padded_shapes or structure.legacy_shapes(group.element_spec), longest)
        return group.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

    def transformation(dataset: Any) -> Any:
        return dataset.apply(group_by_window(bucket_of, batching_fn, window_size_func=size_of))

    return transformation


def _longest(bucket: Any, bucket_boundaries: list[int]) -> Any:
    """Returns the greatest length of a bucket as a tensor; running it fails for the last bucket, which has none."""
    check = assert_less(
        bucket,
        constant(len(bucket_boundaries), dtype=dtypes.int64),
        message="When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries).",
    )
    with control_dependencies([check]):
        boundaries = constant(bucket_boundaries, dtype=dtypes.int64)
        return boundaries[bucket] - 1


def _filled(shapes: Any, size: Any) -> Any:
    """Returns shapes with `size` for the dimensions of unknown size."""
    flat = [TensorShape(shape).as_list() for shape in nest.flatten(shapes)]
    return nest.pack_sequence_as(shapes, [[size if n is None else n for n in shape] for shape in flat])
