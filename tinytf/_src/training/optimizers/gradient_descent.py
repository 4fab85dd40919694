"""The gradient descent optimizer."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops import math_ops
from tinytf._src.training.optimizers.optimizer import Optimizer


@tf_export("train.GradientDescentOptimizer")
class GradientDescentOptimizer(Optimizer):
    """Gradient descent: `var -= learning_rate * grad`.

    Args:
      learning_rate: float, scalar tensor, or function without arguments that returns one.
      use_locking: bool, as in `Optimizer`.
      name: str, as in `Optimizer`.

    Example:
      train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyper(self._learning_rate, "learning_rate")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        return gen_ops.apply_gradient_descent(var, rate, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, grad.dtype.base_dtype)
        return gen_ops.resource_apply_gradient_descent(handle.handle, rate, grad, use_locking=self._use_locking)

    # Repeated indices need no deduplication, because subtraction accumulates them.

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        step = grad.values * math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        return var.scatter_sub(IndexedSlices(step, grad.indices, grad.dense_shape), use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        rate = self._learning_rate
        if executing_eagerly() or callable(rate):
            rate = math_ops.cast(self._learning_rate_tensor, grad.dtype.base_dtype)
        step = -grad * rate
        return gen_ops.resource_scatter_add(handle.handle, indices, step)
