"""`DatasetV1`, which is `tf.data.Dataset`: datasets that also make iterators for graphs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tinytf._src.data import structure
from tinytf._src.data.base import DatasetBase
from tinytf._src.data.dataset import Adapter, DatasetV2, listed_files
from tinytf._src.data.graph_iterators import initializable, one_shot
from tinytf._src.data.kinds.generator import ElementsOfGenerator
from tinytf._src.data.kinds.maps import FilterDataset, MapDataset, ParallelMapDataset
from tinytf._src.data.kinds.several import ZipDataset
from tinytf._src.data.kinds.tensors import (
    RangeDataset,
    SparseTensorSliceDataset,
    TensorDataset,
    TensorSliceDataset,
)
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform.deprecation import deprecated

_FOR_LOOPS = (
    "Use `for ... in dataset:` to iterate over a dataset. If using `tf.estimator`, return the `Dataset` object directly "
    "from your input function. As a last resort, you can use `tf.compat.v1.data.{}(dataset)`."
)


@tf_export("data.Dataset")
class DatasetV1(DatasetV2):
    """A sequence of elements, each a nested structure of tensors.

    Datasets are made of tensors, files and generators by static methods, and of other datasets by methods. Making one
    computes nothing: elements are computed when an iterator asks for them.

    Example:
      dataset = tf.data.Dataset.from_tensor_slices([3, 1, 2]).map(lambda x: x * 2).batch(2)
      element = tf.data.make_one_shot_iterator(dataset).get_next()
      with tf.Session() as session:
        session.run(element)  # [6, 2]
    """

    _keeps_cardinality = False

    def __init__(self) -> None:
        try:
            variant = self._as_variant_tensor()
        except AttributeError as error:
            if "_as_variant_tensor" in str(error):
                raise AttributeError(
                    "Please use _variant_tensor instead of _as_variant_tensor() to obtain the variant associated with a "
                    "dataset"
                ) from None
            raise AttributeError(
                f"{error}: A likely cause of this error is that the super call for this dataset is not the last line of "
                "the __init__ method. The base class causes the _as_variant_tensor call in its constructor and if that "
                "uses attributes defined in the __init__ method, those attrs need to be defined before the super call."
            ) from None
        super().__init__(variant)

    def _as_variant_tensor(self) -> Any:
        """Returns the variant tensor of the dataset; called by the constructor."""
        raise NotImplementedError("Dataset._as_variant_tensor")

    def _made(self, dataset: DatasetBase) -> Any:
        return DatasetV1Adapter(dataset)

    # -- Iterators ---------------------------------------------------------------------------------------------------

    @deprecated(None, _FOR_LOOPS.format("make_one_shot_iterator"))
    def make_one_shot_iterator(self) -> Any:
        """Creates an iterator that starts by itself. The dataset may not depend on variables, tables or placeholders.

        Returns:
          `tf.data.Iterator`.

        Raises:
          ValueError: if the dataset depends on such state.
        """
        return self._make_one_shot_iterator()

    def _make_one_shot_iterator(self) -> Any:
        return one_shot(self)

    @deprecated(None, _FOR_LOOPS.format("make_initializable_iterator"))
    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """Creates an iterator that starts when its `initializer` runs.

        Args:
          shared_name: str, name by which sessions share the iterator; None means that it is not shared.

        Returns:
          `tf.data.Iterator`.

        Raises:
          RuntimeError: in eager execution.
        """
        return self._make_initializable_iterator(shared_name)

    def _make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        return initializable(self, shared_name)

    # -- Elements ----------------------------------------------------------------------------------------------------

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(dataset)`.")
    def output_classes(self) -> Any:
        """The classes of the values of an element, in its structure."""
        return structure.legacy_classes(self.element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(dataset)`.")
    def output_shapes(self) -> Any:
        """The shapes of the values of an element, in its structure."""
        return structure.legacy_shapes(self.element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(dataset)`.")
    def output_types(self) -> Any:
        """The types of the values of an element, in its structure."""
        return structure.legacy_types(self.element_spec)

    @property
    def element_spec(self) -> Any:
        """The specification of an element: a nested structure of TypeSpecs. By default that of `output_types`,
        `output_shapes` and `output_classes`, which older subclasses define."""
        return structure.convert_legacy_structure(self.output_types, self.output_shapes, self.output_classes)

    # -- Sources -----------------------------------------------------------------------------------------------------

    @staticmethod
    @functools.wraps(DatasetV2.from_tensors)
    def from_tensors(tensors: Any) -> Any:
        return DatasetV1Adapter(TensorDataset(tensors))

    @staticmethod
    @functools.wraps(DatasetV2.from_tensor_slices)
    def from_tensor_slices(tensors: Any) -> Any:
        return DatasetV1Adapter(TensorSliceDataset(tensors))

    @staticmethod
    @deprecated(None, "Use `tf.data.Dataset.from_tensor_slices()`.")
    def from_sparse_tensor_slices(sparse_tensor: Any) -> Any:
        """A dataset of the slices of a sparse tensor along the first dimension.

        Args:
          sparse_tensor: SparseTensor.

        Returns:
          Dataset of tuples (indices, values, dense shape).

        Raises:
          TypeError: for other values.
        """
        return DatasetV1Adapter(SparseTensorSliceDataset(sparse_tensor))

    @staticmethod
    @functools.wraps(DatasetV2.from_generator)
    def from_generator(
        generator: Callable[..., Any], output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> Any:
        elements = ElementsOfGenerator(generator, output_types, output_shapes, args)
        return DatasetV1.from_tensors(0).flat_map(elements.flat_map_fn())

    @staticmethod
    @functools.wraps(DatasetV2.range)
    def range(*args: Any) -> Any:
        return DatasetV1Adapter(RangeDataset(*args))

    @staticmethod
    @functools.wraps(DatasetV2.zip)
    def zip(datasets: Any) -> Any:
        return DatasetV1Adapter(ZipDataset(datasets))

    @staticmethod
    @functools.wraps(DatasetV2.list_files)
    def list_files(file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Any:
        return listed_files(DatasetV1, file_pattern, shuffle, seed)

    # -- Functions of elements ---------------------------------------------------------------------------------------

    @deprecated(None, "Use `tf.data.Dataset.map()")
    def map_with_legacy_function(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """Calls a function for each element, as `map` did in earlier versions: no control flow of TensorFlow 2 in it.

        Args:
          map_func: as in `map`.
          num_parallel_calls: as in `map`.

        Returns:
          Dataset.
        """
        if num_parallel_calls is None:
            return DatasetV1Adapter(MapDataset(self, map_func, use_legacy_function=True))
        return DatasetV1Adapter(ParallelMapDataset(self, map_func, num_parallel_calls, use_legacy_function=True))

    @deprecated(None, "Use `tf.data.Dataset.filter()")
    def filter_with_legacy_function(self, predicate: Callable[..., Any]) -> Any:
        """Keeps the elements for which a function is true, as `filter` did in earlier versions.

        Args:
          predicate: as in `filter`.

        Returns:
          Dataset.
        """
        return DatasetV1Adapter(FilterDataset(self, predicate, use_legacy_function=True))

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """See `DatasetV2.apply`."""
        dataset = super().apply(transformation_func)
        return dataset if isinstance(dataset, DatasetV1) else DatasetV1Adapter(dataset)


class DatasetV1Adapter(Adapter, DatasetV1):
    """A dataset with the methods of `DatasetV1` that has the elements of another one."""

    def __init__(self, dataset: DatasetBase) -> None:
        self._dataset = dataset
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return self._dataset._variant_tensor


@tf_export("data.make_one_shot_iterator")
@called_by_users
def make_one_shot_iterator(dataset: Any) -> Any:
    """Creates an iterator that starts by itself. The dataset may not depend on variables, tables or placeholders.

    Args:
      dataset: Dataset.

    Returns:
      `tf.data.Iterator`.

    Raises:
      ValueError: if the dataset depends on such state.
    """
    return _with_iterators(dataset)._make_one_shot_iterator()


@tf_export("data.make_initializable_iterator")
def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """Creates an iterator that starts when its `initializer` runs.

    Args:
      dataset: Dataset.
      shared_name: str, name by which sessions share the iterator; None means that it is not shared.

    Returns:
      `tf.data.Iterator`.

    Raises:
      RuntimeError: in eager execution.
    """
    return _with_iterators(dataset)._make_initializable_iterator(shared_name)


def _with_iterators(dataset: Any) -> Any:
    return dataset if hasattr(dataset, "_make_one_shot_iterator") else DatasetV1Adapter(dataset)
