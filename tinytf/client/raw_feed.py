"""Feeds of functions that are described by `CallableOptions`: arrays count as they are, unlike in `Session.run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from tinytf.client.feed import feed_array
from tinytf.framework import dtypes, errors_impl
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_text import type_text

# Types that tensors do not have, by NumPy's character.
_UNSUPPORTED = {"g": "NPY_LONGDOUBLE", "G": "NPY_CLONGDOUBLE", "M": "NPY_DATETIME", "m": "NPY_TIMEDELTA"}


def raw_feeds(feeds: Sequence[Tensor]) -> Callable[[int, Any], np.ndarray]:
    """A function of the number of a feed and its value that gives the array to feed.

    It raises InvalidArgumentError for a NumPy value of another type than the tensor's, InternalError for one of a type that
    no tensor has, and what `feed_array` raises. Numbers, strings and lists of Python are converted.
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
    """The type of tensors of such arrays. InternalError if there is none."""
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
