"""Elements of several datasets in turn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.dataset import DatasetV2, DatasetV2Adapter
from tinytf._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tinytf._src.data.experimental.random_numbers import RandomDatasetV1
from tinytf._src.data.kinds.flat_maps import ParallelInterleaveOfReaders
from tinytf._src.data.kinds.maps import MapDataset
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array_ops import expand_dims, squeeze
from tinytf._src.platform.deprecation import deprecated


@tf_export("data.experimental.parallel_interleave")
@deprecated(
    None,
    "Use `tf.data.Dataset.interleave(map_func, cycle_length, block_length, "
    "num_parallel_calls=tf.data.experimental.AUTOTUNE)` instead. If sloppy execution is desired, use "
    "`tf.data.Options.experimental_determinstic`.",
)
def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Callable[[Any], Any]:
    """Calls a function for each element and interleaves the datasets that it returns, which are read at once.

    Args:
      map_func: takes an element as in `tf.data.Dataset.map`; returns a dataset.
      cycle_length: int or int64 tensor, how many datasets are interleaved at a time.
      block_length: int or int64 tensor, how many elements of one dataset follow each other.
      sloppy: bool or bool tensor, whether a dataset without a ready element is passed over, so that the order varies.
      buffer_output_elements: int or int64 tensor, elements of each dataset that are read ahead; None means twice the
        block length.
      prefetch_input_elements: int or int64 tensor, datasets that are started ahead; None means twice the cycle length.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises TypeError if `map_func` returns no dataset.
    """

    def transformation(dataset: Any) -> Any:
        return DatasetV2Adapter(
            ParallelInterleaveOfReaders(
                dataset, map_func, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements
            )
        )

    return transformation


class _DirectedInterleaveDataset(DatasetV1):
    """The next element of the dataset that has the number which `selector_input` yields."""

    def __init__(self, selector_input: Any, data_inputs: Any) -> None:
        self._selector_input = selector_input
        self._data_inputs = list(data_inputs)
        specs = [dataset.element_spec for dataset in self._data_inputs]
        types, classes = structure.legacy_types(specs[0]), structure.legacy_classes(specs[0])
        for spec in specs[1:]:
            if structure.legacy_types(spec) != types or structure.legacy_classes(spec) != classes:
                raise TypeError("All datasets must have the same type and class.")
        shapes = functools.reduce(_common, map(structure.legacy_shapes, specs))
        self._structure = structure.convert_legacy_structure(types, shapes, classes)
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return gen_ops.directed_interleave_dataset(
            self._selector_input._variant_tensor,
            [dataset._variant_tensor for dataset in self._data_inputs],
            **self._flat_structure,
        )

    def _inputs(self) -> list[Any]:
        return [self._selector_input, *self._data_inputs]

    @property
    def element_spec(self) -> Any:
        """The specification that fits the elements of all datasets."""
        return self._structure


def _common(shapes: Any, others: Any) -> Any:
    pairs = zip(nest.flatten(shapes), nest.flatten(others))
    return nest.pack_sequence_as(shapes, [one.most_specific_compatible_shape(other) for one, other in pairs])


@tf_export("compat.v2.data.experimental.sample_from_datasets")
@called_by_users
def sample_from_datasets_v2(datasets: Any, weights: Any = None, seed: Any = None) -> Any:
    """Draws each element from a dataset that is chosen at random.

    Args:
      datasets: list of datasets with elements of the same types.
      weights: vector of float32 or float64, the relative probabilities of the datasets, or a dataset of such vectors;
        None means equal ones.
      seed: int or int64 tensor; None means the graph-level seed, if there is one.

    Returns:
      Dataset. It ends when one that is chosen has ended.

    Raises:
      TypeError: if the datasets have elements of different types, or `weights` another type.
      ValueError: if `weights` has another length.
    """
    if isinstance(weights, DatasetV2):
        return _DirectedInterleaveDataset(_choices_by_dataset(weights, seed), datasets)
    logits = _logits(weights, len(datasets))
    if len(datasets) == 1:
        return datasets[0]

    def select_dataset_constant_logits(seed: Any) -> Any:  # graphs show the name
        return _drawn(logits, seed)

    choices = MapDataset(_seeds(seed), select_dataset_constant_logits, use_inter_op_parallelism=False)
    return _DirectedInterleaveDataset(choices, datasets)


def _choices_by_dataset(weights: Any, seed: Any) -> Any:
    def select_dataset_varying_logits(logits: Any, seed: Any) -> Any:  # graphs show the name
        return _drawn(logits, seed)

    logits = weights.map(lambda *p: gen_ops.log(p, name="logits"))
    pairs = DatasetV1.zip((logits, _seeds(seed)))
    return MapDataset(pairs, select_dataset_varying_logits, use_inter_op_parallelism=False)


def _logits(weights: Any, count: int) -> Any:
    if weights is None:
        return [[1.0] * count]
    weights = convert_to_tensor(weights, name="weights")
    if weights.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
    if not weights.shape.is_compatible_with([count]):
        raise ValueError("`weights` must be a vector of length `len(datasets)`.")
    return expand_dims(gen_ops.log(weights, name="logits"), 0)


def _seeds(seed: Any) -> Any:
    return RandomDatasetV1(seed).batch(2)


def _drawn(logits: Any, seed: Any) -> Any:
    """Returns the number of the chosen dataset."""
    return squeeze(gen_ops.stateless_multinomial(logits, 1, seed=seed), axis=[0, 1])


@tf_export("data.experimental.sample_from_datasets")
@called_by_users
@functools.wraps(sample_from_datasets_v2)
def sample_from_datasets_v1(datasets: Any, weights: Any = None, seed: Any = None) -> Any:
    return DatasetV1Adapter(sample_from_datasets_v2(datasets, weights, seed))


@tf_export("compat.v2.data.experimental.choose_from_datasets")
def choose_from_datasets_v2(datasets: Any, choice_dataset: Any) -> Any:
    """Draws each element from the dataset that another dataset names.

    Args:
      datasets: list of datasets with elements of the same types.
      choice_dataset: dataset of scalar int64 tensors, numbers of datasets.

    Returns:
      Dataset.

    Raises:
      TypeError: if the datasets have elements of different types, or `choice_dataset` has other elements.
    """
    if not structure.are_compatible(choice_dataset.element_spec, TensorSpec([], dtypes.int64)):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _DirectedInterleaveDataset(choice_dataset, datasets)


@tf_export("data.experimental.choose_from_datasets")
@functools.wraps(choose_from_datasets_v2)
def choose_from_datasets_v1(datasets: Any, choice_dataset: Any) -> Any:
    return DatasetV1Adapter(choose_from_datasets_v2(datasets, choice_dataset))
