"""`DatasetSpec`: describes datasets that are values themselves, for example elements of other datasets."""

from __future__ import annotations

from typing import Any

from tinytf._src.data.encodings import Encoding, OfSpecs, encoding_of
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.type_spec import BatchableTypeSpec, TensorSpec
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape

_Class = type[Any]
_datasets: list[_Class] = []


def dataset_of_variants(cls: _Class) -> _Class:
    """Class decorator for the class of datasets that a variant and the specification of elements define. It is set by
    the module of datasets, which depends on this one."""
    _datasets[:] = [cls]
    return cls


class DatasetSpec(BatchableTypeSpec):
    """Describes datasets by their elements. Immutable.

    Args:
      element_spec: nested structure of TypeSpecs, of the elements.
      dataset_shape: shape of a tensor of several such datasets; that of a dataset is `()`.
    """

    __slots__ = ("_element_spec", "_dataset_shape")

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self._dataset_shape = as_shape(dataset_shape)

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """The specification of a dataset.

        Args:
          value: dataset.

        Returns:
          DatasetSpec.
        """
        return DatasetSpec(value.element_spec)

    @property
    def value_type(self) -> type:
        """The class of the datasets that values become."""
        return _datasets[0]

    @property
    def _component_specs(self) -> TensorSpec:
        return TensorSpec(self._dataset_shape, dtypes.variant)

    def _to_components(self, value: Any) -> Any:
        return value._variant_tensor

    def _from_components(self, components: Any) -> Any:
        """Returns the dataset; for a tensor of several, an object that can be taken apart again."""
        if self._dataset_shape.ndims == 0:
            return _datasets[0](components, self._element_spec)
        return NestedVariant(components, self._element_spec, self._dataset_shape)

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_spec, self._dataset_shape

    def _batch(self, batch_size: int | None) -> DatasetSpec:
        return DatasetSpec(self._element_spec, TensorShape([batch_size]).concatenate(self._dataset_shape))

    def _unbatch(self) -> DatasetSpec:
        self._check_rank()
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    def _check_rank(self) -> None:
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")


class NestedVariant(CompositeTensor):
    """A tensor of several datasets."""

    def __init__(self, variant_tensor: Any, element_spec: Any, dataset_shape: TensorShape) -> None:
        self._variant_tensor = variant_tensor
        self._element_spec = element_spec
        self._dataset_shape = dataset_shape

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self._element_spec, self._dataset_shape)


class _Datasets(OfSpecs):
    def tensors(self, spec: DatasetSpec, value: Any) -> list[Any]:
        return [convert_to_tensor(nest.map_structure(lambda dataset: dataset._variant_tensor, value))]

    def batched_tensors(self, spec: DatasetSpec, value: Any) -> list[Any]:
        spec._check_rank()
        return self.tensors(spec, value)


_DATASETS = _Datasets()


@encoding_of.register(DatasetSpec)
def _of_datasets(spec: DatasetSpec) -> Encoding:
    return _DATASETS
