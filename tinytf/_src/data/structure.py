"""Specifications of nested elements, and the conversion between elements and lists of tensors."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._src.data import nest
from tinytf._src.data.encodings import check_tensors, encoding_of
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorSpec
from tinytf._src.framework.composites.type_spec import BatchableTypeSpec, TensorSpec, TypeSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray, TensorArraySpec


def type_spec_from_value(element: Any, use_fallback: bool = True) -> Any:
    """Returns the specification of a nested element.

    Args:
      element: tuples, named tuples and dicts of tensors, composite tensors, arrays, datasets and values that become
        tensors. A list is one tensor.
      use_fallback: whether values without a specification are converted to tensors.

    Returns:
      A structure like `element`, of TypeSpecs.

    Raises:
      TypeError: if a value cannot be converted, or with `use_fallback` off has no specification.
    """
    spec = _spec_of(element)
    if spec is not None:
        return spec
    if isinstance(element, dict):
        result = element.copy()
        for key in element:
            result[key] = type_spec_from_value(element[key])
        return result
    if isinstance(element, tuple):
        specs = [type_spec_from_value(value) for value in element]
        return type(element)(*specs) if _is_namedtuple(element) else tuple(specs)
    if use_fallback:
        try:
            return _spec_of(convert_to_tensor(element))
        except (ValueError, TypeError):
            pass
    raise TypeError(f"Could not build a TypeSpec for {element!r} with type {type(element).__name__}")


def _is_namedtuple(value: tuple[Any, ...]) -> bool:
    fields = getattr(value, "_fields", None)
    return isinstance(fields, collections.abc.Sequence) and all(isinstance(field, str) for field in fields)


def _spec_of(value: Any) -> Any:
    """Returns the specification of a value that needs no conversion; None for others."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    spec = getattr(value, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return spec
    if isinstance(value, list) and value:
        return _spec_of_list(value)
    if type(value) is np.ndarray:
        return TensorSpec(value.shape, value.dtype)
    return None


def _spec_of_list(values: list[Any]) -> Any:
    specs = [_spec_of(value) for value in values]
    if not isinstance(specs[0], BatchableTypeSpec):
        return None
    merged: Any = specs[0]
    try:
        for spec in specs[1:]:
            merged = merged.most_specific_compatible_type(spec)
        return merged._batch(len(specs))
    except (ValueError, TypeError):
        return None


def normalize_element(element: Any) -> Any:
    """Returns a nested element whose values are tensors, composite tensors or datasets; others are converted, in a name
    scope `normalize_element`."""
    with name_scope("normalize_element"):
        values = [_normalized(value, f"component_{i}") for i, value in enumerate(nest.flatten(element))]
    return nest.pack_sequence_as(element, values)


def _normalized(value: Any, name: str) -> Any:
    try:
        spec = type_spec_from_value(value, use_fallback=False)
    except TypeError:
        return convert_to_tensor(value, name=name)
    if isinstance(spec, SparseTensorSpec):
        return SparseTensor.from_value(value)
    if isinstance(spec, TensorSpec):
        return convert_to_tensor(value, name=name)
    return value


