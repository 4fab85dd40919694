"""Seeds of datasets with random numbers, as tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.apply import random_seed
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array_ops import where
from tinytf._src.ops.math_ops import equal


def get_seed(seed: Any) -> tuple[Any, Any]:
    """Returns the pair of int64 seeds of a dataset. (0, 0), which means no seed, becomes (0, 2**31 - 1).

    Args:
      seed: int or int64 tensor, the seed of the dataset; None means the graph-level seed, if there is one.

    Returns:
      Two scalar tensors.
    """
    first: Any
    second: Any
    first, second = random_seed.get_seed(seed)
    if first is None:
        first = constant(0, dtype=dtypes.int64, name="seed")
    else:
        first = convert_to_tensor(first, dtype=dtypes.int64, name="seed")
    if second is None:
        return first, constant(0, dtype=dtypes.int64, name="seed2")
    with name_scope("seed2") as scope:
        second = convert_to_tensor(second, dtype=dtypes.int64)
        is_none = gen_ops.logical_and(equal(first, 0), equal(second, 0))
        return first, where(is_none, constant(2**31 - 1, dtype=dtypes.int64), second, name=scope)
