"""`tf.data.experimental.Optional`: an element that there may be none of."""

from __future__ import annotations

import abc
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.encodings import Encoding, OfSpecs, encoding_of
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes


@tf_export("data.experimental.Optional")
class Optional(CompositeTensor, metaclass=abc.ABCMeta):
    """An element of known structure, or none.

    Example:
      optional = tf.data.experimental.Optional.from_value(tf.constant(3))
      value = tf.cond(optional.has_value(), optional.get_value, lambda: tf.constant(0))
    """

    @abc.abstractmethod
    def has_value(self, name: str | None = None) -> Any:
        """Whether there is an element.

        Args:
          name: str, name of the operation.

        Returns:
          Scalar bool Tensor.
        """

    @abc.abstractmethod
    def get_value(self, name: str | None = None) -> Any:
        """The element.

        Args:
          name: str, name of the operation.

        Returns:
          Nested structure of tensors.

        Raises:
          InvalidArgumentError: at run time, if there is no element.
        """

    @property
    @abc.abstractmethod
    def value_structure(self) -> Any:
        """The specification of the element: a nested structure of TypeSpecs."""

    @staticmethod
    def from_value(value: Any) -> Optional:
        """Wraps an element.

        Args:
          value: nested structure of tensors.

        Returns:
          Optional.
        """
        with name_scope("optional") as scope:
            with name_scope("value"):
                spec = structure.type_spec_from_value(value)
                tensors = structure.to_tensor_list(spec, value)
        return _OptionalImpl(gen_ops.optional_from_value(tensors, name=scope), spec)

    @staticmethod
    def none_from_structure(value_structure: Any) -> Optional:
        """No element.

        Args:
          value_structure: nested structure of TypeSpecs, what an element would be.

        Returns:
          Optional.
        """
        return _OptionalImpl(gen_ops.optional_none(), value_structure)


class _OptionalImpl(Optional):
    """An optional in a variant tensor."""

    def __init__(self, variant_tensor: Any, value_structure: Any) -> None:
        self._variant_tensor = variant_tensor
        self._value_structure = value_structure

    def has_value(self, name: str | None = None) -> Any:
        """See `Optional.has_value`."""
        return gen_ops.optional_has_value(self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        """See `Optional.get_value`."""
        spec = self._value_structure
        with name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            tensors = gen_ops.optional_get_value(self._variant_tensor, name=scope, **structure.flat_structure(spec))
            return structure.from_tensor_list(spec, tensors)

    @property
    def value_structure(self) -> Any:
        """See `Optional.value_structure`."""
        return self._value_structure

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._value_structure)


@tf_export("OptionalSpec", "data.experimental.OptionalStructure")
class OptionalSpec(TypeSpec):
    """Describes optionals by their elements. Immutable.

    Args:
      value_structure: nested structure of TypeSpecs.
    """

    __slots__ = ("_value_structure",)

    def __init__(self, value_structure: Any) -> None:
        self._value_structure = value_structure

    @staticmethod
    def from_value(value: Any) -> OptionalSpec:
        """The specification of an optional.

        Args:
          value: Optional.

        Returns:
          OptionalSpec.
        """
        return OptionalSpec(value.value_structure)

    @property
    def value_type(self) -> type:
        """The class of optionals."""
        return _OptionalImpl

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec((), dtypes.variant)]

    def _to_components(self, value: Any) -> list[Any]:
        return [value._variant_tensor]

    def _from_components(self, components: Any) -> Optional:
        return _OptionalImpl(components[0], self._value_structure)

    def _serialize(self) -> tuple[Any, ...]:
        return (self._value_structure,)


_OPTIONALS = OfSpecs()


@encoding_of.register(OptionalSpec)
def _of_optionals(spec: OptionalSpec) -> Encoding:
    return _OPTIONALS


@tf_export("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Any) -> Optional:
    """Takes the next element of an iterator, if there is one.

    Args:
      iterator: `tf.data.Iterator`.

    Returns:
      `tf.data.experimental.Optional` without a value at the end, instead of an OutOfRangeError.
    """
    spec = iterator.element_spec
    optional = gen_ops.iterator_get_next_as_optional(iterator._iterator_resource, **structure.flat_structure(spec))
    return _OptionalImpl(optional, spec)
