"""The inputs of layers: nested structures of tensors and of values that stand for tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_VALUES = (np.ndarray, float, int)  # Input types that are converted to tensors.


def with_tensors(inputs: Any) -> Any:
    """Returns the inputs with tensors in place of arrays and numbers."""
    return nest.map_structure(lambda x: convert_to_tensor(x) if isinstance(x, _VALUES) else x, inputs)


def dtype_of(inputs: Any) -> str | None:
    """Returns the name of the first input's dtype; None if there is none."""
    leaves = nest.flatten(inputs)
    if not leaves or not hasattr(leaves[0], "dtype"):
        return None
    return dtypes.as_dtype(leaves[0].dtype).base_dtype.name


def shapes_of(inputs: Any) -> Any:
    """Returns the structure of the inputs' shapes; None if an input has no shape."""
    if not all(hasattr(x, "shape") for x in nest.flatten(inputs)):
        return None
    return nest.map_structure(lambda x: x.shape, inputs)
