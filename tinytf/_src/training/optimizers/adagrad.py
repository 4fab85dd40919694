"""The Adagrad optimizer."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer
from tinytf._src.variables import initializers


@tf_export("train.AdagradOptimizer")
class AdagradOptimizer(Optimizer):
    """Adagrad (Duchi and others, 2011): `accumulator += grad ** 2; var -= learning_rate * grad / sqrt(accumulator)`.

    The slot is "accumulator".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      initial_accumulator_value: float, initial value of the accumulators.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.

    Raises:
      ValueError: if `initial_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            if var.get_shape().is_fully_defined():
                initial: Any = initializers.constant_initializer(self._initial_accumulator_value, dtype=dtype)
            else:
                initial = self._filled(var, dtype)
            self._get_or_make_slot_with_initializer(var, initial, var.get_shape(), dtype, "accumulator", self._name)

    def _filled(self, var: Any, dtype: Any) -> Any:
        return lambda: math_ops.cast(gen_ops.fill(array_ops.shape(var), self._initial_accumulator_value), dtype)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyper(self._learning_rate, "learning_rate")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        slot = self.get_slot(var, "accumulator")
        return gen_ops.apply_adagrad(var, slot, rate, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, grad.dtype.base_dtype)
        slot = self.get_slot(handle, "accumulator")
        return gen_ops.resource_apply_adagrad(handle.handle, slot.handle, rate, grad, use_locking=self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        slot = self.get_slot(var, "accumulator")
        return gen_ops.sparse_apply_adagrad(
            var, slot, rate, grad.values, grad.indices, use_locking=self._use_locking
        ).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, grad.dtype)
        slot = self.get_slot(handle, "accumulator")
        return gen_ops.resource_sparse_apply_adagrad(
            handle.handle, slot.handle, rate, grad, indices, use_locking=self._use_locking
        )