def convert_legacy_structure(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """Returns the specifications of elements that are given by their types, shapes and classes.

    Args:
      output_types: nested structure of DTypes, or of TypeSpecs for values that have only these.
      output_shapes: the same of TensorShapes.
      output_classes: the same of classes.

    Returns:
      A structure like `output_classes`, of TypeSpecs.

    Raises:
      TypeError: for classes that no specification describes.
    """
    flat = zip(nest.flatten(output_types), nest.flatten(output_shapes), nest.flatten(output_classes))
    return nest.pack_sequence_as(output_classes, [_from_legacy(*leaf) for leaf in flat])


def _from_legacy(kind: Any, shape: Any, cls: Any) -> Any:
    if isinstance(cls, TypeSpec):
        return cls
    if issubclass(cls, SparseTensor):
        return SparseTensorSpec(shape, kind)
    if issubclass(cls, Tensor):
        return TensorSpec(shape, kind)
    if issubclass(cls, TensorArray):
        dynamic_size, infer_shape = (bool(size) for size in shape.as_list()[:2])
        return TensorArraySpec(shape[2:], kind, dynamic_size, infer_shape)
    raise TypeError(f"Could not build a structure for output class {cls!r}")


def legacy_types(element_spec: Any) -> Any:
    """Returns the DTypes of an element, in its structure."""
    return nest.map_structure(lambda spec: encoding_of(spec).legacy_type(spec), element_spec)


def legacy_shapes(element_spec: Any) -> Any:
    """Returns the TensorShapes of an element, in its structure."""
    return nest.map_structure(lambda spec: encoding_of(spec).legacy_shape(spec), element_spec)


def legacy_classes(element_spec: Any) -> Any:
    """Returns the classes of the values of an element, in its structure."""
    return nest.map_structure(lambda spec: encoding_of(spec).legacy_class(spec), element_spec)


def get_flat_tensor_specs(element_spec: Any) -> list[TensorSpec]:
    """Returns the specifications of the tensors that encode an element."""
    return [flat for spec in nest.flatten(element_spec) for flat in encoding_of(spec).flat_specs(spec)]


def get_flat_tensor_shapes(element_spec: Any) -> list[Any]:
    """Returns the shapes of the tensors that encode an element."""
    return [spec.shape for spec in get_flat_tensor_specs(element_spec)]


def get_flat_tensor_types(element_spec: Any) -> list[Any]:
    """Returns the dtypes of the tensors that encode an element."""
    return [spec.dtype for spec in get_flat_tensor_specs(element_spec)]


def flat_structure(element_spec: Any) -> dict[str, Any]:
    """Returns the attrs of operations that yield such elements."""
    return {
        "output_shapes": get_flat_tensor_shapes(element_spec),
        "output_types": get_flat_tensor_types(element_spec),
    }


def to_tensor_list(element_spec: Any, element: Any) -> list[Any]:
    """Returns the tensors that encode an element. TypeError or ValueError if it has another structure."""
    nest.assert_same_structure(element_spec, element)
    pairs = zip(nest.flatten(element_spec), nest.flatten(element))
    return [tensor for spec, value in pairs for tensor in encoding_of(spec).tensors(spec, value)]


def to_batched_tensor_list(element_spec: Any, element: Any) -> list[Any]:
    """Like `to_tensor_list`, for an element that is a batch of elements."""
    nest.assert_same_structure(element_spec, element)
    pairs = zip(nest.flatten(element_spec), nest.flatten(element))
    return [tensor for spec, value in pairs for tensor in encoding_of(spec).batched_tensors(spec, value)]


def from_compatible_tensor_list(element_spec: Any, tensor_list: list[Any]) -> Any:
    """Returns the element that the tensors encode, without checks of their types. ValueError for a wrong number."""
    return _decoded(element_spec, tensor_list, lambda spec, tensors: encoding_of(spec).value(spec, tensors))


def from_tensor_list(element_spec: Any, tensor_list: list[Any]) -> Any:
    """Returns the element that the tensors encode. ValueError if they do not fit."""

    def decode(spec: Any, tensors: list[Any]) -> Any:
        check_tensors(spec, tensors)
        return encoding_of(spec).value(spec, tensors)

    return _decoded(element_spec, tensor_list, decode)


def _decoded(element_spec: Any, tensor_list: list[Any], decode: Callable[[Any, list[Any]], Any]) -> Any:
    specs = nest.flatten(element_spec)
    counts = [len(encoding_of(spec).flat_specs(spec)) for spec in specs]
    if sum(counts) != len(tensor_list):
        raise ValueError(f"Expected {sum(counts)} tensors but got {len(tensor_list)}.")
    rest = iter(tensor_list)
    values = [decode(spec, [next(rest) for _ in range(count)]) for spec, count in zip(specs, counts)]
    return nest.pack_sequence_as(element_spec, values)


def are_compatible(one: Any, other: Any) -> bool:
    """Whether two specifications of elements have the same structure and compatible leaves."""
    try:
        nest.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return False
    return all(
        a.is_compatible_with(b) and b.is_compatible_with(a) for a, b in zip(nest.flatten(one), nest.flatten(other))
    )
