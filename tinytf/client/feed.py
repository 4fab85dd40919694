"""Feeds of `Session.run`: from the caller's dict to tensors and arrays, with TensorFlow's checks in its order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tinytf.client.fetch import expansion_of
from tinytf.client.session_handles import TensorHandle
from tinytf.framework.graph import Graph
from tinytf.framework.tensor import Tensor


def flatten_feed_dict(feed_dict: Any) -> dict[Any, Any]:
    """Splits tuple keys with their tuple values. TypeError for no mapping, ValueError for unequal structures."""
    if not isinstance(feed_dict, Mapping):
        raise TypeError("input must be a dictionary")
    flat: dict[Any, Any] = {}
    for key, value in feed_dict.items():
        if not isinstance(key, (list, tuple)):
            _add_unique(flat, key, value)
            continue
        keys, values = _flatten(key), _flatten_as(key, value)
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. Key: "
                f"{keys}, value: {values}."
            )
        for k, v in zip(keys, values, strict=True):
            _add_unique(flat, k, v)
    return flat


def _add_unique(flat: dict[Any, Any], key: Any, value: Any) -> None:
    if key in flat:
        raise ValueError(f"Could not flatten dictionary: key {key} is not unique.")
    flat[key] = value


def _flatten(structure: Any) -> list[Any]:
    if isinstance(structure, (list, tuple)):
        return [leaf for item in structure for leaf in _flatten(item)]
    return [structure]


def _flatten_as(key: Any, value: Any) -> list[Any]:
    """The parts of `value` along the structure of `key`."""
    if not isinstance(key, (list, tuple)):
        return [value]
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != len(key):
        return _flatten(value)
    return [leaf for k, v in zip(key, value, strict=True) for leaf in _flatten_as(k, v)]


def expand_feeds(graph: Graph, feed_dict: Any) -> list[tuple[Tensor, Any]]:
    """The tensors of this graph that a feed dict names, each with its value, not yet converted."""
    pairs = []
    for feed, feed_value in flatten_feed_dict(feed_dict).items():
        expansion = expansion_of(feed)
        if expansion[2] is None:
            raise TypeError(f"Feed argument {feed!r} has invalid type {type(feed)!r}")
        for subfeed, value in expansion[2](feed, feed_value):
            try:
                tensor = graph.as_graph_element(subfeed, allow_tensor=True, allow_operation=False)
            except (TypeError, ValueError, KeyError) as e:
                text = e.args[0] if isinstance(e, KeyError) and e.args else e
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {text}{_different_graph_hint(e)}") from None
            pairs.append((tensor, value))
    return pairs


def _different_graph_hint(error: Exception) -> str:
    if "is not an element of this graph" not in str(error):
        return ""
    return (
        " The session runs another graph: was the tensor made under `with graph.as_default()` of the session's graph?"
    )


def feed_array(tensor: Tensor, value: Any) -> np.ndarray:
    """`value` as the array that feeds `tensor`: checked and converted. TypeError or ValueError if it does not fit."""
    if isinstance(value, Tensor):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, "
            f"numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} which was passed to the feed "
            f"with key {tensor}."
        )
    if isinstance(value, TensorHandle):
        value = value._value()
    dtype = tensor.dtype.base_dtype
    numpy_type = dtype.as_numpy_dtype
    if isinstance(value, int) and not _representable(value, numpy_type):
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {numpy_type}. Try "
            "explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
        )
    array = np.asarray(value, dtype=numpy_type)
    shape = tensor.get_shape()
    if not shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape '{shape}'"
            + _near_miss(tensor, array)
        )
    if not tensor.graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return array


def _representable(value: int, numpy_type: Any) -> bool:
    if numpy_type is object:
        return False
    try:
        return bool(np.asarray(value).astype(numpy_type) == value) if not isinstance(value, bool) else True
    except (OverflowError, TypeError, ValueError):
        return False


def _near_miss(tensor: Tensor, array: np.ndarray) -> str:
    """What a person who sees the shape error probably wants to know."""
    shape = tensor.get_shape()
    hints = []
    if shape.ndims is not None and shape.ndims == array.ndim + 1 and shape[1:].is_compatible_with(array.shape):
        hints.append("the batch dimension seems to be missing: feed value[None] for one example")
    elif shape.ndims is not None and shape.ndims == array.ndim and shape.is_compatible_with(array.T.shape):
        hints.append("the transposed value would fit")
    frame = tensor.op.traceback
    from tinytf.framework.error_interpolation import defining_frame

    where = defining_frame(tensor.op) if frame else None
    if where is not None:
        hints.append(f"{tensor.op.name!r} was created at {where[0]}:{where[1]}")
    return f" ({'; '.join(hints)})" if hints else ""
