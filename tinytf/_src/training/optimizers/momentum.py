"""The momentum optimizer."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops import math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step


@tf_export("train.MomentumOptimizer")
class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum: `accumulation = momentum * accumulation + grad; var -= learning_rate *
    accumulation`.

    With a sparse gradient, rows without a gradient keep their accumulation. The slot is "momentum".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      momentum: decay rate of the accumulation, of the same kind.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.
      use_nesterov: bool, whether to step by the gradient plus `momentum` times the accumulation (Nesterov momentum).
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov
        self._learning_rate_tensor: Any = None
        self._momentum_tensor: Any = None

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyper(self._learning_rate, "learning_rate")
        self._momentum_tensor = self._hyper(self._momentum, "momentum")

    @once_per_step
    def _hypers(self, dtype: Any) -> tuple[Tensor, Tensor]:
        return math_ops.cast(self._learning_rate_tensor, dtype), math_ops.cast(self._momentum_tensor, dtype)

    def _options(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        slot = self.get_slot(var, "momentum")
        rate, momentum = self._hypers(var.dtype.base_dtype)
        return gen_ops.apply_momentum(var, slot, rate, grad, momentum, **self._options()).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        slot = self.get_slot(handle, "momentum")
        rate, momentum = self._hypers(grad.dtype.base_dtype)
        return gen_ops.resource_apply_momentum(handle.handle, slot.handle, rate, grad, momentum, **self._options())

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        slot = self.get_slot(var, "momentum")
        rate, momentum = self._hypers(var.dtype.base_dtype)
        return gen_ops.sparse_apply_momentum(var, slot, rate, grad.values, grad.indices, momentum, **self._options()).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        slot = self.get_slot(handle, "momentum")
        rate, momentum = self._hypers(grad.dtype)
        return gen_ops.resource_sparse_apply_momentum(
            handle.handle, slot.handle, rate, grad, indices, momentum, **self._options()
        )
