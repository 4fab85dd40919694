"""Datasets that leave out elements: errors, repeated ones, or all from the first one on for which a function is false."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.dataset import DatasetV2Adapter, UnaryUnchangedStructureDataset
from tinytf._src.data.kinds.scans import TakeWhileDataset
from tinytf._src.exports import tf_export
from tinytf._src.framework.values import dtypes


@tf_export("data.experimental.ignore_errors")
def ignore_errors() -> Callable[[Any], Any]:
    """Leaves out the elements whose computation fails.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _IgnoreErrorsDataset(dataset)

    return transformation


@tf_export("data.experimental.unique")
def unique() -> Callable[[Any], Any]:
    """Leaves out the elements that came before.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises TypeError unless the elements are single tensors of type int32,
      int64 or string.
    """

    def transformation(dataset: Any) -> Any:
        return _UniqueDataset(dataset)

    return transformation


@tf_export("data.experimental.take_while")
def take_while(predicate: Callable[..., Any]) -> Callable[[Any], Any]:
    """The elements before the first one for which a function is false.

    Args:
      predicate: takes an element as in `tf.data.Dataset.map`; returns a scalar bool tensor.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises ValueError if `predicate` returns something else.
    """

    def transformation(dataset: Any) -> Any:
        return DatasetV2Adapter(TakeWhileDataset(dataset, predicate))

    return transformation


class _IgnoreErrorsDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: Any) -> None:
        attrs = input_dataset._flat_structure
        super().__init__(input_dataset, gen_ops.ignore_errors_dataset(input_dataset._variant_tensor, **attrs))


class _UniqueDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: Any) -> None:
        kind = structure.legacy_types(input_dataset.element_spec)
        if kind not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or "
                "`tf.string` component."
            )
        attrs = input_dataset._flat_structure
        super().__init__(input_dataset, gen_ops.unique_dataset(input_dataset._variant_tensor, **attrs))
