"""The largest elements."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import REPORTED, leave_to_user
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor


@tf_export("math.top_k", "nn.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The `k` largest elements of the last dimension and their int32 indices, `values` and `indices`.

    Of equal elements the one with the lower index comes first. InvalidArgumentError if there are fewer than `k`.
    """
    try:
        return gen_ops.top_kv2(input, k, sorted=sorted, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("math.in_top_k", "nn.in_top_k")
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """For each row of `predictions` whether its element `targets[row]` is one of the `k` largest: bools [batch]."""
    with name_scope(name, "in_top_k"):
        return gen_ops.in_top_kv2(predictions, targets, k, name=name)
