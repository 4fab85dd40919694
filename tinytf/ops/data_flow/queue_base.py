"""`QueueBase`: what all queues offer, enqueues and dequeues of tuples or dictionaries of tensors."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.dimension import Dimension
from tinytf.framework.dtypes import DType, as_dtype
from tinytf.framework.execution import current_scope, executing_eagerly
from tinytf.framework.name_scope import name_scope
from tinytf.framework.operation import Operation
from tinytf.framework.resource_deleter import ResourceDeleter
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape, unknown_shape
from tinytf.ops.array.gathering import gather
from tinytf.ops.array.joining import stack


@tf_export("io.QueueBase", "queue.QueueBase", "QueueBase")
class QueueBase:
    """A queue of elements; each element is a tuple of tensors, or a dictionary of them if the queue has names. Elements
    live in the session. Enqueues wait for room and dequeues for elements; a step that is cancelled meanwhile leaves the
    queue as if it had not begun to dequeue.

    In eager execution the methods act at once and give back values, or None where there would be an operation. The queue
    goes with the object that made it. Who waits, for another thread of the program, can be interrupted.

    Args:
      dtypes: a list of element types, one per component.
      shapes: a list of shapes, one per component, or None for any shapes.
      names: a list of strings, one per component, or None.
      queue_ref: the scalar tensor of type resource that refers to the queue.

    ValueError if the lists have different lengths.
    """

    def __init__(
        self, dtypes: Sequence[Any], shapes: Sequence[Any] | None, names: Sequence[str] | None, queue_ref: Tensor
    ) -> None:
        self._dtypes = [as_dtype(dtype) for dtype in dtypes]
        if shapes is None:
            self._shapes = [unknown_shape() for _ in self._dtypes]
        else:
            if len(shapes) != len(self._dtypes):
                raise ValueError(
                    "Queue shapes must have the same length as dtypes, "
                    f"received len(shapes)={len(shapes)}, len(dtypes)={len(self._dtypes)}"
                )
            self._shapes = [TensorShape(shape) for shape in shapes]
        self._names = None if names is None else checked_names(names, len(self._dtypes))
        self._queue_ref = queue_ref
        self._deleter: Any = None
        self._name = (current_scope() or "Empty") if executing_eagerly() else queue_ref.op.name.split("/")[-1]

    def _own(self) -> None:
        """The queue goes with this object, in eager execution."""
        if executing_eagerly():
            self._deleter = ResourceDeleter(self._queue_ref)

    @staticmethod
    def from_list(index: Any, queues: list[QueueBase]) -> QueueBase:
        """The queue `queues[index]`, chosen in each run.

        Args:
          index: an int32 scalar.
          queues: a list of queues of equal dtypes and names; where their shapes differ, nothing is known of the
            result's.

        TypeError for anything else.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(queue, QueueBase) for queue in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if any(queue.dtypes != first.dtypes for queue in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(queue.names != first.names for queue in queues):
            raise TypeError("Queues do not have matching component names.")
        shapes = [functools.reduce(_common_shape, of_one) for of_one in zip(*(queue.shapes for queue in queues))]
        chosen = gather(stack([queue.queue_ref for queue in queues]), index)
        return QueueBase(first.dtypes, shapes, first.names, chosen)

    @property
    def queue_ref(self) -> Tensor:
        """The scalar tensor of type resource that refers to the queue."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the operation that makes the queue; in eager execution the name scope around it, or "Empty"."""
        return self._name if executing_eagerly() else self._queue_ref.op.name

    @property
    def dtypes(self) -> list[DType]:
        """The types of an element's components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of an element's components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """The names of an element's components, or None."""
        return self._names

    # -- In ----------------------------------------------------------------------------------------------------------

    def enqueue(self, vals: Any, name: str | None = None) -> Operation | None:
        """The operation that puts one element into the queue, waiting for room.

        Running it fails with CancelledError if the queue is closed before there is room, or the session.

        Args:
          vals: a tensor, a list or tuple of them, or a dictionary if the queue has names; of the queue's dtypes.

        ValueError for shapes that do not fit the queue's, or for a dictionary where none is wanted and conversely.
        """
        with name_scope(name, f"{self._name}_enqueue", _tensors_of(vals)) as scope:
            components = self._components(vals)
            for component, shape in zip(components, self._shapes):
                component.shape.assert_is_compatible_with(shape)
            return gen_ops.queue_enqueue_v2(self._queue_ref, components, name=scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation | None:
        """The operation that puts every row of `vals` into the queue as an element of its own, as room comes up.

        As `enqueue`, with components of one more dimension, the first, which they have in common.
        """
        with name_scope(name, f"{self._name}_EnqueueMany", _tensors_of(vals)) as scope:
            components = self._components(vals)
            rows = Dimension(None)
            for component, shape in zip(components, self._shapes):
                rows = rows.merge_with(component.shape.with_rank_at_least(1)[0])
                component.shape[1:].assert_is_compatible_with(shape)
            return gen_ops.queue_enqueue_many_v2(self._queue_ref, components, name=scope)

    def _components(self, vals: Any) -> list[Tensor]:
        """One element, or a batch, as tensors of the queue's types. What is more than the queue has components stays, for
        the operation to refuse."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  "
                    f"Dictionary: ({sorted(vals, key=str)}), Queue: ({sorted(self._names)})"
                )
            vals = [vals[name] for name in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            if not isinstance(vals, (list, tuple)):
                vals = [vals]
        dtypes = [*self._dtypes, *[None] * (len(vals) - len(self._dtypes))]
        return [
            convert_to_tensor(value, dtype=dtype, name=f"component_{i}")
            for i, (value, dtype) in enumerate(zip(vals, dtypes))
        ]

    # -- Out ---------------------------------------------------------------------------------------------------------

    def dequeue(self, name: str | None = None) -> Any:
        """The next element, waiting for one: a tensor, a list of them if there are several components, or a dictionary
        if the queue has names.

        Running it fails with OutOfRangeError if the queue is closed and empty, with CancelledError if the session is.
        """
        name = f"{self._name}_Dequeue" if name is None else name
        components = gen_ops.queue_dequeue_v2(self._queue_ref, component_types=self._dtypes, name=name)
        return self._element(components, TensorShape([]))

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """The next `n` elements, as they come, joined along a new first dimension; otherwise as `dequeue`.

        The queue must have shapes. Running it fails with OutOfRangeError, and takes nothing, if the queue is closed and
        has fewer elements.

        Args:
          n: an int32 scalar.
        """
        name = f"{self._name}_DequeueMany" if name is None else name
        components = gen_ops.queue_dequeue_many_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        rows = None if executing_eagerly() else constant_value(components[0].op.inputs[1])
        return self._element(components, TensorShape([rows]))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As `dequeue_many`, but makes do with the elements that are left, one at least, when the queue is closed."""
        name = f"{self._name}_DequeueUpTo" if name is None else name
        components = gen_ops.queue_dequeue_up_to_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        return self._element(components, TensorShape([None]))

    def _element(self, components: list[Tensor], batch: TensorShape) -> Any:
        """The components as `dequeue` hands them out, `batch` in front of their static shapes."""
        if not executing_eagerly():
            for component, shape in zip(components, self._shapes):
                component.set_shape(batch.concatenate(shape))
        if self._names:
            return dict(zip(self._names, components))
        return components[0] if len(components) == 1 else components

    # -- State -------------------------------------------------------------------------------------------------------

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation | None:
        """The operation that closes the queue: later enqueues fail, dequeues go on while there are enough elements.

        It waits until pending enqueues are through, or cancels them. Running it a second time fails with CancelledError,
        unless it is to cancel.
        """
        name = f"{self._name}_Close" if name is None else name
        return gen_ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue is closed: a bool scalar."""
        return gen_ops.queue_is_closed_v2(self._queue_ref, name=f"{self._name}_Is_Closed" if name is None else name)

    def size(self, name: str | None = None) -> Tensor:
        """How many elements the queue holds: an int32 scalar."""
        return gen_ops.queue_size_v2(self._queue_ref, name=f"{self._name}_Size" if name is None else name)


def checked_names(names: Any, components: int) -> list[str]:
    """The names of a queue's components as a list. ValueError if there are not as many."""
    names = list(names) if isinstance(names, (list, tuple)) else [names]
    if len(names) != components:
        raise ValueError(
            "List of names must have the same length as the list of dtypes, "
            f"received len(names)={len(names)},len(dtypes)={components}"
        )
    return names


def _tensors_of(vals: Any) -> list[Any]:
    if isinstance(vals, dict):
        return list(vals.values())
    return list(vals) if isinstance(vals, (list, tuple)) else [vals]


def _common_shape(one: TensorShape, other: TensorShape) -> TensorShape:
    """What two shapes have in common."""
    return one.most_specific_compatible_shape(other)
