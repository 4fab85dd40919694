"""Arguments of traced functions: bound to parameters, checked against an input signature, told apart by keys."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tinytf.eager import composites
from tinytf.framework import nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_spec import TensorSpec

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KEYWORD = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)


class Signature:
    """The parameters of a Python function, and the input signature that its arguments must have.

    TypeError and ValueError for an `input_signature` that is none, or that does not fit the function.
    """

    def __init__(self, function: Callable[..., Any], input_signature: Any, is_method: bool) -> None:
        parameters = list(inspect.signature(function).parameters.values())
        self._parameters = inspect.Signature(parameters[1:] if is_method else parameters)
        parameters = list(self._parameters.parameters.values())
        self.names = [p.name for p in parameters if p.kind not in _KEYWORD]
        plain = [p for p in parameters if p.kind not in _VARIADIC and p.kind not in _KEYWORD]
        self.count = -1 if len(plain) < len(parameters) else len(plain)
        self.input_signature: tuple[Any, ...] | None = None
        if input_signature is not None:
            self._take_input_signature(input_signature, parameters, len(plain))

    def _take_input_signature(self, given: Any, parameters: list[inspect.Parameter], count: int) -> None:
        if not isinstance(given, (tuple, list)):
            raise TypeError(f"input_signature must be either a tuple or a list, received {type(given)}")
        if any(p.kind in _KEYWORD and p.default is p.empty and p.kind not in _VARIADIC for p in parameters):
            raise ValueError(
                "Cannot define a TensorFlow function from a Python function with keyword-only arguments when input_signature "
                "is provided."
            )
        if not all(isinstance(spec, TensorSpec) for spec in nest.flatten(tuple(given))):
            raise TypeError(
                f"Invalid input_signature {given}; input_signature must be a possibly nested sequence of TensorSpec objects."
            )
        if len(given) > count and all(p.kind is not p.VAR_POSITIONAL for p in parameters):
            raise ValueError(
                f"input_signature has {len(given)} entries, but the function takes {count} positional arguments."
            )
        self.input_signature = tuple(given)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the function takes them: by position where they can be, with defaults. Those that an input
        signature covers, and arrays, are tensors. TypeError for arguments that do not fit the parameters."""
        if len(args) != self.count or kwargs:
            bound = self._parameters.bind(*args, **kwargs)
            if self.input_signature is None or len(bound.args) >= len(self.input_signature):
                bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if self.input_signature is not None:
            return self._fitted(args), kwargs
        return _with_tensors(args), _with_tensors(kwargs) if kwargs else kwargs

    def _fitted(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        signature = self.input_signature
        assert signature is not None
        covered = args[: len(signature)]
        if not _same_structure(signature, covered):
            raise ValueError(
                f"Structure of Python function inputs does not match input_signature.{_listed(args, signature)}"
            )
        specs, values = nest.flatten(signature), _leaves_up_to(signature, covered)
        try:
            values = [
                v if isinstance(v, Tensor) else convert_to_tensor(v, dtype_hint=s.dtype)
                for s, v in zip(specs, values, strict=True)
            ]
        except (TypeError, ValueError):
            raise ValueError(
                "When input_signature is provided, all inputs to the Python function must be convertible to "
                f"tensors.{_listed(args, signature)}"
            ) from None
        if not all(s.is_compatible_with(v) for s, v in zip(specs, values, strict=True)):
            raise ValueError(f"Python inputs incompatible with input_signature:{_listed(args, signature)}")
        return (*_packed_like(signature, covered, iter(values)), *_with_tensors(args[len(signature) :]))

    def specs(self) -> tuple[Any, ...]:
        """What the function is traced with: the input signature."""
        assert self.input_signature is not None
        return self.input_signature


def _listed(inputs: Any, signature: Any) -> str:
    def lines(items: Any) -> str:
        return "(\n    " + ",\n    ".join(str(item) for item in items) + ")"

    return f"\n  inputs: {lines(inputs)}\n  input_signature: {lines(signature)}"


def _same_structure(signature: Any, value: Any) -> bool:
    if not nest.is_nested(signature):
        # A list may stand for the tensor that it is converted to.
        return not isinstance(value, Mapping)
    if isinstance(signature, Mapping):
        return (
            isinstance(value, Mapping)
            and set(signature) == set(value)
            and all(_same_structure(signature[key], value[key]) for key in signature)
        )
    return (
        isinstance(value, (list, tuple))
        and len(signature) == len(value)
        and all(map(_same_structure, signature, value))
    )


def _leaves_up_to(signature: Any, value: Any) -> list[Any]:
    """What is in `value` where the signature has its specs."""
    if not nest.is_nested(signature):
        return [value]
    keys = sorted(signature) if isinstance(signature, Mapping) else range(len(signature))
    return [leaf for key in keys for leaf in _leaves_up_to(signature[key], value[key])]


def _packed_like(signature: Any, value: Any, leaves: Iterator[Any]) -> Any:
    """`value` with other leaves where the signature has its specs."""
    if not nest.is_nested(signature):
        return next(leaves)
    if isinstance(signature, Mapping):
        return type(value)([(key, _packed_like(signature[key], value[key], leaves)) for key in sorted(signature)])
    items = [_packed_like(inner, item, leaves) for inner, item in zip(signature, value, strict=True)]
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def _with_tensors(arguments: Any) -> Any:
    """Arguments with arrays as tensors."""
    if any(isinstance(leaf, np.ndarray) for leaf in nest.flatten(arguments)):
        return nest.map_structure(
            lambda leaf: convert_to_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf, arguments
        )
    return arguments


def tensor_key(tensor: Any) -> tuple[Any, Any]:
    """What a trace depends on of a tensor or spec."""
    if isinstance(tensor, TensorSpec):
        return tensor.dtype, tensor.shape._dims
    return tensor.dtype, tensor._shape_tuple()


def structure_key(value: Any) -> Any:
    """What a trace depends on of an argument: of tensors type and shape, of others the value or the identity."""
    if isinstance(value, (Tensor, TensorSpec)):
        return tensor_key(value)
    if nest.is_nested(value):
        if isinstance(value, Mapping):
            return type(value), tuple((key, structure_key(value[key])) for key in sorted(value))
        return type(value), tuple(structure_key(item) for item in value)
    if composites.is_composite(value):
        return type(value), tuple(tensor_key(part) for part in composites.parts_of(value))
    kind = type(value)
    if kind.__hash__ is object.__hash__ or getattr(value, "_is_dense_tensor_like", False):
        try:
            return weakref.ref(value)
        except TypeError:
            return value
    return kind, value


def without_shapes(key: Any) -> Any:
    """A key in which tensors of one type and rank are alike."""
    if isinstance(key, tuple):
        if len(key) == 2 and hasattr(key[0], "as_datatype_enum"):
            return key[0], None if key[1] is None else len(key[1])
        return tuple(without_shapes(item) for item in key)
    return key


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a trace depends on of all arguments. TypeError for what cannot be told apart from others."""
    keys = tuple([structure_key(arg) for arg in args])
    key = (keys, tuple((name, structure_key(kwargs[name])) for name in sorted(kwargs))) if kwargs else keys
    try:
        hash(key)
    except TypeError as e:
        raise TypeError(
            f"Arguments supplied to `defun`-generated functions must be hashable.  Original error: {e}"
        ) from None
    return key
