"""Ops that join and split tensors, and the conversion of nested lists that contain tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor, register_tensor_conversion_function
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.tensor_like import is_dense_tensor_like
from tinytf._src.ops.array.placeholders import identity

__all__ = ["concat", "parallel_stack", "split", "stack", "unstack"]


@tf_export("concat")
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Concatenates tensors along an existing dimension.

    Args:
      values: list of tensors of one dtype whose shapes are equal except along `axis`, or one tensor.
      axis: int or int32 scalar.
      name: name of the operation.

    Returns:
      The concatenated tensor; a single tensor is passed on unchanged.

    Raises:
      ValueError: if shapes do not match.
      TypeError: if dtypes differ.
    """
    try:
        if not isinstance(values, (list, tuple)):
            values = [values]
        if len(values) == 1:
            with name_scope(name):
                convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32).shape.assert_has_rank(0)
                return identity(values[0], name=name)
        return gen_ops.concat_v2(values, axis, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Stacks tensors along a new dimension. Python values on axis 0 become one constant.

    Args:
      values: list of tensors of one shape and dtype.
      axis: int, position of the new dimension.
      name: name of the operation.

    Returns:
      A tensor of rank one higher.

    Raises:
      ValueError: if `axis` is out of range or shapes differ.
    """
    try:
        if axis == 0:
            try:
                return convert_to_tensor(values, name=name)
            except (TypeError, ValueError):
                pass  # The values are not a single constant.
        shape = convert_to_tensor(values[0], name=name)._shape_tuple()
        if shape is not None:
            _check_axis(axis, len(shape) + 1)
        return gen_ops.pack(values, axis=axis, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Stacks tensors along a new first dimension.

    Args:
      values: list of tensors of one statically known shape.
      name: name of the name scope.

    Returns:
      A tensor of shape `[len(values)] + shape`.
    """
    with name_scope(name):
        shape = convert_to_tensor(values[0]).shape
        output_shape = [len(values), *shape.as_list()]
        expanded = [gen_ops.expand_dims(value, 0) for value in values]
        return gen_ops.parallel_concat(expanded, shape=output_shape)


@tf_export("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """Splits a tensor into its slices along an axis.

    Args:
      value: tensor.
      num: optional int, number of slices; inferred from the static shape by default.
      axis: int.
      name: name of the operation.

    Returns:
      A list of `num` tensors of rank one lower.

    Raises:
      ValueError: if `axis` is out of range, or if `num` is neither given nor known.
    """
    try:
        if num is None:
            value = convert_to_tensor(value)
            shape = value.shape
            if shape.ndims is not None:
                _check_axis(axis, shape.ndims)
                num = shape.dims[axis].value
            if num is None:
                raise ValueError(f"Cannot infer num from shape {shape}")
        return gen_ops.unpack(value, num=num, axis=axis, name=name)
    except REPORTED:
        leave_to_user()
        raise


def _check_axis(axis: int, ndims: int) -> None:
    if not -ndims <= axis < ndims:
        raise ValueError(f"axis = {axis} not in [{-ndims}, {ndims})")


@tf_export("split")
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """Splits a tensor along an axis.

    Args:
      value: tensor.
      num_or_size_splits: int, number of equal parts; or integer vector of the sizes of the parts, one of which may be
        -1.
      axis: int or int32 scalar.
      num: optional int, number of parts if the sizes are a tensor of unknown length.
      name: name of the operation.

    Returns:
      A list of tensors.

    Raises:
      ValueError: if the sizes are a scalar tensor, or if the number of parts is unknown.
    """
    try:
        sizes = convert_to_tensor(num_or_size_splits)
        if isinstance(num_or_size_splits, (int, np.integer, Dimension)):
            return gen_ops.split(axis, value, num_split=int(num_or_size_splits), name=name)
        if sizes._rank() == 0:
            raise ValueError(
                "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
                f"{num_or_size_splits}"
            )
        if num is None:
            known = sizes._shape_tuple()
            num = known[0] if known else None
            if num is None:
                raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
        return gen_ops.split_v(value, sizes, axis, num_split=num, name=name)
    except REPORTED:
        leave_to_user()
        raise


def _tensors_in(nested: Any) -> Iterator[Any]:
    for element in nested:
        if is_dense_tensor_like(element):
            yield element
        elif isinstance(element, (list, tuple)):
            yield from _tensors_in(element)


def _cast_tensors(nested: Any, dtype: dtypes.DType) -> Any:
    if is_dense_tensor_like(nested):
        return nested if nested.dtype.base_dtype is dtype else gen_ops.cast(nested, dtype)
    if isinstance(nested, (list, tuple)):
        return [_cast_tensors(element, dtype) for element in nested]
    return nested


def _pack(values: Any, dtype: dtypes.DType, name: str) -> Any:
    """Packs a list that contains tensors with the op Pack; otherwise returns the list with its elements converted."""
    with name_scope(name) as scope:
        elements = []
        must_pack = False
        for i, element in enumerate(values):
            if is_dense_tensor_like(element):
                if element.dtype.base_dtype is not dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {element.dtype} to {dtype} (Tensor is: "
                        f"{element!r})"
                    )
                must_pack = True
            elif isinstance(element, (list, tuple)):
                element = _pack(element, dtype, str(i))
                must_pack = must_pack or isinstance(element, Tensor)
            elements.append(element)
        if not must_pack:
            return elements
        tensors = [e if is_dense_tensor_like(e) else constant(e, dtype, name=str(i)) for i, e in enumerate(elements)]
        return gen_ops.pack(tensors, name=scope)


def _convert_list(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    if as_ref:
        return NotImplemented
    first = next(_tensors_in(value), None)
    if first is None:
        return NotImplemented
    found = first.dtype.base_dtype
    if dtype is None:
        dtype = found
    elif dtype is not found:
        value = _cast_tensors(value, dtype)
    return _pack(value, dtype, name or "packed")


register_tensor_conversion_function((list, tuple), _convert_list, 99)
