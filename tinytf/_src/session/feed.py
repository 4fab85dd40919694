"""Converts the `feed_dict` of `Session.run` to tensors and arrays, with TensorFlow's checks in TensorFlow's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.sites.creation_line import creation_line
from tinytf._src.framework.values.numpy_compat import asarray_of
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.session.fetch import expansion_of
from tinytf._src.session.session_handles import TensorHandle


def flatten_feed_dict(feed_dict: Any) -> dict[Any, Any]:
    """Splits tuple keys along with their values. TypeError if it is not a mapping, ValueError for unequal
    structures."""
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
    """Flattens `value` along the structure of `key`."""
    if not isinstance(key, (list, tuple)):
        return [value]
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != len(key):
        return _flatten(value)
    return [leaf for k, v in zip(key, value, strict=True) for leaf in _flatten_as(k, v)]


def expand_feeds(graph: Graph, feed_dict: Any) -> list[tuple[Tensor, Any]]:
    """Returns pairs (tensor of this graph, unconverted value) for the entries of a feed dict."""
    pairs = []
    for feed, feed_value in flatten_feed_dict(feed_dict).items():
        expansion = expansion_of(feed)
        if expansion[2] is None:
            raise TypeError(f"Feed argument {feed!r} has invalid type {type(feed)!r}")
        for subfeed, value in expansion[2](feed, feed_value):
            try:
                tensor = graph.as_graph_element(subfeed, allow_tensor=True, allow_operation=False)
            except (TypeError, ValueError) as e:
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {e}") from None
            except KeyError as e:
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {e.args[0] if e.args else e}") from None
            pairs.append((tensor, value))
    return pairs


def feed_list_tensors(graph: Graph, feeds: Iterable[Any]) -> list[Tensor]:
    """Returns the tensors of this graph that a list of feeds names. TypeError for entries that cannot be fed."""
    tensors = []
    for feed in feeds:
        leaves = expansion_of(feed)[3]
        if leaves is None:
            raise TypeError(f"Feed argument {feed!r} has invalid type {type(feed)!r}")
        for leaf in leaves(feed):
            try:
                tensors.append(graph.as_graph_element(leaf, allow_tensor=True, allow_operation=False))
            except (TypeError, ValueError, KeyError) as e:
                text = e.args[0] if isinstance(e, KeyError) and e.args else e
                raise TypeError(f"Cannot interpret feed_list key as Tensor: {text}") from None
    return tensors


def are_plain(keys: Any) -> bool:
    """Returns whether each key of a feed dict stands for exactly one tensor and takes its value unchanged."""
    return all(not isinstance(key, (list, tuple)) and expansion_of(key)[0] is object for key in keys)


def _instead(tensor: Tensor) -> str:
    if is_eager_tensor(tensor):
        return " (feed tensor.numpy())"
    return f" (run {tensor.name!r} first and feed its value, or build the graph on it)"


def feed_array(tensor: Tensor, value: Any) -> np.ndarray:
    """Converts `value` to the array that feeds `tensor`. TypeError or ValueError if it does not fit."""
    if isinstance(value, Tensor):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, "
            f"numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} which was passed to the feed "
            f"with key {tensor}." + _instead(value)
        )
    if isinstance(value, TensorHandle):
        value = value._value()
    dtype = tensor.dtype.base_dtype
    numpy_type = dtype.as_numpy_dtype
    if isinstance(value, int) and not _representable(value, numpy_type) and not _overflows(value, numpy_type):
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {numpy_type}. Try "
            "explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
            + _in_brackets([_made(tensor)])
        )
    array = _converted(tensor, value, numpy_type)
    shape = tensor.get_shape()
    if not shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape '{shape}'"
            + _in_brackets([_shape_hint(shape, array), _made(tensor)])
        )
    if not tensor.graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed." + _in_brackets([_made(tensor)]))
    return array


def feed_error(error: TypeError) -> Exception:
    """Translates a conversion error of the core: InternalError for objects that a string tensor cannot hold."""
    text = str(error)
    return errors_impl.InternalError(None, None, text) if text.startswith("Unsupported object type ") else error


def _representable(value: int, numpy_type: Any) -> bool:
    if numpy_type is object:
        return False
    try:
        with np.errstate(over="ignore"):
            number = np.asarray(value).astype(numpy_type).item()
        # Compared as Python numbers: NumPy would first round `value` to the type. All values fit a double
        # approximately.
        return isinstance(value, bool) or number == (value if isinstance(number, int) else float(value))
    except (OverflowError, TypeError, ValueError):
        return False


def _overflows(value: int, numpy_type: Any) -> bool:
    """Returns whether the conversion that follows will raise an OverflowError."""
    if not np.issubdtype(numpy_type, np.integer):
        return False
    return not -(2**63) <= value < (2**64 if numpy_type is np.uint64 else 2**63)


def _converted(tensor: Tensor, value: Any, numpy_type: Any) -> np.ndarray:
    """Converts `value` to an array of this type. NumPy's errors get the tensor, the value and the creation line
    appended."""
    try:
        return _cast(value, numpy_type)
    except (TypeError, ValueError, OverflowError) as e:
        if type(e) not in (TypeError, ValueError, OverflowError):
            raise  # its constructor takes more than a text, for example UnicodeDecodeError
        raise _told(tensor, value, e) from None


def _told(tensor: Tensor, value: Any, error: Exception) -> Exception:
    hints = [
        f"feeding Tensor {tensor.name!r} of type {tensor.dtype.base_dtype.name} with {_portrait(value)}",
        _made(tensor),
    ]
    return type(error)(f"{error}{_in_brackets(hints)}")


def _cast(value: Any, numpy_type: Any) -> np.ndarray:
    """Does np.asarray(value, numpy_type), but integers out of range wrap around, as in NumPy 1."""
    try:
        return asarray_of(value, numpy_type)
    except OverflowError:
        if not np.issubdtype(numpy_type, np.integer):
            raise
        return np.asarray(value, dtype=np.int64).astype(numpy_type)


# -- Hints in error texts ---------------------------------------------------------------------------------------------


def _in_brackets(hints: list[str]) -> str:
    told = [hint for hint in hints if hint]
    return f" ({'; '.join(told)})" if told else ""


def _made(tensor: Tensor) -> str:
    line = creation_line(tensor.op)
    return f"{tensor.op.name!r} was created at {line}" if line else ""


def _portrait(value: Any) -> str:
    """Describes a value by its type and size."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    if isinstance(value, (list, tuple)):
        innermost: Any = value
        while isinstance(innermost, (list, tuple)) and innermost:
            innermost = innermost[0]
        kind = "" if isinstance(innermost, (list, tuple)) else f" of {type(innermost).__name__}"
        return f"a {type(value).__name__}{kind} of length {len(value)}"
    return f"a {type(value).__name__}"


def _shape_hint(shape: Any, array: np.ndarray) -> str:
    """Suggests a change of the value's shape that would make it fit; empty if there is no obvious one."""
    if shape.ndims is None:
        return ""
    if shape.ndims == array.ndim + 1:
        if shape[1:].is_compatible_with(array.shape):
            return "the batch dimension seems to be missing: feed value[None] for one example"
        if shape[:-1].is_compatible_with(array.shape) and shape[-1].value in (None, 1):
            return "the last dimension seems to be missing: feed value[..., None]"
    if array.ndim == shape.ndims + 1:
        if array.shape[0] == 1 and shape.is_compatible_with(array.shape[1:]):
            return "the first dimension, of size 1, seems to be superfluous: feed value[0]"
        if array.shape[-1] == 1 and shape.is_compatible_with(array.shape[:-1]):
            return "the last dimension, of size 1, seems to be superfluous: feed value[..., 0]"
    if shape.ndims == array.ndim and shape.is_compatible_with(array.T.shape):
        return "the transposed value would fit"
    if shape.is_fully_defined() and shape.num_elements() == array.size:
        return f"the number of elements is right: feed value.reshape({shape.as_list()})"
    return ""
