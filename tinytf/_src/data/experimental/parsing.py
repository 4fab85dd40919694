"""`parse_example_dataset`: the features of serialized Examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.dataset import UnaryDataset
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensorSpec
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.parsing.examples import KINDS, default_values, merged, with_lengths
from tinytf._src.ops.parsing.features import RawFeatures, SparseFeature


@tf_export("data.experimental.parse_example_dataset")
def parse_example_dataset(features: Any, num_parallel_calls: Any = 1) -> Callable[[Any], Any]:
    """Parses batches of serialized Examples.

    Args:
      features: dict from keys to `tf.FixedLenFeature`, `tf.VarLenFeature`, `tf.SparseFeature` and
        `tf.FixedLenSequenceFeature`.
      num_parallel_calls: int or int64 tensor, how many batches are parsed at once.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises TypeError unless the elements are vectors of strings, and
      ValueError for invalid features. The result has dicts from keys to tensors and sparse tensors.

    Raises:
      ValueError: if `features` is None.
    """
    if features is None:
        raise ValueError(f"Missing: features was {features}.")

    def transformation(dataset: Any) -> Any:
        parsed = _ParseExampleDataset(dataset, features, num_parallel_calls)
        if not any(isinstance(feature, SparseFeature) for feature in features.values()):
            return parsed
        return parsed.map(lambda x: merged(features, x), num_parallel_calls=num_parallel_calls)

    return transformation


class _ParseExampleDataset(UnaryDataset):
    def __init__(self, input_dataset: Any, features: Any, num_parallel_calls: Any) -> None:
        if not structure.are_compatible(input_dataset.element_spec, TensorSpec([None], dtypes.string)):
            raise TypeError("Input dataset should be a dataset of vectors of strings")
        raw = RawFeatures(with_lengths(features), KINDS)
        if not raw.dense_keys and not raw.sparse_keys:
            raise ValueError("Must provide at least one sparse key or dense key")
        raw.check()
        shapes = [as_shape(shape) for shape in raw.dense_shapes]
        defaults = default_values(raw, shapes)
        batch = structure.legacy_shapes(input_dataset.element_spec)
        sparse = [SparseTensorSpec(batch.concatenate([None]), dtype) for dtype in raw.sparse_types]
        dense = [TensorSpec(batch.concatenate(shape), dtype) for shape, dtype in zip(shapes, raw.dense_types)]
        self._structure = dict(zip([*raw.dense_keys, *raw.sparse_keys], [*dense, *sparse]))
        parsed = gen_ops.parse_example_dataset(
            input_dataset._variant_tensor,
            num_parallel_calls,
            defaults,
            raw.sparse_keys,
            raw.dense_keys,
            raw.sparse_types,
            shapes,
            **self._flat_structure,
        )
        super().__init__(input_dataset, parsed)

    @property
    def element_spec(self) -> Any:
        """The specification of the features: a dict."""
        return self._structure
