"""`TypeSpec`: describes the type of a value of a graph; `TensorSpec` describes tensors."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape


@tf_export("TypeSpec")
class TypeSpec(metaclass=abc.ABCMeta):
    """Describes values of a type: which class they have, and of which tensors they consist. Immutable.

    A subclass defines the abstract members; `_serialize` returns the arguments of its constructor, a tuple of shapes,
    dtypes, specifications, numbers, strings, None, arrays, tuples and dicts. Equality, hashes and compatibility follow
    from that.
    """

    __slots__ = ()

    @property
    @abc.abstractmethod
    def value_type(self) -> type:
        """The class of the values."""

    @property
    @abc.abstractmethod
    def _component_specs(self) -> Any:
        """The specifications of the components, in the structure of `_to_components`."""

    @abc.abstractmethod
    def _to_components(self, value: Any) -> Any:
        """Returns the component tensors of a value, in a nested structure."""

    @abc.abstractmethod
    def _from_components(self, components: Any) -> Any:
        """Returns the value that consists of the given components."""

    @abc.abstractmethod
    def _serialize(self) -> tuple[Any, ...]:
        """Returns the arguments of the constructor from which `_deserialize` restores the specification."""

    @classmethod
    def _deserialize(cls, serialization: tuple[Any, ...]) -> Any:
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value can have both this specification and the other one, or that of the given value.

        Args:
          spec_or_value: TypeSpec, or a value that has one; other values are converted to tensors.

        Returns:
          bool.

        Raises:
          TypeError: if a value cannot be described.
        """
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and _are_compatible(self._serialize(), other._serialize())

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The most specific specification that is compatible with both.

        Args:
          other: TypeSpec of the same class.

        Returns:
          TypeSpec.

        Raises:
          ValueError: if there is none.
        """
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self._deserialize(_most_specific(self._serialize(), other._serialize()))

    def _identity(self) -> Any:
        return _comparable(self._serialize(), type(self).__name__)

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and bool(self._identity() == other._identity())

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), self._identity()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._deserialize, (self._serialize(),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


class BatchableTypeSpec(TypeSpec):
    """A specification of values of which several can be joined along a new first dimension."""

    __slots__ = ()

    @abc.abstractmethod
    def _batch(self, batch_size: int | None) -> Any:
        """Returns the specification of batches of this many values; None stands for any number."""

    @abc.abstractmethod
    def _unbatch(self) -> Any:
        """Returns the specification of the values in a batch."""


@tf_export("TensorSpec")
class TensorSpec(BatchableTypeSpec):
    """Describes tensors by shape and element type. Immutable.

    Args:
      shape: TensorShape or a value that it accepts.
      dtype: element type.
      name: str or None.

    Raises:
      TypeError: if `dtype` is not a type.
    """

    __slots__ = ("_shape", "_dtype", "_name")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """Copies a specification.

        Args:
          spec: TensorSpec.
          name: str, name of the copy; None means the name of `spec`.

        Returns:
          TensorSpec.
        """
        return TensorSpec(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The specification of an existing tensor.

        Args:
          tensor: Tensor.
          name: str; None means the name of the tensor's operation, which only graph tensors have.

        Returns:
          TensorSpec.

        Raises:
          ValueError: if `tensor` is not a tensor.
        """
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        if is_graph_tensor(tensor):
            name = name or tensor.op.name
        return TensorSpec(tensor.shape, tensor.dtype, name)

    @property
    def shape(self) -> TensorShape:
        """The TensorShape."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The element type, a DType."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    @property
    def value_type(self) -> type:
        """The class Tensor."""
        return Tensor

    @property
    def is_discrete(self) -> bool:
        """Whether the element type is an integer type."""
        return self._dtype.is_integer

    @property
    def is_continuous(self) -> bool:
        """Whether the element type is a floating-point type."""
        return self._dtype.is_floating

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether the type and shape of a tensor or specification are compatible with this one. Names do not matter.

        Args:
          spec_or_tensor: TensorSpec or Tensor; other values are not compatible.

        Returns:
          bool.
        """
        return (
            isinstance(spec_or_tensor, (TensorSpec, Tensor))
            and self._dtype.is_compatible_with(spec_or_tensor.dtype)
            and self._shape.is_compatible_with(spec_or_tensor.shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The most specific specification that is compatible with both; it has a name if both have that name.

        Args:
          other: TensorSpec.

        Returns:
          TensorSpec.

        Raises:
          ValueError: if the types differ.
        """
        if not isinstance(other, TensorSpec) or self._dtype != other._dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other._name else None)

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Tensor:
        """Converts a value to a tensor. Raises ValueError if that does not have this type and shape."""
        from tinytf._src.framework.tensors.conversion import convert_to_tensor

        try:
            tensor = convert_to_tensor(value, self._dtype)
        except (TypeError, ValueError):
            tensor = None
        if tensor is None or not tensor.shape.is_compatible_with(self._shape):
            raise ValueError(
                f"Value {value!r} is not convertible to a tensor with dtype {self._dtype} and shape {self._shape}."
            )
        return tensor

    def _from_components(self, components: Any) -> Any:
        return components

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TensorSpec:
        return TensorSpec(without_first_dimension(self._shape), self._dtype)

    def _identity(self) -> tuple[Any, ...]:
        return self._shape._dims, self._dtype, self._name

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


def type_spec_from_value(value: Any) -> TypeSpec:
    """Returns the specification of a tensor or of a value with a `_type_spec`; others are converted to tensors.

    Raises TypeError if that fails.
    """
    spec = _own_spec(value)
    if spec is None:
        from tinytf._src.framework.tensors.conversion import convert_to_tensor

        try:
            spec = _own_spec(convert_to_tensor(value))
        except (TypeError, ValueError):
            pass
    if spec is None:
        raise TypeError(f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}")
    return spec


def _own_spec(value: Any) -> TypeSpec | None:
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    spec = getattr(value, "_type_spec", None)
    return spec if isinstance(spec, TypeSpec) else None


def without_first_dimension(shape: TensorShape) -> TensorShape:
    """Returns the shape of the values in a batch. Raises ValueError for scalars."""
    if shape.ndims == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return shape[1:]


def _are_compatible(one: Any, other: Any) -> bool:
    """Whether two serialized specifications are compatible."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_are_compatible, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_are_compatible(one[key], other[key]) for key in one)
    if isinstance(one, (TypeSpec, TensorShape, DType)):
        return one.is_compatible_with(other)
    return bool(one == other)


def _most_specific(one: Any, other: Any) -> Any:
    """Returns the most specific serialized specification that is compatible with both. Raises ValueError."""
    assert not isinstance(one, list), "_serialize() should not return list values."
    if type(one) is type(other):
        if isinstance(one, tuple) and len(one) == len(other):
            return tuple(map(_most_specific, one, other))
        if isinstance(one, dict) and one.keys() == other.keys():
            return {key: _most_specific(value, other[key]) for key, value in one.items()}
        if isinstance(one, TensorShape):
            return one.most_specific_compatible_shape(other)
        if isinstance(one, TypeSpec):
            return one.most_specific_compatible_type(other)
        if not isinstance(one, (tuple, dict)) and one == other:
            return one
    raise ValueError(f"Types are not compatible: {one!r} vs {other!r}")


_PLAIN = (type(None), bool, int, float, str, bytes)


def _comparable(value: Any, owner: str) -> Any:
    """Returns a hashable value that equals that of another serialized specification if both are equal."""
    if isinstance(value, TensorShape):
        return TensorShape, value._dims
    if isinstance(value, (*_PLAIN, DType, TypeSpec)):
        return value
    if isinstance(value, tuple):
        return tuple, tuple(_comparable(item, owner) for item in value)
    if isinstance(value, dict):
        return dict, tuple((key, _comparable(value[key], owner)) for key in sorted(value))
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, tuple(value.ravel().tolist())
    raise ValueError(f"Unsupported value type {type(value).__name__} returned by {owner}._serialize")
