"""Queues."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.name_scope import control_dependencies, device
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.queue_base import QueueBase, checked_names

__all__ = ["FIFOQueue", "QueueBase"]


class FIFOQueue(QueueBase):
    """A queue that yields elements in the order in which they came.

    Args:
      capacity: how many elements it holds at most; a negative number sets no bound.
      dtypes: the type of an element, or a list of the types of its components.
      shapes: fully defined shapes, one per component (or a single one), which elements must have; dequeues of several
        elements need them. None: elements may have any shapes.
      names: strings, one per component: elements are dictionaries then.
      shared_name: queues of one name are one in a session; they must agree in all else.
      name: of the operation.

    ValueError for shapes that are not fully defined and for lists of different lengths.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "fifo_queue",
    ) -> None:
        dtypes = _as_list(dtypes)
        shapes = _shape_list(shapes)
        names = None if names is None else checked_names(names, len(dtypes))
        with control_dependencies(None), device("CPU"):
            queue_ref = gen_ops.fifo_queue_v2(
                component_types=dtypes, shapes=shapes or [], capacity=capacity, shared_name=shared_name or "", name=name
            )
        super().__init__(dtypes, shapes, names, queue_ref)


def _as_list(dtypes: Any) -> list[Any]:
    return list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes]


def _shape_list(shapes: Any) -> list[TensorShape] | None:
    """The shapes of a queue's components: a list of shapes, or one shape."""
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(dimension is None or isinstance(dimension, int) for dimension in shapes):
        shapes = [shapes]
    shapes = [TensorShape(shape) for shape in shapes]
    if not all(shape.is_fully_defined() for shape in shapes):
        raise ValueError(f"All shapes must be fully defined: {shapes}")
    return shapes
