"""The Adadelta optimizer."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops import math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step


@tf_export("train.AdadeltaOptimizer")
class AdadeltaOptimizer(Optimizer):
    """Adadelta (Zeiler, 2012): scales each step by the ratio of the running magnitudes of past steps and of gradients.

    The slots are "accum" and "accum_update".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      rho: decay rate of the running averages, of the same kind.
      epsilon: constant for numerical stability, of the same kind.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._rho = rho
        self._epsilon = epsilon
        self._tensors: tuple[Tensor, ...] = ()

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "accum", self._name)
            self._zeros_slot(var, "accum_update", self._name)

    def _prepare(self) -> None:
        self._tensors = (
            self._hyper(self._lr, "lr"),
            self._hyper(self._rho, "rho"),
            self._hyper(self._epsilon, "epsilon"),
        )

    @once_per_step
    def _hypers(self, dtype: Any) -> tuple[Tensor, Tensor, Tensor]:
        first, second, third = (math_ops.cast(tensor, dtype) for tensor in self._tensors)
        return first, second, third

    def _state(self, var: Any) -> tuple[Any, Any]:
        return self.get_slot(var, "accum"), self.get_slot(var, "accum_update")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.apply_adadelta(var, *self._state(var), *hypers, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        first, second = self._state(handle)
        hypers = self._hypers(grad.dtype.base_dtype)
        return gen_ops.resource_apply_adadelta(
            handle.handle, first.handle, second.handle, *hypers, grad, use_locking=self._use_locking
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.sparse_apply_adadelta(
            var, *self._state(var), *hypers, grad.values, grad.indices, use_locking=self._use_locking
        ).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        first, second = self._state(handle)
        return gen_ops.resource_sparse_apply_adadelta(
            handle.handle,
            first.handle,
            second.handle,
            *self._hypers(grad.dtype),
            grad,
            indices,
            use_locking=self._use_locking,
        )
