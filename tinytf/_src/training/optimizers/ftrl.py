"""The FTRL optimizer."""

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


@tf_export("train.FtrlOptimizer")
class FtrlOptimizer(Optimizer):
    """FTRL, "follow the regularized leader" (McMahan and others, 2013), for large and sparse models.

    The slots are "accum" and "linear".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      learning_rate_power: float, at most 0, exponent with which the learning rate decreases with the accumulator.
      initial_accumulator_value: float, at least 0, initial value of "accum".
      l1_regularization_strength: float, at least 0, weight of the l1 penalty on the variables.
      l2_regularization_strength: float, at least 0, weight of the l2 penalty on the variables.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.
      accum_name: optional suffix of the names of "accum" slots; defaults to `name`.
      linear_name: optional suffix of the names of "linear" slots; defaults to `name`.
      l2_shrinkage_regularization_strength: float, at least 0, weight of a penalty on the magnitude of the gradient.

    Raises:
      ValueError: if a number is out of its range.
    """

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:
        super().__init__(use_locking, name)
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        for what, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0.0:
                raise ValueError(f"{what} {value:f} needs to be positive or zero")
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name
        self._tensors: tuple[Tensor, ...] = ()

    @property
    def _shrinks(self) -> bool:
        return self._l2_shrinkage_regularization_strength > 0.0

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            with colocate_with(var):
                initial = constant(self._initial_accumulator_value, dtype=var.dtype.base_dtype, shape=var.get_shape())
                self._get_or_make_slot(var, initial, "accum", self._accum_name or self._name)
                self._zeros_slot(var, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        rate = self._hyper(self._learning_rate, "learning_rate")
        l1 = self._hyper(self._l1_regularization_strength, "l1_regularization_strength")
        l2 = self._hyper(self._l2_regularization_strength, "l2_regularization_strength")
        shrinkage = self._hyper(self._l2_shrinkage_regularization_strength, "l2_shrinkage_regularization_strength")
        power = self._hyper(self._learning_rate_power, "learning_rate_power")
        self._tensors = (rate, l1, l2, shrinkage, power) if self._shrinks else (rate, l1, l2, power)

    @once_per_step
    def _hypers(self, dtype: Any) -> list[Tensor]:
        return [math_ops.cast(tensor, dtype) for tensor in self._tensors]

    def _state(self, var: Any) -> tuple[Any, Any]:
        return self.get_slot(var, "accum"), self.get_slot(var, "linear")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        apply: Any = gen_ops.apply_ftrl_v2 if self._shrinks else gen_ops.apply_ftrl
        hypers = self._hypers(var.dtype.base_dtype)
        return apply(var, *self._state(var), grad, *hypers, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        apply: Any = gen_ops.resource_apply_ftrl_v2 if self._shrinks else gen_ops.resource_apply_ftrl
        slots = [slot.handle for slot in self._state(handle)]
        hypers = self._hypers(handle.dtype.base_dtype)
        return apply(handle.handle, *slots, grad, *hypers, use_locking=self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        apply: Any = gen_ops.sparse_apply_ftrl_v2 if self._shrinks else gen_ops.sparse_apply_ftrl
        hypers = self._hypers(var.dtype.base_dtype)
        return apply(var, *self._state(var), grad.values, grad.indices, *hypers, use_locking=self._use_locking).op

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        apply: Any = gen_ops.resource_sparse_apply_ftrl_v2 if self._shrinks else gen_ops.resource_sparse_apply_ftrl
        slots = [slot.handle for slot in self._state(handle)]
        hypers = self._hypers(grad.dtype)
        return apply(handle.handle, *slots, grad, indices, *hypers, use_locking=self._use_locking)
