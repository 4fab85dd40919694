"""Selection and splitting of predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any


def chosen(predictions: Any, keys: Any) -> Any:
    """Returns the selected predictions; all if `keys` is empty. ValueError if none is selected."""
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    found = {key: value for key, value in predictions.items() if key in keys}
    if not found:
        raise ValueError(f"Expected to run at least one output from {predictions.keys()}, provided {keys}.")
    return found


def examples(values: Any) -> Iterator[Any]:
    """Splits a batch into examples. ValueError for different batch sizes, IndexError for scalars."""
    if not isinstance(values, dict):
        yield from values
        return
    length = None
    for key, value in values.items():
        if not value.ndim:
            raise IndexError(
                f"Prediction {key} is a scalar: it needs a first dimension with one entry for each example."
            )
        length = length or value.shape[0]
        if value.shape[0] != length:
            raise ValueError(
                f"Batch length of predictions should be same. {key} has different batch length than others."
            )
    if length is None:
        raise ValueError("The dict of predictions is empty.")
    for i in range(length):
        yield {key: value[i] for key, value in values.items()}


class InGraph:
    """Wraps a session's context manager so that its exit, including hooks' `end`, runs inside the context manager
    `block()`."""

    def __init__(self, session: Any, block: Callable[[], AbstractContextManager[Any]]) -> None:
        self._session = session
        self._block = block

    def __enter__(self) -> Any:
        return self._session.__enter__()

    def __exit__(self, *error: Any) -> bool:
        with self._block():
            return self._session.__exit__(*error)
