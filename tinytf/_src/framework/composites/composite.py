"""Composite tensors, which consist of several tensors: `SparseTensor` and `IndexedSlices`."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor


def is_composite(value: Any) -> bool:
    """Whether `value` is a composite tensor."""
    return isinstance(value, (SparseTensor, IndexedSlices))


def parts_of(value: Any) -> list[Any]:
    """The component tensors of a composite tensor; any other value is its own only component."""
    if isinstance(value, SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if isinstance(value, IndexedSlices):
        parts = [value.values, value.indices]
        return parts if value.dense_shape is None else [*parts, value.dense_shape]
    return [value]


def with_parts(value: Any, parts: list[Any]) -> Any:
    """A composite tensor of the same class as `value` with other components."""
    if isinstance(value, SparseTensor):
        return SparseTensor(*parts)
    if isinstance(value, IndexedSlices):
        return IndexedSlices(*parts)
    return parts[0]


def are_alike(one: Any, other: Any) -> bool:
    """Whether one composite tensor can replace the other: class and component types agree; shapes are ignored."""
    return type(one) is type(other) and _types(one) == _types(other)


def _types(value: Any) -> list[Any]:
    return [part.dtype for part in parts_of(value)]


def spec_text(value: Any) -> str:
    """The type specification of a composite tensor in the form of TensorFlow's messages."""
    return f"type={type(value._type_spec).__name__} str={value._type_spec}"
