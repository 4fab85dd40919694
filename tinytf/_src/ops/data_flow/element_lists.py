"""Arguments that describe the components of queue elements: lists of dtypes and shapes, or single ones."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.values.tensor_shape import TensorShape


def as_list(dtypes: Any) -> list[Any]:
    """Returns the dtypes as a list; a single dtype becomes a list of one."""
    return list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes]


def is_one_shape(shapes: Any) -> bool:
    """Returns whether a list holds the dimensions of a single shape."""
    return all(size is None or isinstance(size, int) for size in shapes)


def full_shapes(shapes: Any) -> list[TensorShape] | None:
    """Returns the shapes of the components, given as a list of shapes or as one shape; None stays None.

    Raises TypeError for anything else, and ValueError if a shape is not fully defined.
    """
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    shapes = [TensorShape(shape) for shape in ([shapes] if is_one_shape(shapes) else shapes)]
    if not all(shape.is_fully_defined() for shape in shapes):
        raise ValueError(f"All shapes must be fully defined: {shapes}")
    return shapes
