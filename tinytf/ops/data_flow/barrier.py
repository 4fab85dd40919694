"""`Barrier`: elements that are put together, under keys, from components that come one by one."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.constant_value import constant_value
from tinytf.framework.dimension import Dimension
from tinytf.framework.execution import current_scope, executing_eagerly
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape, unknown_shape
from tinytf.ops.data_flow.element_lists import as_list, full_shapes


class Barrier:
    """A map from strings to tuples of tensors, in the session. The tuple of a key is complete when all its components have
    been inserted; complete ones are taken, those first whose first component came first.

    Args:
      types: the type of each component, or one type.
      shapes: fully defined shapes, one per component (or a single one), without empty ones; None: scalars.
      shared_name: barriers of one name are one in a session; they must agree in all else.
      name: of the operation.

    ValueError for shapes that have no elements or are not fully defined.
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
        """The name of the operation that makes it."""
        return self._name if executing_eagerly() else self._barrier_ref.op.name

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """The operation that makes each row of `values` a component of the tuple of its key.

        Running it fails, and changes nothing, with InvalidArgumentError if a tuple has the component or values do not
        fit, and with CancelledError for new keys of a closed barrier.

        Args:
          component_index: which component.
          keys: a string vector [n].
          values: a tensor [n, ...].
        """
        name = f"{self._name}_BarrierInsertMany" if name is None else name
        return gen_ops.barrier_insert_many(self._barrier_ref, keys, values, component_index, name=name)

    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: Any = None, name: str | None = None
    ) -> Any:
        """The next complete tuples, which leave, when there are `num_elements` of them: a named tuple of

        - indices, int64 [n]: with which insertion, counted from -2^63, the first component of each tuple came,
        - keys, string [n],
        - values: a list of a tensor [n, ...] for each component.

        Running it fails with OutOfRangeError if the barrier is closed and there will never be as many.

        Args:
          num_elements: an int32 scalar.
          allow_small_batch: whether fewer do, one at least, once the barrier is closed.
          timeout: None; TypeError for anything else, as in TensorFlow.
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
        """The operation that closes the barrier for new keys, and, if so wanted, drops incomplete tuples and refuses their
        components. Running it again fails with CancelledError, unless the first time nothing was to be cancelled and the
        second time it is."""
        name = f"{self._name}_BarrierClose" if name is None else name
        return gen_ops.barrier_close(self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def ready_size(self, name: str | None = None) -> Tensor:
        """How many tuples are complete: an int32 scalar."""
        name = f"{self._name}_BarrierReadySize" if name is None else name
        return gen_ops.barrier_ready_size(self._barrier_ref, name=name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """How many tuples lack components: an int32 scalar."""
        name = f"{self._name}_BarrierIncompleteSize" if name is None else name
        return gen_ops.barrier_incomplete_size(self._barrier_ref, name=name)
