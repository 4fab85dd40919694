"""Conditional accumulators: gradients of several workers, taken when there are enough."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes as _dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.execution import current_scope, executing_eagerly
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.operation import Operation
from tinytf.framework.resource_deleter import ResourceDeleter
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape, unknown_shape
from tinytf.ops import math_ops


@tf_export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """What accumulators offer. They live in the session.

    Args:
      dtype: of the gradients.
      shape: of the gradients; None: any, but one at a time.
      accumulator_ref: the tensor that refers to the accumulator.
    """

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Tensor) -> None:
        self._dtype = dtype
        self._shape = unknown_shape() if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = current_scope() if executing_eagerly() else accumulator_ref.op.name.split("/")[-1]

    @property
    def accumulator_ref(self) -> Tensor:
        """The tensor that refers to the accumulator."""
        return self._accumulator_ref

    @property
    def name(self) -> str | None:
        """The name of the operation that makes it, without scopes."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The type of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """How many gradients have been added up: an int32 scalar."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return gen_ops.resource_accumulator_num_accumulated(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """The operation that sets the step before which gradients are too old. Each taking raises it by one."""
        step = math_ops.cast(convert_to_tensor(new_global_step), _dtypes.int64)
        return gen_ops.resource_accumulator_set_global_step(self._accumulator_ref, step, name=name)


@tf_export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Adds up gradients until they are taken: their mean, or their sum.

    Args:
      dtype: float32, float64 or float16.
      shape: of the gradients.
      shared_name: accumulators of one name are one in a session.
      name: of the operation.
      reduction_type: "MEAN" or "SUM".
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        accumulator_ref = gen_ops.resource_conditional_accumulator(
            dtype=dtype, shape=shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        self._deleter = ResourceDeleter(accumulator_ref) if executing_eagerly() else None
        super().__init__(dtype, shape, accumulator_ref)

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """The operation that adds a gradient of step `local_step`, or drops it if that is too old. ValueError if its shape
        does not fit."""
        gradient = convert_to_tensor(grad, self._dtype)
        gradient.shape.assert_is_compatible_with(self._shape)
        step = math_ops.cast(convert_to_tensor(local_step), _dtypes.int64)
        return gen_ops.resource_accumulator_apply_gradient(
            self._accumulator_ref, local_step=step, gradient=gradient, name=name
        )

    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """What came of the gradients, when there are `num_required` of them at least; then all begins anew.

        Running it fails with InvalidArgumentError unless the number is positive.
        """
        taken = gen_ops.resource_accumulator_take_gradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )
        if not executing_eagerly():
            taken.set_shape(self._shape)
        return taken


@tf_export("SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Adds up gradients that have some rows only until they are taken: their mean, each row's over the gradients that have
    it, or their sum.

    Args:
      dtype: float32, float64 or float16.
      shape: of the whole gradients.
      shared_name: accumulators of one name are one in a session.
      name: of the operation.
      reduction_type: "MEAN" or "SUM".
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        accumulator_ref = gen_ops.sparse_conditional_accumulator(
            dtype=dtype, shape=shape, shared_name=shared_name or "", name=name, reduction_type=reduction_type
        )
        super().__init__(dtype, shape, accumulator_ref)

    def apply_indexed_slices_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """As `apply_grad`, of IndexedSlices."""
        return self.apply_grad(
            grad_indices=grad.indices,
            grad_values=grad.values,
            grad_shape=grad.dense_shape,
            local_step=local_step,
            name=name,
        )

    def apply_grad(
        self,
        grad_indices: Any,
        grad_values: Any,
        grad_shape: Any = None,
        local_step: Any = 0,
        name: str | None = None,
    ) -> Operation:
        """The operation that adds a gradient of step `local_step`, or drops it if that is too old. Running it fails with
        InvalidArgumentError for what does not fit the accumulator's shape or other gradients.

        Args:
          grad_indices: which rows it has, an int vector [n], ascending.
          grad_values: the rows, a tensor [n, ...].
          grad_shape: an int vector, the shape of the whole gradient; None if it is not known.
        """
        step = math_ops.cast(convert_to_tensor(local_step), _dtypes.int64)
        return gen_ops.sparse_accumulator_apply_gradient(
            self._accumulator_ref,
            local_step=step,
            gradient_indices=math_ops.cast(grad_indices, _dtypes.int64),
            gradient_values=grad_values,
            gradient_shape=math_ops.cast([] if grad_shape is None else grad_shape, _dtypes.int64),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """What came of the gradients, when there are `num_required` of them at least; then all begins anew. A named tuple
        of

        - indices, int64 [n]: which rows any gradient has,
        - values [n, ...]: the rows,
        - shape, int64: of the whole; -1 where nobody said.

        Running it fails with InvalidArgumentError unless the number is positive.
        """
        return gen_ops.sparse_accumulator_take_gradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """As `take_grad`, as IndexedSlices."""
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """How many gradients have been added up: an int32 scalar."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return gen_ops.accumulator_num_accumulated(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """The operation that sets the step before which gradients are too old. Each taking raises it by one."""
        step = math_ops.cast(convert_to_tensor(new_global_step), _dtypes.int64)
        return gen_ops.accumulator_set_global_step(self._accumulator_ref, step, name=name)
