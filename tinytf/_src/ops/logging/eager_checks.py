"""Error messages of assertions that fail in eager execution, where the values are available."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from tinytf._src.framework.errors.errors_impl import InvalidArgumentError
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor

_SUMMARIZE = 3  # Default number of elements to print per tensor.


def fail_comparison(
    sign: str, x: Any, y: Any, holds: Any, data: Any, summarize: int | None, message: str | None
) -> NoReturn:
    """Raises the InvalidArgumentError of a failed `x sign y`. If `data` is None, it shows the elements that differ."""
    count = _count(summarize)
    if data is None:
        data = _differences(sign, x, y, holds, count)
    if message is not None:
        data = [message, *data]
    raise InvalidArgumentError(None, None, "\n".join(_shown(item, count) for item in data))


def fail_assertion(condition: Any, data: Any, summarize: int | None) -> NoReturn:
    """Raises the InvalidArgumentError of a failed `tf.Assert`."""
    text = "\n".join(_summary(tensor, _count(summarize)) for tensor in convert_n_to_tensor(data))
    raise InvalidArgumentError(None, None, f"Expected '{condition!s}' to be true. Summarized data: {text}")


def _count(summarize: int | None) -> int | None:
    """Returns the number of elements to print; None means all."""
    if summarize is None:
        return _SUMMARIZE
    return None if summarize < 0 else summarize


def _differences(sign: str, x: Any, y: Any, holds: Any, count: int | None) -> list[Any]:
    data: list[Any] = [f"Condition x {sign} y did not hold."]
    if count == 0:
        return data
    x_array, y_array = np.asarray(x), np.asarray(y)
    if x_array.shape == y_array.shape and x_array.ndim:
        wrong = ~np.asarray(holds)
        indices = np.argwhere(wrong)[:count]
        data += [f"Indices of first {len(indices)} different values:", indices]
        data += ["Corresponding x values:", x_array[wrong][:count], "Corresponding y values:", y_array[wrong][:count]]
    for name, array in (("x", x_array), ("y", y_array)):
        first = array.reshape(-1)[:count]
        data += [f"First {first.size} elements of {name}:", first]
    return data


def _shown(item: Any, count: int | None) -> str:
    if not isinstance(item, EagerTensor):
        return str(item)
    array = np.asarray(item)
    return str(array[:count] if array.ndim else array)


def _summary(tensor: Any, count: int | None) -> str:
    flat = np.asarray(tensor).reshape(-1)
    first = [str(element) for element in flat[:count]]
    return ", ".join([*first, "..."] if tensor.shape.ndims and len(first) < flat.size else first)
