"""`QueueBase`: the common methods of all queues."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import current_scope, executing_eagerly
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.resource_deleter import ResourceDeleter
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.dtypes import DType, as_dtype
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape
from tinytf._src.ops.array.gathering import gather
from tinytf._src.ops.array.joining import stack


@tf_export("io.QueueBase", "queue.QueueBase", "QueueBase")
class QueueBase:
    """Base class of queues, whose elements are tuples of tensors, or dicts if the queue has names.

    The elements are owned by the session. An enqueue waits for capacity and a dequeue waits for elements; if its step
    is cancelled, no element is removed.

    In eager execution the methods run immediately and return values, or None instead of an operation. The queue lives
    as long as the object that created it. A waiting call can be interrupted.

    Args:
      dtypes: list of dtypes, one per component.
      shapes: list of shapes, one per component; None allows any shapes.
      names: list of strings, one per component, or None.
      queue_ref: scalar tensor of dtype resource that refers to the queue.

    Raises:
      ValueError: if the lists have different lengths.
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
        """In eager execution, ties the lifetime of the queue to this object."""
        if executing_eagerly():
            self._deleter = ResourceDeleter(self._queue_ref)

    @staticmethod
    def from_list(index: Any, queues: list[QueueBase]) -> QueueBase:
        """Returns a queue that refers to `queues[index]`, selected in each run.

        Args:
          index: int32 scalar.
          queues: list of queues with equal dtypes and names; shapes that differ become unknown.

        Returns:
          A QueueBase.

        Raises:
          TypeError: if `queues` is not such a list.
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
        """The scalar tensor of dtype resource that refers to the queue."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the operation that creates the queue; in eager execution the enclosing name scope, or "Empty"."""
        return self._name if executing_eagerly() else self._queue_ref.op.name

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """The names of the components, or None."""
        return self._names

    # -- Enqueueing --------------------------------------------------------------------------------------------------

    def enqueue(self, vals: Any, name: str | None = None) -> Operation | None:
        """Enqueues one element, waiting for capacity.

        Running the operation raises CancelledError if the queue or the session is closed before there is capacity.

        Args:
          vals: tensor, list or tuple of tensors, or a dict if the queue has names.
          name: optional name of the operation.

        Returns:
          An operation; None in eager execution.

        Raises:
          ValueError: if shapes do not match, or if `vals` is a dict for a queue without names or the reverse.
        """
        with name_scope(name, f"{self._name}_enqueue", _tensors_of(vals)) as scope:
            components = self._components(vals)
            for component, shape in zip(components, self._shapes):
                component.shape.assert_is_compatible_with(shape)
            return gen_ops.queue_enqueue_v2(self._queue_ref, components, name=scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation | None:
        """Enqueues each row of `vals` as an element; otherwise like `enqueue`.

        Args:
          vals: as in `enqueue`, with an additional first dimension that all components share.
          name: optional name of the operation.

        Returns:
          An operation; None in eager execution.
        """
        with name_scope(name, f"{self._name}_EnqueueMany", _tensors_of(vals)) as scope:
            components = self._components(vals)
            rows = Dimension(None)
            for component, shape in zip(components, self._shapes):
                rows = rows.merge_with(component.shape.with_rank_at_least(1)[0])
                component.shape[1:].assert_is_compatible_with(shape)
            return gen_ops.queue_enqueue_many_v2(self._queue_ref, components, name=scope)

    def _components(self, vals: Any) -> list[Tensor]:
        """Converts the components of an element or batch to tensors of the queue's dtypes. Surplus components are kept,
        so that the op reports them.
        """
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

    # -- Dequeueing --------------------------------------------------------------------------------------------------

    def dequeue(self, name: str | None = None) -> Any:
        """Dequeues the next element, waiting for one.

        Running the result raises OutOfRangeError if the queue is closed and empty, and CancelledError if the session is
        closed.

        Args:
          name: optional name of the operation.

        Returns:
          A tensor, a list of tensors for several components, or a dict if the queue has names.
        """
        name = f"{self._name}_Dequeue" if name is None else name
        components = gen_ops.queue_dequeue_v2(self._queue_ref, component_types=self._dtypes, name=name)
        return self._element(components, TensorShape([]))

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Dequeues the next `n` elements, stacked along a new first dimension.

        The queue must have shapes. If it is closed and has fewer elements, running the result raises OutOfRangeError
        and removes nothing.

        Args:
          n: int32 scalar.
          name: optional name of the operation.

        Returns:
          Tensors as in `dequeue`, with a first dimension of size `n`.
        """
        name = f"{self._name}_DequeueMany" if name is None else name
        components = gen_ops.queue_dequeue_many_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        rows = None if executing_eagerly() else constant_value(components[0].op.inputs[1])
        return self._element(components, TensorShape([rows]))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Does the same as `dequeue_many`, but accepts fewer elements, at least one, once the queue is closed.

        Args:
          n: int32 scalar, maximum number of elements.
          name: optional name of the operation.

        Returns:
          Tensors as in `dequeue`, with an additional first dimension.
        """
        name = f"{self._name}_DequeueUpTo" if name is None else name
        components = gen_ops.queue_dequeue_up_to_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        return self._element(components, TensorShape([None]))

    def _element(self, components: list[Tensor], batch: TensorShape) -> Any:
        """Returns the components in the form of `dequeue`, with `batch` prepended to their static shapes."""
        if not executing_eagerly():
            for component, shape in zip(components, self._shapes):
                component.set_shape(batch.concatenate(shape))
        if self._names:
            return dict(zip(self._names, components))
        return components[0] if len(components) == 1 else components

    # -- State -------------------------------------------------------------------------------------------------------

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation | None:
        """Closes the queue: later enqueues fail, and dequeues succeed as long as there are enough elements.

        Closing again raises CancelledError at run time, unless pending enqueues are cancelled.

        Args:
          cancel_pending_enqueues: bool, whether pending enqueues are cancelled; otherwise closing waits for them.
          name: optional name of the operation.

        Returns:
          An operation; None in eager execution.
        """
        name = f"{self._name}_Close" if name is None else name
        return gen_ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def is_closed(self, name: str | None = None) -> Tensor:
        """Returns a bool scalar: whether the queue is closed."""
        return gen_ops.queue_is_closed_v2(self._queue_ref, name=f"{self._name}_Is_Closed" if name is None else name)

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of elements in the queue as an int32 scalar."""
        return gen_ops.queue_size_v2(self._queue_ref, name=f"{self._name}_Size" if name is None else name)


def checked_names(names: Any, components: int) -> list[str]:
    """Returns the names of the components as a list. Raises ValueError if their number is wrong."""
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
    """Returns the most specific shape that is compatible with both."""
    return one.most_specific_compatible_shape(other)
