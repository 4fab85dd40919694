"""The k largest elements."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope


@tf_export("math.top_k", "nn.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """Finds the `k` largest elements of the last dimension; of equal elements the one with the lower index comes first.

    Args:
      input: real tensor of rank 1 or more, with a last dimension of at least `k`.
      k: int32 scalar.
      sorted: bool, whether results are sorted in descending order.
      name: optional name of the operation.

    Returns:
      A named tuple (values, indices) of tensors whose last dimension is `k`; `indices` is int32.
    """
    try:
        return gen_ops.top_kv2(input, k, sorted=sorted, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.in_top_k", "nn.in_top_k")
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Tells for each row of predictions whether the target class is among the `k` highest ones.

    Args:
      predictions: float32 tensor [batch, classes].
      targets: int32 or int64 vector [batch] of class indices.
      k: integer scalar.
      name: optional name of the name scope.

    Returns:
      A bool vector [batch].
    """
    with name_scope(name, "in_top_k"):
        return gen_ops.in_top_kv2(predictions, targets, k, name=name)
