"""TensorFlow's path to iterators."""

from tinytf._src.data.iterators import GET_NEXT_CALL_WARNING_MESSAGE, GET_NEXT_CALL_WARNING_THRESHOLD, Iterator
from tinytf._src.data.optionals import get_next_as_optional
from tinytf._src.data.owned_iterator import IteratorSpec, IteratorV2

__all__ = [
    "GET_NEXT_CALL_WARNING_MESSAGE",
    "GET_NEXT_CALL_WARNING_THRESHOLD",
    "Iterator",
    "IteratorSpec",
    "IteratorV2",
    "get_next_as_optional",
]
