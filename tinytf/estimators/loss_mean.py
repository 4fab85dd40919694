"""The mean of losses."""

from __future__ import annotations

from typing import Any

from tinytf.framework import dtypes
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import control_dependencies
from tinytf.ops import array_ops, math_ops
from tinytf.ops.state import state_ops
from tinytf.variables import scope as variable_scope


def mean(values: Any) -> tuple[Any, Any]:
    """Value and update."""
    with variable_scope.variable_scope(None, "mean", (values,)):
        values = math_ops.cast(values, dtypes.float32)

        def zero(name):
            return variable_scope.variable(
                lambda: array_ops.zeros([], dtypes.float32),
                trainable=False,
                collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
                validate_shape=True,
                name=name,
            )

        total, count = zero("total"), zero("count")
        number = math_ops.cast(array_ops.size(values), dtypes.float32)
        update_total = state_ops.assign_add(total, math_ops.reduce_sum(values))
        with control_dependencies([values]):
            update_count = state_ops.assign_add(count, number)
        return math_ops.div_no_nan(total, count), math_ops.div_no_nan(
            update_total, math_ops.maximum(update_count, 0), name="update_op"
        )
