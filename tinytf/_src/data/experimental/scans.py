"""`scan`: a map with a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data.dataset import DatasetV2Adapter
from tinytf._src.data.kinds.scans import ScanDataset
from tinytf._src.exports import tf_export


@tf_export("data.experimental.scan")
def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Callable[[Any], Any]:
    """Calls a function for each element with a state.

    Args:
      initial_state: nested structure of tensors.
      scan_func: takes a state and an element; returns the next state and an element of the result.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises TypeError if `scan_func` returns no pair, or a state of other
      types.
    """

    def transformation(dataset: Any) -> Any:
        return DatasetV2Adapter(ScanDataset(dataset, initial_state, scan_func))

    return transformation
