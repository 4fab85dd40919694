"""The RMSProp optimizer."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step
from tinytf._src.variables import initializers


@tf_export("train.RMSPropOptimizer")
class RMSPropOptimizer(Optimizer):
    """RMSProp (Hinton): divides the gradient by its running root mean square.

    `rms = decay * rms + (1 - decay) * grad ** 2; mom = momentum * mom + learning_rate * grad / sqrt(rms + epsilon); var
    -= mom`. The slots are "rms" (initially 1), "momentum" and, if `centered` is True, "mg".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      decay: decay rate of the averages, of the same kind.
      momentum: decay rate of the momentum, of the same kind.
      epsilon: constant for numerical stability, of the same kind.
      use_locking: bool, as in `Optimizer`.
      centered: bool, whether to track the mean gradient and divide by the standard deviation instead.
      name: str, as in `Optimizer`.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered
        self._tensors: tuple[Tensor, ...] = ()

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            known = var.get_shape().is_fully_defined()
            ones = initializers.ones_initializer(dtype) if known else array_ops.ones_like(var)
            self._get_or_make_slot_with_initializer(var, ones, var.get_shape(), dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._tensors = (
            self._hyper(self._learning_rate, "learning_rate"),
            self._hyper(self._decay, "decay"),
            self._hyper(self._momentum, "momentum"),
            self._hyper(self._epsilon, "epsilon"),
        )

    @once_per_step
    def _hypers(self, dtype: Any) -> list[Tensor]:
        return [math_ops.cast(tensor, dtype) for tensor in self._tensors]

    def _state(self, var: Any) -> list[Any]:
        """Returns the slots in the order of the ops' arguments."""
        return [self.get_slot(var, name) for name in (["mg"] if self._centered else []) + ["rms", "momentum"]]

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        apply: Any = gen_ops.apply_centered_rms_prop if self._centered else gen_ops.apply_rms_prop
        hypers = self._hypers(var.dtype.base_dtype)
        return apply(var, *self._state(var), *hypers, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        apply: Any = gen_ops.resource_apply_centered_rms_prop if self._centered else gen_ops.resource_apply_rms_prop
        slots = [slot.handle for slot in self._state(handle)]
        hypers = self._hypers(grad.dtype.base_dtype)
        return apply(handle.handle, *slots, *hypers, grad, use_locking=self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        apply: Any = gen_ops.sparse_apply_centered_rms_prop if self._centered else gen_ops.sparse_apply_rms_prop
        hypers = self._hypers(var.dtype.base_dtype)
        return apply(var, *self._state(var), *hypers, grad.values, grad.indices, use_locking=self._use_locking).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        apply: Any = (
            gen_ops.resource_sparse_apply_centered_rms_prop
            if self._centered
            else gen_ops.resource_sparse_apply_rms_prop
        )
        slots = [slot.handle for slot in self._state(handle)]
        return apply(handle.handle, *slots, *self._hypers(grad.dtype), grad, indices, use_locking=self._use_locking)
