"""Conditional accumulators: gradients of several workers that are aggregated and taken when there are enough."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import current_scope, executing_eagerly
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.resource_deleter import ResourceDeleter
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape
from tinytf._src.ops import math_ops


@tf_export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """Base class of accumulators, whose state is owned by the session.

    Args:
      dtype: dtype of the gradients.
      shape: optional shape of the gradients; None allows any shape, but the accumulated gradients must agree.
      accumulator_ref: tensor that refers to the accumulator.
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
        """The name of the operation that creates the accumulator, without scopes."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """Returns the number of accumulated gradients as an int32 scalar."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return gen_ops.resource_accumulator_num_accumulated(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """Sets the step of the accumulator. Gradients of earlier steps are dropped, and each take increments the step.

        Args:
          new_global_step: integer scalar.
          name: optional name of the operation.

        Returns:
          An operation.
        """
        step = math_ops.cast(convert_to_tensor(new_global_step), _dtypes.int64)
        return gen_ops.resource_accumulator_set_global_step(self._accumulator_ref, step, name=name)


@tf_export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator that aggregates dense gradients until their mean or sum is taken.

    Args:
      dtype: float16, float32 or float64.
      shape: optional shape of the gradients.
      shared_name: optional name; accumulators with one shared name are one in a session.
      name: name of the operation.
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
        """Adds a gradient, unless it is older than the accumulator's step.

        Args:
          grad: tensor of the accumulator's dtype.
          local_step: integer scalar, the step at which the gradient was computed.
          name: optional name of the operation.

        Returns:
          An operation.

        Raises:
          ValueError: if the shape of `grad` does not match.
        """
        gradient = convert_to_tensor(grad, self._dtype)
        gradient.shape.assert_is_compatible_with(self._shape)
        step = math_ops.cast(convert_to_tensor(local_step), _dtypes.int64)
        return gen_ops.resource_accumulator_apply_gradient(
            self._accumulator_ref, local_step=step, gradient=gradient, name=name
        )

    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """Takes the aggregated gradient once `num_required` gradients have been added, and resets the accumulator.

        Args:
          num_required: int32 scalar; if it is not positive, running the result raises InvalidArgumentError.
          name: optional name of the operation.

        Returns:
          A tensor of the accumulator's dtype and shape.
        """
        taken = gen_ops.resource_accumulator_take_gradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )
        if not executing_eagerly():
            taken.set_shape(self._shape)
        return taken


@tf_export("sparse.SparseConditionalAccumulator", "SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator that aggregates gradients of some rows; the mean of a row is over the gradients that contain it.

    Args:
      dtype: float16, float32 or float64.
      shape: optional shape of the dense gradients.
      shared_name: optional name; accumulators with one shared name are one in a session.
      name: name of the operation.
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
        """Does the same as `apply_grad` for IndexedSlices.

        Args:
          grad: IndexedSlices.
          local_step: integer scalar, the step at which the gradient was computed.
          name: optional name of the operation.

        Returns:
          An operation.
        """
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
        """Adds a sparse gradient, unless it is older than the accumulator's step.

        Running the operation raises InvalidArgumentError if the gradient does not match the accumulator's shape or
        other gradients.

        Args:
          grad_indices: integer vector [n], the rows in ascending order.
          grad_values: tensor [n, ...], the values of the rows.
          grad_shape: optional integer vector, the dense shape of the gradient.
          local_step: integer scalar, the step at which the gradient was computed.
          name: optional name of the operation.

        Returns:
          An operation.
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
        """Takes the aggregated gradient once `num_required` gradients have been added, and resets the accumulator.

        Args:
          num_required: int32 scalar; if it is not positive, running the result raises InvalidArgumentError.
          name: optional name of the operation.

        Returns:
          A named tuple (indices, values, shape): an int64 vector [n] of the rows that any gradient has, their values
            [n, ...], and the int64 dense shape with -1 where unknown.
        """
        return gen_ops.sparse_accumulator_take_gradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """Does the same as `take_grad`, but returns IndexedSlices.

        Args:
          num_required, name: as in `take_grad`.

        Returns:
          IndexedSlices.
        """
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """Returns the number of accumulated gradients as an int32 scalar."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return gen_ops.accumulator_num_accumulated(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """Sets the step of the accumulator. Gradients of earlier steps are dropped, and each take increments the step.

        Args:
          new_global_step: integer scalar.
          name: optional name of the operation.

        Returns:
          An operation.
        """
        step = math_ops.cast(convert_to_tensor(new_global_step), _dtypes.int64)
        return gen_ops.accumulator_set_global_step(self._accumulator_ref, step, name=name)
