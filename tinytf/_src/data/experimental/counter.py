"""`Counter`: numbers without end."""

from __future__ import annotations

import functools
from typing import Any

from tinytf._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tinytf._src.data.experimental.scans import scan
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


@tf_export("compat.v2.data.experimental.Counter")
@called_by_users
def CounterV2(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    """The numbers `start`, `start + step` and so on, without end.

    Args:
      start: scalar, the first number.
      step: scalar.
      dtype: DType of the numbers.

    Returns:
      Dataset of scalars.
    """
    with name_scope("counter"):
        start = convert_to_tensor(start, dtype=dtype, name="start")
        step = convert_to_tensor(step, dtype=dtype, name="step")
        ticks = DatasetV1.from_tensors(0).repeat(None)
        return ticks.apply(scan(start, lambda state, _: (state + step, state)))


@tf_export("data.experimental.Counter")
@called_by_users
@functools.wraps(CounterV2)
def CounterV1(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    return DatasetV1Adapter(CounterV2(start, step, dtype))
