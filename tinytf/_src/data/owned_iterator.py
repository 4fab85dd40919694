"""`IteratorV2`: an iterator that Python's `for` uses; its resource ends with the object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.applied_options import with_options_applied
from tinytf._src.data.folds import folded_iterator
from tinytf._src.data.iterator_state import saveables_of
from tinytf._src.data.iterators import colocated_with, on_some_device
from tinytf._src.data.owned_resource import OwnedResource
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.errors_impl import OutOfRangeError
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.platform.deprecation import deprecated


class IteratorV2(Trackable, CompositeTensor):
    """An iterator over the elements of a dataset, for eager execution and for functions that are being traced."""

    def __init__(self, dataset: Any = None, components: Any = None, element_spec: Any = None) -> None:
        """Starts an iterator.

        Args:
          dataset: the dataset.
          components: without `dataset`: the tensors of an existing iterator, its resource and deleter.
          element_spec: without `dataset`: the specification of the elements.

        Raises:
          ValueError: unless either the dataset or both others are given.
        """
        if (dataset is None) != (components is not None and element_spec is not None):
            raise ValueError("Either `dataset` or both `components` and `element_spec` need to be provided.")
        if dataset is None:
            self._element_spec = element_spec
            self._iterator_resource, self._deleter = components
        else:
            self._dataset = dataset  # Owns the functions that the pipeline calls.
            with on_some_device():
                self._start(with_options_applied(dataset))
        # A function does not end the iterators that it gets as arguments.
        if dataset is not None or is_eager_tensor(self._iterator_resource):
            self._resource_deleter = OwnedResource(self._iterator_resource, self._deleter, "DeleteIterator")

    def _start(self, dataset: Any) -> None:
        self._element_spec = dataset.element_spec
        variant = dataset._variant_tensor
        with colocated_with(variant):
            attrs = structure.flat_structure(self._element_spec)
            self._iterator_resource, self._deleter = gen_ops.anonymous_iterator_v2(**attrs)
            gen_ops.make_iterator(variant, self._iterator_resource)

    def __iter__(self) -> IteratorV2:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """The next element.

        Returns:
          Nested structure of tensors.

        Raises:
          StopIteration: if there is none.
        """
        try:
            return self._next()
        except OutOfRangeError:
            raise StopIteration from None

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Args:
          name: ignored.

        Returns:
          Nested structure of tensors.

        Raises:
          OutOfRangeError: if there is none.
        """
        return self._next()

    def _next(self) -> Any:
        attrs = structure.flat_structure(self._element_spec)
        yielded = gen_ops.iterator_get_next_sync if executing_eagerly() else gen_ops.iterator_get_next
        return structure.from_compatible_tensor_list(self._element_spec, yielded(self._iterator_resource, **attrs))

    _fold_keeps_shapes = True

    def _fold(self, start: Any, step: Callable[..., Any], goes_on: Callable[..., Any] | None) -> Any:
        """See `Foldable` of AutoGraph, which builds loops over iterators with it."""
        return folded_iterator(self, start, step, goes_on)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(iterator)`.")
    def output_classes(self) -> Any:
        """The classes of the values of an element, in its structure."""
        return structure.legacy_classes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(iterator)`.")
    def output_shapes(self) -> Any:
        """The shapes of the values of an element, in its structure."""
        return structure.legacy_shapes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(iterator)`.")
    def output_types(self) -> Any:
        """The types of the values of an element, in its structure."""
        return structure.legacy_types(self._element_spec)

    @property
    def element_spec(self) -> Any:
        """The specification of an element: a nested structure of TypeSpecs."""
        return self._element_spec

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self._element_spec)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return saveables_of(self._iterator_resource)


class IteratorSpec(TypeSpec):
    """Describes iterators by their elements. Immutable.

    Args:
      element_spec: nested structure of TypeSpecs.
    """

    __slots__ = ("_element_spec",)

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    @staticmethod
    def from_value(value: Any) -> IteratorSpec:
        """The specification of an iterator.

        Args:
          value: IteratorV2.

        Returns:
          IteratorSpec.
        """
        return IteratorSpec(value.element_spec)

    @property
    def value_type(self) -> type:
        """The class IteratorV2."""
        return IteratorV2

    @property
    def _component_specs(self) -> tuple[TensorSpec, TensorSpec]:
        return TensorSpec([], dtypes.resource), TensorSpec([], dtypes.variant)

    def _to_components(self, value: Any) -> tuple[Any, Any]:
        return value._iterator_resource, value._deleter

    def _from_components(self, components: Any) -> IteratorV2:
        return IteratorV2(components=components, element_spec=self._element_spec)

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element_spec,)
