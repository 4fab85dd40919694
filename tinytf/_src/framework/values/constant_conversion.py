"""Conversion of Python values to NumPy arrays by TensorFlow's rules, used by `tf.constant` and `convert_to_tensor`.

Differences from NumPy: Python floats become float32, ints become int32 if they fit, text becomes bytes in an object
array, nested lists must be rectangular, and a requested type is checked against every leaf of a list.
"""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tinytf._src.framework.sites.users_site import users_frame
from tinytf._src.framework.values import dtypes, tensor_like
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.numpy_compat import array_of, only_element

_INT32_MIN, _INT32_MAX = -(2**31), 2**31 - 1
_FLOAT32, _INT32, _BOOL, _OBJECT = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.bool_), np.dtype(object)
_TEXT = (str, bytes)
_PYTHON = frozenset((list, tuple, str, bytes, int, float, bool, complex))
_FLOATS, _INTS, _NESTED = frozenset((float,)), frozenset((int,)), frozenset((int, list, tuple))
_REALS = frozenset((float, int))
_LARGEST = 3.4e38  # slightly below the largest float32
_SHORT = 200  # up to this length, checking each element is faster than np.errstate
_array = array_of

# Per type number: the Python classes whose values need no further check, and the NumPy dtype.
_PLAIN: dict[int, tuple[frozenset[type], np.dtype[Any]]] = {
    dtype._type_enum: (frozenset(classes), np.dtype(dtype._numpy))
    for predicate, classes in (
        ("is_floating", (float, int, bool)),
        ("is_integer", (int, bool)),
        ("is_complex", (complex, float, int, bool)),
        ("is_bool", (bool,)),
    )
    for dtype in dtypes.TF_VALUE_DTYPES
    if dtype._numpy is not None and getattr(dtype, predicate)
}
# The dtypes of arrays that need no conversion.
_READY = frozenset(numpy_dtype for _, numpy_dtype in _PLAIN.values())


