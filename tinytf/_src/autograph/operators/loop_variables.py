"""Checks the variables of a staged loop: they must be defined before it and keep their structure, dtype and shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.autograph.jumps import RESULT, VALUE
from tinytf._src.autograph.operators.tensors import as_tensor, becomes_tensor
from tinytf._src.autograph.operators.variables import UNDEFINED, Variables
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_shape import TensorShape


def check_defined(variables: Variables) -> None:
    """Raises ValueError if a loop variable has no value before the loop."""
    values = variables.read_needed()
    missing = [name for name, value in zip(variables.needed, values, strict=True) if value is UNDEFINED]
    named = tuple(name for name in missing if name not in (RESULT, VALUE))
    if named:
        raise ValueError(f"TensorFlow requires that the following symbols must be defined before the loop: {named}")
    if missing:
        raise ValueError("return statements are not supported within a TensorFlow loop.")


def check_iteration(
    names: Sequence[str], before: Sequence[Any], after: Sequence[Any], keeps_shapes: bool = True
) -> None:
    """Raises TypeError if an iteration changes the structure or dtype of a variable, and ValueError if it changes its
    shape, unless `keeps_shapes` is false."""
    for name, old, new in zip(names, before, after, strict=True):
        try:
            nest.assert_same_structure(old, new, expand_composites=True)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f'"{name}" does not have the same nested structure after one iteration.\n\n{error}'
            ) from None
        for one, other in zip(nest.flatten(old), nest.flatten(new), strict=True):
            if becomes_tensor(one) and becomes_tensor(other):
                _check_tensor(name, as_tensor(one), as_tensor(other), keeps_shapes)


def _check_tensor(name: str, old: Any, new: Any, keeps_shapes: bool) -> None:
    if not (isinstance(old, Tensor) and isinstance(new, Tensor)):
        return
    if old.dtype.base_dtype != new.dtype.base_dtype:
        raise TypeError(
            f'"{name}" has dtype {old.dtype.name} before the loop, but dtype {new.dtype.name} after one iteration. '
            "TensorFlow control flow requires it stays the same."
        )
    if keeps_shapes and not _is_more_specific(new.shape, old.shape):
        raise ValueError(
            f'"{name}" has shape {old.shape} before the loop, but shape {new.shape} after one iteration. TensorFlow '
            "control flow requires it stays the same or be more specific."
        )


def _is_more_specific(shape: TensorShape, general: TensorShape) -> bool:
    if general.ndims is None:
        return True
    if shape.ndims != general.ndims:
        return False
    return all(n is None or n == m for n, m in zip(general.as_list(), shape.as_list(), strict=True))
