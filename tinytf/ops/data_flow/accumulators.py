"""Conditional accumulators: gradients of several workers, taken when there are enough."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes as _dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.execution import current_scope, executing_eagerly
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
