"""Composite tensors, such as `SparseTensor`, and their specifications as lists of components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec


def is_composite(value: Any) -> bool:
    """Whether `value` is a composite tensor."""
    return isinstance(value, CompositeTensor)


def has_parts(value: Any) -> bool:
    """Whether `value` is a composite tensor, or the specification of one."""
    return isinstance(value, (CompositeTensor, TypeSpec)) and not isinstance(value, TensorSpec)


def parts_of(value: Any) -> list[Any]:
    """The component tensors of a composite tensor, or the TensorSpecs of a specification of one; any other value is its
    own only component."""
    if isinstance(value, SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if isinstance(value, IndexedSlices):
        parts = [value.values, value.indices]
        return parts if value.dense_shape is None else [*parts, value.dense_shape]
    return list(_leaves(components_of(value))) if has_parts(value) else [value]


def components_of(value: Any) -> Any:
    """The components of a composite tensor, or of a specification of one, in their structure."""
    return value._component_specs if isinstance(value, TypeSpec) else value._type_spec._to_components(value)


def with_parts(value: Any, parts: list[Any]) -> Any:
    """A composite tensor of the same class as `value`, or of the specification `value`, with other components."""
    if isinstance(value, SparseTensor):
        return SparseTensor(*parts)
    if isinstance(value, IndexedSlices):
        return IndexedSlices(*parts)
    return _packed(spec_of(value), iter(parts)) if has_parts(value) else parts[0]


def spec_of(value: Any) -> Any:
    """The specification of a composite tensor; other values, such as specifications, are returned unchanged."""
    return value._type_spec if isinstance(value, CompositeTensor) else value  # type: ignore[attr-defined]


def _leaves(components: Any) -> Iterator[Any]:
    if isinstance(components, (tuple, list)):
        for component in components:
            yield from _leaves(component)
    elif isinstance(components, dict):
        for key in sorted(components):
            yield from _leaves(components[key])
    else:
        yield from parts_of(components)


def _packed(specs: Any, parts: Iterator[Any]) -> Any:
    """Returns the nested structure of `specs` with the values that consist of the next tensors."""
    if isinstance(specs, TensorSpec):
        return next(parts)
    if isinstance(specs, TypeSpec):
        return specs._from_components(_packed(specs._component_specs, parts))
    if isinstance(specs, dict):
        return {key: _packed(specs[key], parts) for key in sorted(specs)}
    return type(specs)([_packed(spec, parts) for spec in specs])


def are_alike(one: Any, other: Any) -> bool:
    """Whether one composite tensor can replace the other: class and component types agree; shapes are ignored."""
    if isinstance(one, (SparseTensor, IndexedSlices)) and is_composite(other):
        return type(one) is type(other) and _types(one) == _types(other)
    try:
        spec_of(one).most_specific_compatible_type(spec_of(other))
    except (TypeError, ValueError):
        return False
    return True


def _types(value: Any) -> list[Any]:
    return [part.dtype for part in parts_of(value)]


def spec_text(value: Any) -> str:
    """The type specification of a composite tensor in the form of TensorFlow's messages."""
    spec = spec_of(value)
    return f"type={type(spec).__name__} str={spec}"
