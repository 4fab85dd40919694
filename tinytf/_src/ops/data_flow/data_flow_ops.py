"""The queue classes; their common methods are in `QueueBase`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.random_seed import get_seed
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.data_flow.element_lists import as_list, full_shapes, is_one_shape
from tinytf._src.ops.data_flow.queue_base import QueueBase, checked_names


@tf_export("queue.FIFOQueue", "FIFOQueue")
class FIFOQueue(QueueBase):
    """A queue that yields elements in the order in which they were enqueued.

    Args:
      capacity: int, maximum number of elements; a negative number means unbounded.
      dtypes: dtype of the elements, or list with the dtype of each component.
      shapes: optional fully defined shapes, one per component or a single one, required by dequeues of several
        elements. If None, elements may have any shapes.
      names: optional list of strings, one per component; elements then are dicts.
      shared_name: optional name; queues with one shared name are one in a session and must agree in everything else.
        Ignored in eager execution.
      name: optional name of the operation.

    Raises:
      ValueError: if a shape is not fully defined, or if lists have different lengths.

    Example:
      queue = tf.FIFOQueue(10, tf.float32, shapes=[()])
      enqueue, value = queue.enqueue(1.0), queue.dequeue()
      with tf.Session() as sess:
        sess.run(enqueue)
        print(sess.run(value))
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
      capacity, dtypes, shapes, names, shared_name, name: as in `FIFOQueue`.
      min_after_dequeue: int less than `capacity`, number of elements that a dequeue from an open queue leaves behind,
        so that there are elements to mix.
      seed: optional int, seed of the order; without it and a graph seed, each session has its own order.

    Raises:
      ValueError: if a shape is not fully defined, or if lists have different lengths.
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
            # Queues that share a name share their seeds, regardless of where in the graph they are created.
            # Imported here because loading it takes as long as loading everything else that queues need.
            import hashlib

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
    """A FIFO queue that pads elements of variable size when it dequeues batches.

    For each unknown dimension of a shape, `dequeue_many` and `dequeue_up_to` use the largest size in the batch and pad
    smaller elements at the end with zeros or empty strings.

    Args:
      shapes: list of shapes of known rank, one per component; dimensions may be None.
      capacity, dtypes, names, shared_name, name: as in `FIFOQueue`.

    Raises:
      ValueError: if a shape has unknown rank, or if lists have different lengths.
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
    """A queue that yields the element with the lowest priority value first; the order of equal priorities is
    unspecified.

    Each element has an additional first component: its priority, an int64 scalar.

    Args:
      types: dtype of the value, or list of the dtypes of the components after the priority.
      shapes: fully defined shapes of these components.
      names: optional list of strings for all components including the priority.
      capacity, shared_name, name: as in `FIFOQueue`.

    Raises:
      TypeError: if `shapes` is None.
      ValueError: if a shape is not fully defined.
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
    """Returns the shared name for the kernel; empty for a private queue, as in eager execution."""
    return "" if name is None or executing_eagerly() else name
