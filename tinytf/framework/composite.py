"""Composite tensors, which are made of several: `SparseTensor` and `IndexedSlices`."""

from __future__ import annotations

from typing import Any

from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.sparse_tensor import SparseTensor


def is_composite(value: Any) -> bool:
    """Whether `value` is made of several tensors."""
    return isinstance(value, (SparseTensor, IndexedSlices))


def parts_of(value: Any) -> list[Any]:
    """The tensors of a composite; what is none is its only part."""
    if isinstance(value, SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if isinstance(value, IndexedSlices):
        parts = [value.values, value.indices]
        return parts if value.dense_shape is None else [*parts, value.dense_shape]
    return [value]


def with_parts(value: Any, parts: list[Any]) -> Any:
    """A composite like `value` of other tensors."""
    if isinstance(value, SparseTensor):
        return SparseTensor(*parts)
    if isinstance(value, IndexedSlices):
        return IndexedSlices(*parts)
    return parts[0]


def are_alike(one: Any, other: Any) -> bool:
    """Whether one composite may stand for the other: class and types agree; shapes may be any."""
    return type(one) is type(other) and _types(one) == _types(other)


def _types(value: Any) -> list[Any]:
    return [part.dtype for part in parts_of(value)]


def spec_text(value: Any) -> str:
    """How TensorFlow's messages tell what a composite looks like."""
    shape = value.shape if isinstance(value, SparseTensor) else value.values.shape
    name = f"{type(value).__name__}Spec"
    return f"type={name} str={name}({shape!r}, {value.values.dtype!r})"
