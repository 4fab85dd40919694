"""`tf.estimator.inputs.pandas_input_fn`: data frames of pandas as input. pandas is not needed for anything else."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf.estimators.fed_queues import dequeued, queue_of_rows
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users


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
    """An input function of the rows of a data frame; features are a dict of its columns.

    Args:
      x: features, a DataFrame. Copied.
      y: labels with the same index: a Series, or a DataFrame, which makes labels a dict; None: there are none.
      batch_size, num_epochs, shuffle, num_threads: as for `numpy_input_fn`.
      queue_capacity: rows in the queue at most; all, or four times as many when shuffling, when None.
      target_column: a name that no column of `x` has.

    ValueError unless `shuffle` is a boolean, for labels with another index, and for that name; TypeError for a name that is
    none, and where there is no pandas.
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
    labels: dict[Any, Any] = {}  # columns of `x` by names of labels
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
    """Columns for the labels that `x` does not have yet."""
    return {name: f"{name}_{uuid.uuid4()}" if name in x else name for name in y}
