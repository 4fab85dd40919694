"""The Adagrad optimizer with dual averaging."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step


@tf_export("train.AdagradDAOptimizer")
class AdagradDAOptimizer(Optimizer):
    """Adagrad with dual averaging (Duchi and others, 2011), for sparse linear models.

    The slots are "gradient_accumulator" and "gradient_squared_accumulator".

    Args:
      learning_rate: float or scalar tensor.
      global_step: integer scalar Variable that counts the steps.
      initial_gradient_squared_accumulator_value: float, initial value of the accumulators.
      l1_regularization_strength: float, weight of the l1 penalty on the variables.
      l2_regularization_strength: float, weight of the l2 penalty on the variables.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.

    Raises:
      ValueError: if `initial_gradient_squared_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._global_step = global_step
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._learning_rate_tensor: Any = None
        self._global_step_on_worker: Any = None

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            if executing_eagerly() and self.get_slot(var, "gradient_accumulator") is not None:
                continue
            dtype, shape = var.dtype.base_dtype, var.get_shape()
            with colocate_with(var):
                sums = constant(0.0, dtype=dtype, shape=shape)
                squares = constant(self._initial_gradient_squared_accumulator_value, dtype=dtype, shape=shape)
            self._get_or_make_slot(var, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(var, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyper(self._learning_rate, "learning_rate")
        with colocate_with(self._learning_rate_tensor):
            self._global_step_on_worker = array_ops.identity(self._global_step) + 1

    @once_per_step
    def _hypers(self, dtype: Any) -> tuple[Any, Any, Any, Any]:
        step = self._global_step_on_worker
        if not executing_eagerly():
            # Placed with the variable, because updates are colocated with their variables.
            step = array_ops.identity(step)
        return (
            math_ops.cast(self._learning_rate_tensor, dtype),
            math_ops.cast(self._l1_regularization_strength, dtype),
            math_ops.cast(self._l2_regularization_strength, dtype),
            step,
        )

    def _state(self, var: Any) -> tuple[Any, Any]:
        return self.get_slot(var, "gradient_accumulator"), self.get_slot(var, "gradient_squared_accumulator")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.apply_adagrad_da(var, *self._state(var), grad, *hypers, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        first, second = self._state(handle)
        hypers = self._hypers(grad.dtype.base_dtype)
        return gen_ops.resource_apply_adagrad_da(
            handle.handle, first.handle, second.handle, grad, *hypers, use_locking=self._use_locking
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.sparse_apply_adagrad_da(
            var, *self._state(var), grad.values, grad.indices, *hypers, use_locking=self._use_locking
        ).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        first, second = self._state(handle)
        return gen_ops.resource_sparse_apply_adagrad_da(
            handle.handle,
            first.handle,
            second.handle,
            grad,
            indices,
            *self._hypers(grad.dtype),
            use_locking=self._use_locking,
        )
