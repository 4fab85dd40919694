"""Matrices that are stored as several variables."""

from __future__ import annotations

from typing import Any

import tinytf as tf


def sharded_matrix(name: str, shape: list[int], dtype: Any, shards: int) -> Any:
    """Returns a matrix whose rows are split among variables `name_0`, `name_1`, ...

    If the rows cannot be split evenly, the first variables have one more. The concatenation is created once per
    variable scope. Raises ValueError if there are more shards than rows.
    """
    rows, columns = shape
    if shards > rows:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={shards}")
    least, more = divmod(rows, shards)
    parts = [tf.get_variable(f"{name}_{i}", [least + (i < more), columns], dtype=dtype) for i in range(shards)]
    if len(parts) == 1:
        return parts[0]
    joined = f"{name}/concat"
    known = tf.get_collection(tf.GraphKeys.CONCATENATED_VARIABLES)
    wanted = f"{tf.get_variable_scope().name}/{joined}:0"
    for value in known:
        if value.name == wanted:
            return value
    value = tf.concat(parts, 0, name=joined)
    tf.add_to_collection(tf.GraphKeys.CONCATENATED_VARIABLES, value)
    return value