def to_ndarray(
    value: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> np.ndarray:
    """The array that `tf.constant(value, dtype, shape)` holds.

    The element type is `dtype`, or inferred; strings become an object array of bytes. With `shape`, missing elements
    repeat the last one; with `allow_broadcast` only a single element is repeated, with `verify_shape` none. The result
    may share memory with `value` or be read-only: copy it if it must outlive the call.

    Raises TypeError for elements that do not fit `dtype` or have no type, and for a mismatching shape (with
    `verify_shape` or `allow_broadcast`); ValueError for None, for lists that are not rectangular, and for too many
    elements.
    """
    if shape is None:
        cls = value.__class__
        if dtype is None:
            if cls is float:
                return _as_float32(value)
            if cls is int and _INT32_MIN <= value <= _INT32_MAX:
                return _array(value, _INT32)
            if cls is np.ndarray and value.dtype in _READY:
                return value
            if cls is bool:
                return _array(value, _BOOL)
            if cls is list or cls is tuple:
                array = _flat_list(value)
                if array is not None:
                    return array
            elif cls is str or cls is bytes:
                return _text_scalar(value)
        else:
            if dtype.__class__ is not DType:
                dtype = dtypes.as_dtype(dtype)
            plain = _PLAIN.get(dtype._base_enum)
            if plain is not None:
                if cls in plain[0]:
                    return _numbers(value, plain[1])
                if cls is np.ndarray and value.dtype == plain[1]:
                    return value
                if (cls is list or cls is tuple) and plain[0].issuperset(map(type, value)):
                    return _numbers(value, plain[1])
            elif (cls is str or cls is bytes) and dtype._base_enum == dtypes.string._type_enum:
                return _text_scalar(value)
    _check_shape_options(verify_shape, allow_broadcast)
    array = convert(value, dtype, shape)
    return array if shape is None else fill(array, check_shape(array, shape, verify_shape, allow_broadcast))


def convert(value: Any, dtype: Any = None, shape: Any = None) -> np.ndarray:
    """The elements of `value` as an array in their own shape, the first half of `to_ndarray`.

    `shape` matters only if it has zero elements: then the result has that shape, whatever `value` is.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
    if not isinstance(value, (np.ndarray, np.generic)) and _is_array_like(value):
        value = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = _from_numpy(value, dtype)
    elif value is None:
        raise ValueError("None values not supported.")
    elif shape is not None and np.prod(shape_list(_known(shape)), dtype=np.int64) == 0:
        array = np.empty(shape_list(shape), _numpy_dtype(dtype) if dtype is not None else _FLOAT32)
    else:
        array = _from_python(value, dtype)
    found = dtypes.as_dtype(array.dtype)
    if dtype is not None and found is not dtype:
        raise TypeError(f"Incompatible types: {dtype} vs. {array.dtype}. Value is {value}")
    return array


def _known(shape: Any) -> Any:
    """The shape argument. Raises NotImplementedError for a graph tensor, from its conversion to an array, as TensorFlow
    does."""
    return np.asarray(shape) if tensor_like.is_graph_tensor(shape) else shape


def shape_list(shape: Any) -> list[int]:
    """A shape argument as a list of ints. Raises TypeError for unknown dimensions."""
    return [int(only_element(extent)) for extent in shape]


def check_shape(array: np.ndarray, shape: Any, verify_shape: bool, allow_broadcast: bool) -> list[int]:
    """`shape` as a list, after checking that `array` can fill it (see `to_ndarray` for rules and errors)."""
    extents = shape_list(shape)
    size = 1
    for extent in extents:
        size *= extent
    if allow_broadcast:
        if array.shape not in ((1,), ()) and array.size != size:
            raise TypeError(f"Expected Tensor's shape: {tuple(extents)}, got {array.shape}.")
    elif verify_shape and array.shape != tuple(extents):
        raise TypeError(f"Expected Tensor's shape: {tuple(extents)}, got {array.shape}.")
    elif array.size > size:
        raise ValueError(f"Too many elements provided. Needed at most {size}, but received {array.size}")
    return extents


def _check_shape_options(verify_shape: bool, allow_broadcast: bool) -> None:
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")


def fill(array: np.ndarray, extents: list[int]) -> np.ndarray:
    """`array` in another shape: its last element is repeated where elements are missing, or zeros if it has none."""
    size = int(np.prod(extents, dtype=np.int64))
    if array.size == size:
        return array.reshape(extents)
    if array.size == 1:
        return np.broadcast_to(array.reshape(()), extents)
    flat = np.zeros(size, array.dtype) if array.dtype != _OBJECT else np.full(size, b"", _OBJECT)
    if array.size:
        flat[: array.size] = array.ravel()
        flat[array.size :] = flat[array.size - 1]
    return flat.reshape(extents)


def _numpy_dtype(dtype: DType) -> Any:
    return np.dtype(dtype.as_numpy_dtype) if dtype.is_numpy_compatible else None


def _is_array_like(value: Any) -> bool:
    """Whether NumPy converts `value` to an array without inspecting its elements."""
    if value.__class__ in _PYTHON or tensor_like.is_graph_tensor(value):
        return False
    if callable(getattr(value, "__array__", None)) or isinstance(getattr(value, "__array_interface__", None), dict):
        return True
    if isinstance(value, bytes):
        return False
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def _from_numpy(value: Any, dtype: DType | None) -> np.ndarray:
    """An array cast to `dtype` by NumPy's rules, without checks."""
    array = np.asarray(value)
    if dtype is not None and dtype is not dtypes.string and dtype.is_numpy_compatible:
        return _cast(array, _numpy_dtype(dtype))
    if array.dtype.kind in "OSU" or dtype is dtypes.string:
        flat = [_as_bytes(element) for element in array.ravel().tolist()]
        return _object_array(flat, array.shape)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _cast(array: np.ndarray, numpy_dtype: Any) -> np.ndarray:
    """The array with another dtype; NumPy's warning of overflow to infinity names the user's line."""
    if numpy_dtype.kind not in "fcV" or numpy_dtype.itemsize >= array.dtype.itemsize:
        return array.astype(numpy_dtype, copy=False)
    with _overflow_told():
        return array.astype(numpy_dtype, copy=False)


def _as_float32(value: Any) -> np.ndarray:
    """The float32 array of a number or of nested lists of numbers."""
    if _is_small(value):
        return _array(value, _FLOAT32)
    with _overflow_told():
        return _array(value, _FLOAT32)


def _is_small(value: Any) -> bool:
    """Whether this is a number, or a short list of numbers, in the range of float32."""
    if value.__class__ is float:
        return -_LARGEST <= value <= _LARGEST
    if not value or value.__class__ is not list or len(value) > _SHORT or not _REALS.issuperset(map(type, value)):
        return False
    return -_LARGEST <= min(value) and max(value) <= _LARGEST


def _overflow_told() -> np.errstate:
    """Context manager that attributes NumPy's overflow warnings to the user's line; NumPy before 1.24 gives none in
    casts."""
    return np.errstate(over="call", call=_warn_of_overflow)


def _warn_of_overflow(kind: str, flag: int) -> None:
    frame = users_frame()
    if frame is not None:
        where = frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__", "sys")
        seen = frame.f_globals.setdefault("__warningregistry__", {})
        warnings.warn_explicit("overflow encountered in cast", RuntimeWarning, *where, seen)


def _from_python(value: Any, dtype: DType | None) -> np.ndarray:
    """The array of a scalar or of nested lists, checked against `dtype` or with an inferred type."""
    leaves = set(_leaf_classes(value))
    plain = None if dtype is None else _PLAIN.get(dtype._type_enum)
    if plain is not None and leaves <= plain[0]:
        pass
    elif dtype is None:
        if any(tensor_like.is_dense_tensor_class(cls) for cls in leaves):
            raise TypeError("List of Tensors when single Tensor expected")
    elif dtype.is_quantized:
        _check_quantized(value, dtype)
        return _array(value, _numpy_dtype(dtype))
    else:
        expected = _expected_classes(dtype)
        if expected is not None and not all(issubclass(cls, expected) for cls in leaves):
            _raise_mismatch(next(leaf for leaf in _flatten(value) if not isinstance(leaf, expected)), dtype)
    if dtype is dtypes.string or (leaves and all(issubclass(cls, _TEXT) for cls in leaves)):
        return _strings(value)
    array = _numbers(value, None if dtype is None else _numpy_dtype(dtype))
    wanted = _dense_shape(value)
    if list(array.shape) != wanted:
        raise _not_dense(value, list(array.shape), wanted)
    if dtype is not None:
        return array
    if array.dtype.kind in "OSU":  # the elements have no common type
        raise _no_common_type(value)
    if array.dtype == np.float64:
        return _cast(array, _FLOAT32)
    if array.dtype == np.int64 and (not array.size or (array.min() >= _INT32_MIN and array.max() <= _INT32_MAX)):
        return array.astype(_INT32)
    return array


def _flat_list(value: Any) -> np.ndarray | None:
    """The array of a list of only Python floats, or only ints that fit into 32 bits; None for other lists."""
    classes = set(map(type, value))
    if classes == _FLOATS:
        return _as_float32(value)
    if classes == _INTS:
        try:
            return _array(value, _INT32)
        except OverflowError:
            return None
    return None


def has_larger_int(value: Any) -> bool:
    """Whether a Python int, also in nested lists, does not fit into 32 bits and so would wrap around as int32."""
    cls = value.__class__
    if cls is int:
        return not _INT32_MIN <= value <= _INT32_MAX
    if cls is not list and cls is not tuple:
        return False
    classes = set(map(type, value))
    if classes == _INTS:
        return bool(max(value) > _INT32_MAX or min(value) < _INT32_MIN)
    return not classes.isdisjoint(_NESTED) and any(map(has_larger_int, value))


def _numbers(value: Any, numpy_dtype: Any) -> np.ndarray:
    if numpy_dtype is not None and numpy_dtype.kind == "f" and numpy_dtype.itemsize < _FLOAT32.itemsize:
        return _cast(_array(value, np.float64), numpy_dtype)
    try:
        if numpy_dtype is None or numpy_dtype.kind not in "fc":
            return _array(value, numpy_dtype)
        if numpy_dtype == _FLOAT32:
            return _as_float32(value)
        with _overflow_told():
            return _array(value, numpy_dtype)
    except OverflowError:  # a Python int out of range wraps around, as in a cast
        if numpy_dtype is None:
            raise
        wide = _array(value)
        if wide.dtype != np.int64:  # there is an int of more than 64 bits
            raise
        return wide.astype(numpy_dtype)
    except ValueError:
        if numpy_dtype is not None:
            raise  # "setting an array element with a sequence", as in TensorFlow
        shape, wanted = list(_array(value, _OBJECT).shape), _dense_shape(value)
        # If the shape equals the nesting of the first elements, the other lists are too deep: to TensorFlow, elements
        # of no type.
        raise (_no_common_type(value) if shape == wanted else _not_dense(value, shape, wanted)) from None


def _strings(value: Any) -> np.ndarray:
    # Uses an object array because NumPy's own text types drop trailing zero bytes.
    shape = list(_array(value, _OBJECT).shape) if isinstance(value, (list, tuple)) else []
    flat = [_as_bytes(leaf) for leaf in _flatten(value)]
    wanted = _dense_shape(value)
    if shape != wanted or len(flat) != math.prod(shape):
        raise _not_dense(value, shape, wanted)
    return _object_array(flat, shape)


def _text_scalar(value: str | bytes) -> np.ndarray:
    array = np.empty((), _OBJECT)
    array[()] = value if value.__class__ is bytes else value.encode("utf-8")  # type: ignore[union-attr]
    return array


def _object_array(flat: list[Any], shape: Any) -> np.ndarray:
    array = np.empty(len(flat), _OBJECT)
    array[:] = flat
    return array.reshape(shape)


def _as_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    raise TypeError(f"Expected binary or unicode string, got {value!r}")


def _flatten(value: Any) -> Iterator[Any]:
    """Yields the leaves of nested lists and tuples, in order."""
    if isinstance(value, (list, tuple)):
        for element in value:
            yield from _flatten(element)
    else:
        yield value


def _leaf_classes(value: Any) -> Iterator[type]:
    """Yields the classes of the leaves of nested lists and tuples, each list's classes once: fast for long flat
    lists."""
    if not isinstance(value, (list, tuple)):
        yield type(value)
        return
    for cls in set(map(type, value)):
        if issubclass(cls, (list, tuple)):
            for element in value:
                if type(element) is cls:
                    yield from _leaf_classes(element)
        else:
            yield cls


def _expected_classes(dtype: DType) -> tuple[type, ...] | None:
    """The classes allowed for leaves of a list of this type; None allows any."""
    if dtype.is_floating:
        return (numbers.Real, np.integer, np.floating)
    if dtype.is_integer:
        return (numbers.Integral, np.integer, Dimension)
    if dtype.is_complex:
        return (numbers.Complex, np.number)
    if dtype.is_bool:
        return (bool,)
    return _TEXT if dtype is dtypes.string else None


def _raise_mismatch(leaf: Any, dtype: DType) -> None:
    raise TypeError(f"Expected {dtype.name}, got {leaf!r} of type '{type(leaf).__name__}' instead.")


def _check_quantized(value: Any, dtype: DType) -> None:
    """Checks that quantized values are tuples of ints, in lists."""
    if isinstance(value, tuple):
        for leaf in _flatten(value):
            if not isinstance(leaf, (numbers.Integral, np.integer, Dimension)):
                _raise_mismatch(leaf, dtype)
    elif isinstance(value, list):
        for element in value:
            _check_quantized(element, dtype)
    else:
        _raise_mismatch(value, dtype)


def _dense_shape(value: Any) -> list[int]:
    """The shape of nested lists, if they are as regular as their first elements."""
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return shape


def _not_dense(value: Any, shape: list[int], wanted: list[int]) -> ValueError:
    return ValueError(f"Argument must be a dense tensor: {value} - got shape {shape}, but wanted {wanted}.")


def _no_common_type(value: Any) -> TypeError:
    return TypeError(
        f"Failed to convert object of type {type(value)} to Tensor. Contents: {value}. "
        "Consider casting elements to a supported type."
    )
