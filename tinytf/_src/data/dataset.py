"""`DatasetV2`: the datasets of programs, and base classes for datasets that are defined elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data.base import DatasetBase
from tinytf._src.data.dataset_spec import DatasetSpec as DatasetSpec
from tinytf._src.data.dataset_spec import dataset_of_variants
from tinytf._src.data.element_methods import ElementMethods
from tinytf._src.data.kinds.files import buffer_size_of, matching_files
from tinytf._src.data.kinds.generator import ElementsOfGenerator
from tinytf._src.data.kinds.several import ZipDataset
from tinytf._src.data.kinds.tensors import RangeDataset, TensorDataset, TensorSliceDataset
from tinytf._src.data.owned_iterator import IteratorV2
from tinytf._src.exports import named, tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.scopes.name_scope import name_scope

tf_export("data.DatasetSpec", "data.experimental.DatasetStructure").constant(__name__, "DatasetSpec")


@tf_export("compat.v2.data.Dataset")
class DatasetV2(ElementMethods):
    """A sequence of elements, each a nested structure of tensors.

    Datasets are made of tensors, files and generators by static methods, and of other datasets by methods. Making one
    computes nothing: elements are computed when an iterator asks for them.

    Example:
      dataset = tf.data.Dataset.from_tensor_slices([3, 1, 2]).map(lambda x: x * 2).batch(2)
    """

    def _made(self, dataset: DatasetBase) -> Any:
        """Returns a dataset with these methods that has the elements of the given one."""
        return DatasetV2Adapter(dataset)

    def __iter__(self) -> IteratorV2:
        if not executing_eagerly() and not get_default_graph().building_function:
            raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")
        return IteratorV2(self)

    @staticmethod
    def from_tensors(tensors: Any) -> Any:
        """A dataset of one element.

        Args:
          tensors: nested structure of tensors; lists become tensors.

        Returns:
          Dataset.
        """
        return DatasetV2Adapter(TensorDataset(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Any:
        """A dataset of the slices of tensors along their first dimension.

        Args:
          tensors: nested structure of tensors of rank 1 or more, with equal first dimensions; lists become tensors.

        Returns:
          Dataset.

        Raises:
          ValueError: if a tensor is a scalar, or if the dimensions differ.
        """
        return DatasetV2Adapter(TensorSliceDataset(tensors))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any], output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> Any:
        """A dataset of what a generator yields. Each iterator runs a generator of its own, in this process.

        Args:
          generator: callable that takes arrays and returns an iterable.
          output_types: nested structure of the DTypes of an element.
          output_shapes: the same of TensorShapes; None means any shapes.
          args: sequence of tensors whose values are passed to `generator`.

        Returns:
          Dataset.

        Raises:
          TypeError: if `generator` is not callable.
        """
        elements = ElementsOfGenerator(generator, output_types, output_shapes, args)
        return DatasetV2.from_tensors(0).flat_map(elements.flat_map_fn())

    @staticmethod
    def range(*args: Any) -> Any:
        """A dataset of numbers of type int64, like Python's `range`.

        Args:
          *args: `stop`, or `start, stop`, or `start, stop, step`: ints or int64 tensors.

        Returns:
          Dataset.

        Raises:
          ValueError: for another number of arguments.
        """
        return DatasetV2Adapter(RangeDataset(*args))

    @staticmethod
    def zip(datasets: Any) -> Any:
        """A dataset whose elements have one element of each of several datasets; it ends with the shortest one.

        Args:
          datasets: nested structure of datasets: tuples and dicts.

        Returns:
          Dataset with elements of that structure.

        Raises:
          TypeError: if there is anything but datasets in the structure.
        """
        return DatasetV2Adapter(ZipDataset(datasets))

    @staticmethod
    def list_files(file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Any:
        """A dataset of the names of the files that match a pattern. It fails with InvalidArgumentError when it is run
        if there are none.

        Args:
          file_pattern: string, string tensor or list of strings, such as "/data/*.txt".
          shuffle: bool, whether names come in random order; None means True. Otherwise they are sorted.
          seed: int, the seed of the order.

        Returns:
          Dataset of scalar strings.
        """
        return listed_files(DatasetV2, file_pattern, shuffle, seed)


class Adapter:
    """Mixin of datasets that have the elements of another one, which lacks the methods of users."""

    _dataset: Any

    @property
    def element_spec(self) -> Any:
        """The specification of an element: a nested structure of TypeSpecs."""
        return self._dataset.element_spec

    def options(self) -> Any:
        """The options of the dataset.

        Returns:
          `tf.data.Options`.
        """
        return self._dataset.options()

    def _inputs(self) -> list[Any]:
        inputs: list[Any] = self._dataset._inputs()
        return inputs

    def _functions(self) -> list[Any]:
        functions: list[Any] = self._dataset._functions()
        return functions

    def _has_captured_ref(self) -> bool:
        return bool(self._dataset._has_captured_ref())


class DatasetV2Adapter(Adapter, DatasetV2):
    """A dataset with the methods of users."""

    def __init__(self, dataset: DatasetBase) -> None:
        self._dataset = dataset
        super().__init__(dataset._variant_tensor)

    def __repr__(self) -> str:
        return repr(self._dataset)


class DatasetSource(DatasetV2):
    """Base class of datasets that are not made of others."""

    def _inputs(self) -> list[Any]:
        return []


class UnaryDataset(DatasetV2):
    """Base class of datasets that are made of one other."""

    def __init__(self, input_dataset: Any, variant_tensor: Any) -> None:
        self._input_dataset = input_dataset
        super().__init__(variant_tensor)

    def _inputs(self) -> list[Any]:
        return [self._input_dataset]


class UnaryUnchangedStructureDataset(UnaryDataset):
    """Base class of datasets that are made of one other and have elements of its structure."""

    @property
    def element_spec(self) -> Any:
        """The specification of the other dataset's elements."""
        return self._input_dataset.element_spec


@dataset_of_variants
@named("_VariantDataset")
class VariantDataset(DatasetV2):
    """A dataset given by its variant tensor and the specification of its elements."""

    def __init__(self, dataset_variant: Any, structure: Any) -> None:
        self._structure = structure
        super().__init__(dataset_variant)

    def _inputs(self) -> list[Any]:
        return []

    @property
    def element_spec(self) -> Any:
        """The given specification."""
        return self._structure


def listed_files(kind: Any, file_pattern: Any, shuffle: bool | None, seed: int | None) -> Any:
    """See `DatasetV2.list_files`; returns a dataset of the class `kind`."""
    with name_scope("list_files"):
        files = matching_files(file_pattern)
        dataset = kind.from_tensor_slices(files)
        return dataset if shuffle is False else dataset.shuffle(buffer_size_of(files), seed=seed)


@tf_export("data.experimental.from_variant")
def from_variant(variant: Any, structure: Any) -> Any:
    """Makes a dataset of its variant tensor.

    Args:
      variant: scalar variant Tensor, from `to_variant`.
      structure: nested structure of TypeSpecs, the specification of an element.

    Returns:
      Dataset.
    """
    return VariantDataset(variant, structure)


@tf_export("data.experimental.to_variant")
def to_variant(dataset: Any) -> Any:
    """The variant tensor of a dataset.

    Args:
      dataset: Dataset.

    Returns:
      Scalar variant Tensor.
    """
    return dataset._variant_tensor
