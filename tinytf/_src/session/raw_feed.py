"""Feeds of functions described by `CallableOptions`: NumPy arrays are not converted, unlike in `Session.run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.type_text import type_text
from tinytf._src.session.feed import feed_array

# NumPy types that no tensor dtype corresponds to, by type character.
_UNSUPPORTED = {"g": "NPY_LONGDOUBLE", "G": "NPY_CLONGDOUBLE", "M": "NPY_DATETIME", "m": "NPY_TIMEDELTA"}


def raw_feeds(feeds: Sequence[Tensor]) -> Callable[[int, Any], np.ndarray]:
    """Returns the function (feed index, value) → array to feed.

    It raises InvalidArgumentError for a NumPy value whose dtype differs from the tensor's, InternalError for a NumPy
    type without a tensor dtype, and the errors of `feed_array`. Python numbers, strings and lists are converted.
    """

    def array_of(i: int, value: Any) -> np.ndarray:
        if isinstance(value, (np.ndarray, np.generic)):
            wanted, found = feeds[i].dtype.base_dtype, _type_of(value.dtype)
            if found != wanted:
                wanted_text, found_text = type_text(wanted.as_datatype_enum), type_text(found.as_datatype_enum)
                text = f"Expects arg[{i}] to be {wanted_text} but {found_text} is provided"
                raise errors_impl.InvalidArgumentError(None, None, text)
        return feed_array(feeds[i], value)

    return array_of


def _type_of(numpy_type: np.dtype[Any]) -> dtypes.DType:
    """Returns the tensor dtype of arrays of a NumPy type. InternalError if there is none."""
    if numpy_type.kind in "OSU":
        return dtypes.string
    if numpy_type == dtypes.np_resource:
        return dtypes.resource
    try:
        return dtypes.as_dtype(numpy_type.newbyteorder("="))
    except TypeError:
        _refuse(numpy_type)


def _refuse(numpy_type: np.dtype[Any]) -> NoReturn:
    text = f"Unsupported numpy type: {_UNSUPPORTED.get(numpy_type.char, 'not a numpy type')}"
    if numpy_type.kind == "V":
        text = "Unexpected numpy data type" if numpy_type.fields is None else "Unsupported numpy data type"
    raise errors_impl.InternalError(None, None, text)
