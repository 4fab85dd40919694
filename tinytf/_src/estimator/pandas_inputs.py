"""`tf.estimator.inputs.pandas_input_fn`: pandas data frames as input. Nothing else needs pandas."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._src.estimator.fed_queues import dequeued, queue_of_rows
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes


@tf_export("estimator.inputs.pandas_input_fn")
@called_by_users
def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """Returns an input function that yields batches of rows of a pandas data frame; features are a dict of its columns.

    Args:
      x: features, a DataFrame. Copied.
      y: labels with the same index: a Series, a DataFrame, which makes labels a dict, or None.
      batch_size, num_epochs, shuffle, num_threads: as of `numpy_input_fn`.
      queue_capacity: int, maximal number of rows in the queue; None: all rows, or four times as many when shuffling.
      target_column: str, a name that no column of `x` has.

    Returns:
      A function that returns the features, or (features, labels), as tensors.

    Raises:
      ValueError: if `shuffle` is not a bool, the indices differ, or `x` has a column named `target_column`.
      TypeError: if `target_column` is not a string, or pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise TypeError("pandas_input_fn should not be called without pandas installed") from None
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for training); "
            f"got {shuffle}"
        )
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    x = x.copy()
    labels: dict[Any, Any] = {}  # column of `x` for each label
    if y is not None:
        if target_column in x:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already has a column with that name: "
                f"{x.columns}"
            )
        if not np.array_equal(x.index, y.index):
            raise ValueError(f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}\n")
        labels = _label_columns(x, y) if isinstance(y, pd.DataFrame) else {None: target_column}
        x[list(labels.values()) if isinstance(y, pd.DataFrame) else target_column] = y
    capacity = queue_capacity if queue_capacity is not None else (4 if shuffle else 1) * len(x)

    @called_by_users
    def input_fn() -> Any:
        arrays = [x.index.to_numpy(), *(x[column].to_numpy() for column in x.columns)]
        types = [dtypes.as_dtype(array.dtype) for array in arrays]
        least = int(max(capacity / 4, 1))
        queue = queue_of_rows(arrays, types, capacity, shuffle, least, num_threads, batch_size, num_epochs)
        features = dict(zip(x.columns, dequeued(queue, batch_size, num_epochs)[1:]))
        if y is None:
            return features
        targets = {name: features.pop(column) for name, column in labels.items()}
        return features, targets if isinstance(y, pd.DataFrame) else targets[None]

    return input_fn


def _label_columns(x: Any, y: Any) -> dict[Any, Any]:
    """Returns a column name for each label that `x` does not have yet."""
    return {name: f"{name}_{uuid.uuid4()}" if name in x else name for name in y}
