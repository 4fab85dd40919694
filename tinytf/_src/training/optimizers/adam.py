"""The Adam optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies
from tinytf._src.ops import control_flow_ops, math_ops
from tinytf._src.ops.state import scatter_updates, state_ops
from tinytf._src.training.optimizers.optimizer import Optimizer, once_per_step
from tinytf._src.training.optimizers.state import graph_of_mode


@tf_export("train.AdamOptimizer")
class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2015): steps by a running average of the gradient, scaled by one of its square.

    `m = beta1 * m + (1 - beta1) * grad; v = beta2 * v + (1 - beta2) * grad ** 2; var -= learning_rate * sqrt(1 - beta2
    ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)`. With a sparse gradient, too, m and v of all rows decay and all
    rows are updated. The slots are "m" and "v".

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      beta1: decay rate of the average of gradients, of the same kind.
      beta2: decay rate of the average of squared gradients, of the same kind.
      epsilon: constant for numerical stability, of the same kind.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.

    Example:
      train_op = tf.train.AdamOptimizer(0.001).minimize(loss)
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        """Returns the variables of beta1 ** t and beta2 ** t of the default graph, or of eager execution."""
        graph = graph_of_mode()
        return self._get_non_slot_variable("beta1_power", graph), self._get_non_slot_variable("beta2_power", graph)

    def _create_slots(self, var_list: list[Any]) -> None:
        # The powers are placed with the first variable by name, so that their device does not depend on the order of
        # variables.
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._call_if_callable(self._beta1), "beta1_power", first)
        self._create_non_slot_variable(self._call_if_callable(self._beta2), "beta2_power", first)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        self._lr_t = self._hyper(self._lr, "learning_rate")
        self._beta1_t = self._hyper(self._beta1, "beta1")
        self._beta2_t = self._hyper(self._beta2, "beta2")
        self._epsilon_t = self._hyper(self._epsilon, "epsilon")

    @once_per_step
    def _hypers(self, dtype: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
        """Returns beta1_power, beta2_power, learning rate, beta1, beta2 and epsilon."""
        beta1_power, beta2_power = self._get_beta_accumulators()
        return (
            math_ops.cast(beta1_power, dtype),
            math_ops.cast(beta2_power, dtype),
            math_ops.cast(self._lr_t, dtype),
            math_ops.cast(self._beta1_t, dtype),
            math_ops.cast(self._beta2_t, dtype),
            math_ops.cast(self._epsilon_t, dtype),
        )

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        hypers = self._hypers(var.dtype.base_dtype)
        return gen_ops.apply_adam(var, m, v, *hypers, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        m, v = self.get_slot(handle, "m"), self.get_slot(handle, "v")
        hypers = self._hypers(grad.dtype.base_dtype)
        return gen_ops.resource_apply_adam(
            handle.handle, m.handle, v.handle, *hypers, grad, use_locking=self._use_locking
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        def scatter_add(slot: Any, indices: Tensor, values: Tensor) -> Any:
            return scatter_updates.scatter_add(slot, indices, values, use_locking=self._use_locking)

        return self._apply_rows(grad.values, var, grad.indices, scatter_add)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        def scatter_add(slot: Any, indices: Tensor, values: Tensor) -> Any:
            with control_dependencies([gen_ops.resource_scatter_add(slot.handle, indices, values)]):
                return slot.value()

        return self._apply_rows(grad, handle, indices, scatter_add)

    def _apply_rows(self, grad: Tensor, var: Any, indices: Tensor, scatter_add: Callable[..., Any]) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._hypers(var.dtype.base_dtype)
        rate = rate * gen_ops.sqrt(1 - beta2_power) / (1 - beta1_power)

        def averaged(slot: Any, decay: Tensor, term: Tensor) -> Any:
            decayed = state_ops.assign(slot, slot * decay, use_locking=self._use_locking)
            with control_dependencies([decayed]):
                return scatter_add(slot, indices, term)

        m = self.get_slot(var, "m")
        m_t = averaged(m, beta1, grad * (1 - beta1))
        v = self.get_slot(var, "v")
        v_t = averaged(v, beta2, (grad * grad) * (1 - beta2))
        root = gen_ops.sqrt(v_t)
        update = state_ops.assign_sub(var, rate * m_t / (root + epsilon), use_locking=self._use_locking)
        return control_flow_ops.group(update, m_t, v_t)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with colocate_with(beta1_power):
                powers = [
                    power.assign(power * beta, use_locking=self._use_locking)
                    for power, beta in ((beta1_power, self._beta1_t), (beta2_power, self._beta2_t))
                ]
        return control_flow_ops.group(*update_ops, *powers, name=name_scope)
