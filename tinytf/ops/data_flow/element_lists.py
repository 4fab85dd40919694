"""What the components of elements are told by: lists of types and shapes, or a single one."""

from __future__ import annotations

from typing import Any

from tinytf.framework.tensor_shape import TensorShape


def as_list(dtypes: Any) -> list[Any]:
    """The types as a list, of one if it is one."""
    return list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes]


def is_one_shape(shapes: Any) -> bool:
    """Whether a list is that of a shape's sizes."""
    return all(size is None or isinstance(size, int) for size in shapes)


def full_shapes(shapes: Any) -> list[TensorShape] | None:
    """The shapes of components: a list of shapes, or one shape. TypeError for anything else, ValueError for shapes that
    are not fully defined."""
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
