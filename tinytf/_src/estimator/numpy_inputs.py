"""`tf.estimator.inputs.numpy_input_fn`: NumPy arrays as input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._src.estimator.fed_queues import dequeued, queue_of_rows
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes

_ONLY = "__direct_np_input__"  # key of features that are a single array


@tf_export("estimator.inputs.numpy_input_fn")
@called_by_users
def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """Returns an input function that yields batches of rows of NumPy arrays.

    Args:
      x: features: an array, or a dict of arrays by name.
      y: labels of the same length: an array, a dict of arrays with other names, or None.
      batch_size: int, rows in a batch; the last one may be smaller.
      num_epochs: int, how often each row is read; None: indefinitely.
      shuffle: bool, whether rows come in random order; required.
      queue_capacity: int, maximal number of rows in the queue.
      num_threads: int, threads that fill the queue; each reads all epochs.

    Returns:
      A function that returns the features, or (features, labels), as tensors in the structures of `x` and `y`.

    Raises:
      ValueError: if `shuffle` is not a bool. The returned function raises it for empty arrays, different lengths, and
        keys in both `x` and `y`.
      TypeError: raised by the returned function if `x` is neither an array nor a dict.
    """
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for training); "
            f"got {shuffle}"
        )

    @called_by_users
    def input_fn() -> Any:
        features, labels = _by_key(x), _labels(y)
        both = set(features) & set(labels)
        if both:
            raise ValueError(f"{len(both)} duplicate keys are found in both x and y: {both}")
        arrays = [*features.values(), *labels.values()]
        if len({array.shape[0] for array in arrays}) != 1:
            raise ValueError(_mismatch(features, y))
        columns = [np.arange(arrays[0].shape[0]), *arrays]
        types = [dtypes.int64, *(dtypes.as_dtype(array.dtype) for array in arrays)]
        queue = queue_of_rows(columns, types, queue_capacity, shuffle, None, num_threads, batch_size, num_epochs)
        batch = dequeued(queue, batch_size, num_epochs)[1:]
        named = dict(zip(features, batch))
        given = named if isinstance(x, dict) else batch[0]
        if y is None:
            return given
        return given, dict(zip(labels, batch[len(features) :])) if isinstance(y, dict) else batch[-1]

    return input_fn


def _by_key(x: Any) -> dict[Any, Any]:
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return dict(sorted(x.items(), key=lambda item: item[0]))
    if not isinstance(x, np.ndarray):
        raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
    if x.size == 0:
        raise ValueError("x cannot be an empty array")
    return {_ONLY: x}


def _labels(y: Any) -> dict[Any, Any]:
    """Returns the labels by key; a single array gets a key that features cannot have."""
    if y is None:
        return {}
    if not isinstance(y, dict):
        return {object(): y}
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    return dict(sorted(y.items(), key=lambda item: item[0]))


def _mismatch(features: dict[Any, Any], y: Any) -> str:
    of_y = None if y is None else {k: y[k].shape for k in sorted(y)} if isinstance(y, dict) else y.shape
    return (
        "Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\n"
        f"Shapes in x: { {key: array.shape for key, array in features.items()} }\nShapes in y: {of_y}\n"
    )
