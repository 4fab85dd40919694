"""`convert_to_tensor` and the registry of conversion functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.fork_lock import lock_held_over_forks
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.devices import set_conversion
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import TensorLike, is_eager_tensor

__all__ = [
    "convert_n_to_tensor",
    "convert_n_to_tensor_or_indexed_slices",
    "convert_to_tensor",
    "convert_to_tensor_or_indexed_slices",
    "internal_convert_n_to_tensor",
    "internal_convert_to_tensor",
    "internal_convert_to_tensor_or_indexed_slices",
    "register_tensor_conversion_function",
]

ConversionFunction = Callable[..., Any]

# Held while the two variables below are replaced; they are never modified in place.
_registering = lock_held_over_forks()
# (priority, order of registration, types, function), sorted.
_registered: list[tuple[int, int, type | tuple[type, ...], ConversionFunction]] = []
_functions_of_type: dict[type, list[tuple[type | tuple[type, ...], ConversionFunction]]] = {}


@tf_export("register_tensor_conversion_function")
@called_by_users
def register_tensor_conversion_function(
    base_type: Any, conversion_func: ConversionFunction, priority: int = 100
) -> None:
    """Registers a function that converts values of some types to tensors.

    Args:
      base_type: type or tuple of types; instances of subclasses are converted, too.
      conversion_func: callable `(value, dtype=None, name=None, as_ref=False)` that returns a Tensor, or NotImplemented
        to let the next function try.
      priority: int; functions with lower priority run first; ties keep the order of registration.

    Raises:
      TypeError: if an argument has another type.
    """
    if not all(isinstance(t, type) for t in (base_type if isinstance(base_type, tuple) else (base_type,))):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    global _registered, _functions_of_type
    with _registering:
        entries = [*_registered, (priority, len(_registered), base_type, conversion_func)]
        _registered = sorted(entries, key=lambda entry: entry[:2])
        _functions_of_type = {}  # last: see `_functions_for`


def _functions_for(query: type) -> list[Any]:
    known = _functions_of_type  # read first, so that results stored in it are never older than the dictionary
    functions = known.get(query)
    if functions is None:
        functions = [(types, function) for _, _, types, function in _registered if issubclass(query, types)]
        known[query] = functions
    return functions


@tf_export("convert_to_tensor")
def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """Converts a value to a Tensor.

    Args:
      value: Tensor, variable, number, string, (nested) list, array, or an instance of a registered type.
      dtype: element type that the result must have; None infers it.
      name: str, name of a constant that the conversion may create.
      preferred_dtype: element type to try first if `dtype` is None; ignored if `value` does not fit it.
      dtype_hint: the same as `preferred_dtype`, and takes precedence.

    Returns:
      Tensor; `value` itself if it is one.

    Raises:
      TypeError: if no conversion function accepts the value.
      ValueError: if `value` is a Tensor of another type than `dtype`.
      RuntimeError: if a conversion function returns something other than a Tensor of the requested type.
    """
    try:
        return internal_convert_to_tensor(value, dtype, name, preferred_dtype=dtype_hint or preferred_dtype)
    except REPORTED:
        leave_to_user()
        raise


def internal_convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False, preferred_dtype: Any = None
) -> Tensor:
    """Like `convert_to_tensor`; with `as_ref`, a reference variable is converted to its reference."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if dtype is not None and not dtype.is_compatible_with(value._dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value._dtype.name}: {value!r}"
            )
        if type(value) is Tensor or executing_eagerly():
            return value
        return get_default_graph().capture(value, name) if is_eager_tensor(value) else value
    if preferred_dtype is not None:
        preferred_dtype = dtypes.as_dtype(preferred_dtype)
    where = f"{name}: " if name is not None else ""
    for base_type, function in _functions_for(type(value)):
        result: Any = None
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                result = None  # the value does not fit the hint: infer the type instead
            if (
                result is not None
                and result is not NotImplemented
                and result.dtype.base_dtype != preferred_dtype.base_dtype
            ):
                raise TypeError(
                    f"convert_to_tensor did not convert to the preferred dtype: {result.dtype.base_dtype} vs "
                    f"{preferred_dtype.base_dtype} "
                )
        if result is None:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, Tensor):
            raise RuntimeError(
                f"{where}Conversion function {function!r} for type {base_type} returned non-Tensor: {result!r}"
            )
        if dtype is not None and not dtype.is_compatible_with(result._dtype):
            raise RuntimeError(
                f"{where}Conversion function {function!r} for type {base_type} returned incompatible dtype: requested = "
                f"{dtype.name}, actual = {result.dtype.name}"
            )
        return result
    raise TypeError(
        f"{where}Cannot convert {value!r} with type {type(value)} to Tensor: no conversion function registered."
    )


def internal_convert_n_to_tensor(
    values: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False, preferred_dtype: Any = None
) -> list[Tensor]:
    """Converts each value; names get the suffixes `_0`, `_1`, … Raises TypeError if `values` is not a sequence."""
    if not isinstance(values, Sequence):
        raise TypeError("values must be a sequence.")
    return [
        internal_convert_to_tensor(value, dtype, None if name is None else f"{name}_{i}", as_ref, preferred_dtype)
        for i, value in enumerate(values)
    ]


def convert_n_to_tensor(
    values: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None
) -> list[Tensor]:
    """Applies `convert_to_tensor` to each value of a sequence."""
    return internal_convert_n_to_tensor(values, dtype, name, preferred_dtype=preferred_dtype)


@tf_export("convert_to_tensor_or_indexed_slices")
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Converts a value to a Tensor, except that IndexedSlices and SparseTensors are returned unchanged.

    Args:
      value: IndexedSlices, SparseTensor, or a value that `tf.convert_to_tensor` accepts.
      dtype: element type that the result must have; None infers it.
      name: str, name of a constant that the conversion may create.

    Returns:
      Tensor, IndexedSlices or SparseTensor.

    Raises:
      ValueError: if `value` is a tensor of another type than `dtype`.
    """
    try:
        return internal_convert_to_tensor_or_indexed_slices(value, dtype, name)
    except REPORTED:
        leave_to_user()
        raise


def internal_convert_to_tensor_or_indexed_slices(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Any:
    """Like `convert_to_tensor_or_indexed_slices`, with `as_ref` as in `internal_convert_to_tensor`."""
    if isinstance(value, TensorLike):
        composite: Any = value
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(composite.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with dtype "
                f"{composite.dtype.name}: {str(value)!r}"
            )
        return value
    return internal_convert_to_tensor(value, dtype, name, as_ref)


def convert_n_to_tensor_or_indexed_slices(values: Any, dtype: Any = None, name: str | None = None) -> list[Any]:
    """Converts each value to a Tensor, IndexedSlices or SparseTensor; None stays None. Raises TypeError if `values` is
    not a sequence."""
    if not isinstance(values, Sequence):
        raise TypeError("values must be a sequence.")
    return [
        None
        if value is None
        else convert_to_tensor_or_indexed_slices(value, dtype, None if name is None else f"{name}_{i}")
        for i, value in enumerate(values)
    ]


set_conversion(functools.partial(internal_convert_to_tensor_or_indexed_slices, as_ref=True))
