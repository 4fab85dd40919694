"""Proximal gradient descent and proximal Adagrad, which apply l1 and l2 penalties exactly at each step."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops import math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step

# Methods of both classes. They have no common base class because programs may inspect `__base__`, which is Optimizer.


def _prepare(self: Any) -> None:
    self._tensors = (
        self._hyper(self._learning_rate, "learning_rate"),
        self._hyper(self._l1_regularization_strength, "l1_regularization_strength"),
        self._hyper(self._l2_regularization_strength, "l2_regularization_strength"),
    )


@once_per_step
def _hypers(self: Any, dtype: Any) -> tuple[Tensor, Tensor, Tensor]:
    first, second, third = (math_ops.cast(tensor, dtype) for tensor in self._tensors)
    return first, second, third


@tf_export("train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(Optimizer):
    """Proximal gradient descent (Duchi and Singer, 2009): a gradient step, then shrinkage towards 0.

    Args:
      learning_rate: float or scalar tensor.
      l1_regularization_strength: float or scalar tensor, weight of the l1 penalty on the variables.
      l2_regularization_strength: float or scalar tensor, weight of the l2 penalty on the variables.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.
    """

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._tensors: tuple[Tensor, ...] = ()

    _prepare = _prepare
    _hypers = _hypers

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.apply_proximal_gradient_descent(var, *hypers, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        hypers = self._hypers(grad.dtype.base_dtype)
        return gen_ops.resource_apply_proximal_gradient_descent(
            handle.handle, *hypers, grad, use_locking=self._use_locking
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.sparse_apply_proximal_gradient_descent(
            var, *hypers, grad.values, grad.indices, use_locking=self._use_locking
        ).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return gen_ops.resource_sparse_apply_proximal_gradient_descent(
            handle.handle, *self._hypers(grad.dtype), grad, indices, use_locking=self._use_locking
        )


@tf_export("train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(Optimizer):
    """Proximal gradient descent with the learning rates of Adagrad. The slot is "accumulator".

    Args:
      initial_accumulator_value: float, initial value of the accumulators.
      learning_rate, l1_regularization_strength, l2_regularization_strength: as in `ProximalGradientDescentOptimizer`.
      use_locking, name: as in `Optimizer`.

    Raises:
      ValueError: if `initial_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._tensors: tuple[Tensor, ...] = ()
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            with colocate_with(var):
                initial = constant(self._initial_accumulator_value, dtype=dtype, shape=var.get_shape())
            self._get_or_make_slot(var, initial, "accumulator", self._name)

    _prepare = _prepare
    _hypers = _hypers

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        slot = self.get_slot(var, "accumulator")
        return gen_ops.apply_proximal_adagrad(var, slot, *hypers, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        hypers = self._hypers(grad.dtype.base_dtype)
        slot = self.get_slot(handle, "accumulator")
        return gen_ops.resource_apply_proximal_adagrad(
            handle.handle, slot.handle, *hypers, grad, use_locking=self._use_locking
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        slot = self.get_slot(var, "accumulator")
        return gen_ops.sparse_apply_proximal_adagrad(
            var, slot, *hypers, grad.values, grad.indices, use_locking=self._use_locking
        ).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        slot = self.get_slot(handle, "accumulator")
        return gen_ops.resource_sparse_apply_proximal_adagrad(
            handle.handle, slot.handle, *self._hypers(grad.dtype), grad, indices, use_locking=self._use_locking
        )
