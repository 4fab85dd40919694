"""The kinds of queues; what they offer is in `QueueBase`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes as _dtypes
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.random_seed import get_seed
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.data_flow.element_lists import as_list, full_shapes, is_one_shape
from tinytf.ops.data_flow.queue_base import QueueBase, checked_names


@tf_export("queue.FIFOQueue", "FIFOQueue")
class FIFOQueue(QueueBase):
    """A queue that yields elements in the order in which they came.

    Args:
      capacity: how many elements it holds at most; a negative number sets no bound.
      dtypes: the type of an element, or a list of the types of its components.
      shapes: fully defined shapes, one per component (or a single one), which elements must have; dequeues of several
        elements need them. None: elements may have any shapes.
      names: strings, one per component: elements are dictionaries then.
      shared_name: queues of one name are one in a session; they must agree in all else. Without effect in eager
        execution, where each queue is its own.
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
        name: str | None = "fifo_queue",
    ) -> None:
        dtypes = as_list(dtypes)
        shapes = full_shapes(shapes)
        names = None if names is None else checked_names(names, len(dtypes))
        queue_ref = gen_ops.fifo_queue_v2(
            component_types=dtypes,
            shapes=shapes or [],
            capacity=capacity,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(dtypes, shapes, names, queue_ref)
        self._own()


@tf_export("io.RandomShuffleQueue", "queue.RandomShuffleQueue", "RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that yields its elements in random order.

    Args:
      min_after_dequeue: how many elements dequeues leave behind while the queue is open, so that there is something to
        mix; less than `capacity`.
      seed: of the order; without one, and without a graph's, each session has an order of its own.

    The others, and errors, as for `FIFOQueue`.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        dtypes = as_list(dtypes)
        shapes = full_shapes(shapes)
        names = None if names is None else checked_names(names, len(dtypes))
        seed1, seed2 = get_seed(seed)
        if seed is None and seed1 is not None and shared_name is not None:
            # Queues that share a name share their seeds, wherever in the graph they are made.
            import hashlib  # takes as long to load as all that queues need besides

            digest = hashlib.md5(f"{seed1}{shared_name}".encode()).hexdigest()
            seed2 = int(digest[:8], 16) & 0x7FFFFFFF
        queue_ref = gen_ops.random_shuffle_queue_v2(
            component_types=dtypes,
            shapes=shapes or [],
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed1 or 0,
            seed2=seed2 or 0,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(dtypes, shapes, names, queue_ref)
        self._own()


@tf_export("io.PaddingFIFOQueue", "queue.PaddingFIFOQueue", "PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """A queue that yields elements in the order in which they came and that pads them in batches.

    Where a shape leaves a size open (None), `dequeue_many` and `dequeue_up_to` make it the largest of the batch and fill
    the smaller elements up at the end, with zeros or empty strings.

    Args:
      shapes: a list of shapes of known rank, one per component.

    The others as for `FIFOQueue`. ValueError for shapes of unknown rank and for lists of different lengths.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ) -> None:
        dtypes = as_list(dtypes)
        if not isinstance(shapes, (list, tuple)) or is_one_shape(shapes):
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        shapes = [TensorShape(shape) for shape in shapes]
        if any(shape.ndims is None for shape in shapes):
            raise ValueError(f"All shapes must have a defined rank: {shapes}")
        names = None if names is None else checked_names(names, len(dtypes))
        if len(dtypes) != len(shapes):
            raise ValueError(
                "Shapes must be provided for all components, "
                f"but received {len(dtypes)} dtypes and {len(shapes)} shapes."
            )
        queue_ref = gen_ops.padding_fifo_queue_v2(
            component_types=dtypes, shapes=shapes, capacity=capacity, shared_name=_shared_name(shared_name), name=name
        )
        super().__init__(dtypes, shapes, names, queue_ref)
        self._own()


@tf_export("io.PriorityQueue", "queue.PriorityQueue", "PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue that yields the element of the least priority first; among equals, any.

    Elements have one component more than `types` says, the first: the priority, an int64 scalar.

    Args:
      types: the type of an element's value, or a list of the types of its further components.
      shapes: their fully defined shapes.
      names: strings for all components, that of the priority first.

    The others, and errors, as for `FIFOQueue`; TypeError without shapes.
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ) -> None:
        types = as_list(types)
        shapes = full_shapes(shapes)
        if shapes is None:
            raise TypeError("Expected list for 'shapes' argument to 'priority_queue_v2' Op, not None.")
        queue_ref = gen_ops.priority_queue_v2(
            component_types=types, shapes=shapes, capacity=capacity, shared_name=_shared_name(shared_name), name=name
        )
        super().__init__([_dtypes.int64, *types], [TensorShape([]), *shapes], names, queue_ref)
        self._own()


def _shared_name(name: str | None) -> str:
    """What the kernel is to share the queue under; '' for one of its own, as all are in eager execution."""
    return "" if name is None or executing_eagerly() else name
