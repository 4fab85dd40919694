"""Python functions with arguments by name and with nested values."""

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
    """`tf.py_func` for functions that take and return nested structures.

    Args:
      func: called with arrays in the place of tensors, as func(*args, **kwargs). What it returns has the structure of
        `output_types`.
      output_types, output_shapes: nested types and, if they are known, shapes of what it returns; or functions of `args` and
        `kwargs` that return these.
      stateful: whether it must be called in each step.

    TypeError if `args` is no list or tuple, or `kwargs` no dictionary.
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
