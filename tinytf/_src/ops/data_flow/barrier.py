"""`Barrier`: elements that are assembled by key from components inserted one at a time."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import current_scope, executing_eagerly
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape
from tinytf._src.ops.data_flow.element_lists import as_list, full_shapes


class Barrier:
    """A map from string keys to tuples of tensors, owned by the session.

    A tuple is complete when all its components are inserted. Complete tuples are taken in the order of their first
    insertions.

    Args:
      types: list of the components' dtypes, or one dtype.
      shapes: list of fully defined shapes without empty dimensions, or one shape; None means scalars.
      shared_name: optional name; barriers with one shared name are one in a session and must agree in everything else.
      name: name of the operation.

    Raises:
      ValueError: if a shape is not fully defined or has no elements.
    """

    def __init__(self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier") -> None:
        self._types = as_list(types)
        full = full_shapes(shapes)
        if full is None:
            self._shapes = [unknown_shape() for _ in self._types]
        else:
            self._shapes = full
            for i, shape in enumerate(full):
                if shape.num_elements() == 0:
                    raise ValueError(f"Empty tensors are not supported, but received shape '{shape}' at index {i}")
        self._barrier_ref = gen_ops.barrier(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name or "", name=name
        )
        self._name = current_scope() if executing_eagerly() else self._barrier_ref.op.name.split("/")[-1]

    @property
    def barrier_ref(self) -> Tensor:
        """The tensor that refers to the barrier: a reference to two strings."""
        return self._barrier_ref

    @property
    def name(self) -> str | None:
        """The name of the operation that creates the barrier."""
        return self._name if executing_eagerly() else self._barrier_ref.op.name

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """Inserts rows of values as one component of the tuples of their keys.

        If a tuple has the component already or the values do not match, running the operation raises
        InvalidArgumentError; for new keys of a closed barrier it raises CancelledError. In both cases nothing is
        inserted.

        Args:
          component_index: int, index of the component.
          keys: string vector [n].
          values: tensor [n, ...].
          name: optional name of the operation.

        Returns:
          An operation.
        """
        name = f"{self._name}_BarrierInsertMany" if name is None else name
        return gen_ops.barrier_insert_many(self._barrier_ref, keys, values, component_index, name=name)

    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: Any = None, name: str | None = None
    ) -> Any:
        """Takes the next complete tuples and removes them, once there are `num_elements` of them.

        If the barrier is closed and there will never be enough tuples, running the result raises OutOfRangeError.

        Args:
          num_elements: int32 scalar.
          allow_small_batch: bool, whether one or more tuples are enough once the barrier is closed.
          timeout: must be None; a number raises TypeError, as in TensorFlow.
          name: optional name of the operation.

        Returns:
          A named tuple (indices, keys, values): an int64 vector [n] with the number of the insertion that created each
            tuple, counted from -2^63; a string vector [n]; and a list with one tensor [n, ...] per component.
        """
        name = f"{self._name}_BarrierTakeMany" if name is None else name
        taken = gen_ops.barrier_take_many(
            self._barrier_ref,
            num_elements,
            self._types,
            allow_small_batch,
            False if timeout is None else timeout,
            name=name,
        )
        if not executing_eagerly():
            op = taken[0].op
            count = None if allow_small_batch else constant_value(op.inputs[1])
            rows = Dimension(count.item() if count is not None and count.size == 1 else None)
            for output, shape in zip(op.outputs, [TensorShape([]), TensorShape([]), *self._shapes]):
                output.set_shape(TensorShape([rows]).concatenate(shape))
        return taken

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """Returns an operation that closes the barrier for new keys; with `cancel_pending_enqueues` incomplete tuples
        are dropped.

        Closing again raises CancelledError at run time, unless only the second call cancels pending insertions.
        """
        name = f"{self._name}_BarrierClose" if name is None else name
        return gen_ops.barrier_close(self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def ready_size(self, name: str | None = None) -> Tensor:
        """Returns the number of complete tuples as an int32 scalar."""
        name = f"{self._name}_BarrierReadySize" if name is None else name
        return gen_ops.barrier_ready_size(self._barrier_ref, name=name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """Returns the number of incomplete tuples as an int32 scalar."""
        name = f"{self._name}_BarrierIncompleteSize" if name is None else name
        return gen_ops.barrier_incomplete_size(self._barrier_ref, name=name)
