"""`py_func` with keyword arguments and nested structures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.util import nest

__all__ = ["py_func"]


def py_func(
    func: Callable[..., Any],
    args: Any = (),
    kwargs: dict[str, Any] | None = None,
    output_types: Any = None,
    output_shapes: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Like `tf.py_func`, for functions that take and return nested structures.

    Args:
      func: Python function, called as `func(*args, **kwargs)` with arrays in place of tensors. Its result has the
        structure of `output_types`.
      args: list or tuple of nested structures of tensors.
      kwargs: dict of nested structures of tensors.
      output_types: nested structure of dtypes, or a function of `args` and `kwargs` that returns it.
      output_shapes: the same structure of static shapes, or a function that returns it; None if unknown.
      stateful: bool, whether the function must be called in each step, even with equal inputs.
      name: string, name of the operation.

    Returns:
      Tensors in the structure of `output_types`.

    Raises:
      TypeError: if `args` is not a list or tuple, or `kwargs` not a dict.
    """
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(args, (list, tuple)):
        raise TypeError(f"args must be list and not {type(args)}. args: {args}")
    if not isinstance(kwargs, dict):
        raise TypeError(f"kwargs must be dict and not {type(kwargs)}. args: {kwargs}")
    types = output_types(*args, **kwargs) if callable(output_types) else output_types
    shapes = output_shapes(*args, **kwargs) if callable(output_shapes) else output_shapes
    structure = (args, kwargs)

    def call(*flat: Any) -> Any:
        positional, named = nest.pack_sequence_as(structure, flat)
        returned = func(*positional, **named)
        nest.assert_shallow_structure(types, returned)
        return nest.flatten(returned)

    flat_types = nest.flatten(types)
    values: Any = tf.py_func(call, nest.flatten(structure), flat_types, stateful=stateful, name=name)
    if shapes is not None:
        known = nest.map_structure_up_to(types, tf.TensorShape, shapes)
        for value, shape in zip(values, nest.flatten(known), strict=True):
            value.set_shape(shape)
    return nest.pack_sequence_as(types, values)
