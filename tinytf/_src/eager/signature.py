"""Arguments of traced functions: binding to parameters, checks against an input signature, cache keys."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tinytf._src.eager import composites
from tinytf._src.eager.traces import object_key
from tinytf._src.framework.composites.composite import spec_of
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values.dtypes import DType

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_NO_DEFAULT = inspect.Parameter.empty
_KEYWORD = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
_name = operator.attrgetter("name")


class Signature:
    """The parameters of a Python function, and optionally the input signature that its arguments must have.

    The constructor raises TypeError or ValueError for an `input_signature` that is invalid or does not fit the
    function.
    """

    def __init__(self, function: Callable[..., Any], input_signature: Any, is_method: bool) -> None:
        self._function = function
        self.is_method = is_method
        parameters = list(inspect.signature(function).parameters.values())
        self._parameters = inspect.Signature(parameters[1:] if is_method else parameters)
        parameters = list(self._parameters.parameters.values())
        plain = [p for p in parameters if p.kind not in _VARIADIC and p.kind not in _KEYWORD]
        self.names = [p.name for p in plain]
        self._rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
        self.count = -1 if len(plain) < len(parameters) else len(plain)
        self._defaults = [p.default for p in plain]
        self._by_name = [(p.name, p.default) for p in sorted(parameters, key=_name) if p.kind is p.KEYWORD_ONLY]
        self._is_fixed = all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)
        self.input_signature: tuple[Any, ...] | None = None
        if input_signature is not None:
            self._take_input_signature(input_signature, parameters, len(plain))

    @property
    def fullargspec(self) -> inspect.FullArgSpec:
        """`inspect.getfullargspec` of the function, with `self` for a method. TypeError for unsupported callables."""
        return inspect.getfullargspec(self._function)

    def _take_input_signature(self, given: Any, parameters: list[inspect.Parameter], count: int) -> None:
        if not isinstance(given, (tuple, list)):
            raise TypeError(f"input_signature must be either a tuple or a list, received {type(given)}")
        if any(p.kind in _KEYWORD and p.default is p.empty and p.kind not in _VARIADIC for p in parameters):
            raise ValueError(
                "Cannot define a TensorFlow function from a Python function with keyword-only arguments when input_signature "
                "is provided."
            )
        if not all(isinstance(spec, TypeSpec) for spec in nest.flatten(tuple(given))):
            raise TypeError(
                f"Invalid input_signature {given}; input_signature must be a possibly nested sequence of TensorSpec objects."
            )
        if len(given) > count and all(p.kind is not p.VAR_POSITIONAL for p in parameters):
            raise ValueError(
                f"input_signature has {len(given)} entries, but the function takes {count} positional arguments."
            )
        self.input_signature = tuple(given)

    @property
    def plain_count(self) -> int:
        """If arguments can only be a fixed number of positional tensors, that number; else -1."""
        signature = self.input_signature
        if signature is None or (
            len(signature) == self.count and all(isinstance(spec, TensorSpec) for spec in signature)
        ):
            return self.count
        return -1

    def name_of(self, position: int) -> str:
        """Returns the name of the argument at a position."""
        count = len(self.names)
        return self.names[position] if position < count else f"{self._rest}_{position - count}"

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns (args, kwargs) in canonical form.

        Arguments are positional where possible, defaults are filled in, keyword arguments are sorted. NumPy arrays, and
        arguments that an input signature covers, are converted to tensors. TypeError for arguments that do not fit the
        parameters or that the input signature does not cover.
        """
        if self.input_signature is not None:
            self._check_covered(len(args), kwargs)
        args, kwargs = self.arranged(args, kwargs)
        if self.input_signature is not None:
            return self._fitted(args), kwargs
        return _with_tensors(args), _with_tensors(kwargs) if kwargs else kwargs

    def arranged(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Like `bind`, without converting arguments."""
        if len(args) == self.count and not kwargs:
            return args, kwargs
        found = self._arranged_fixed(args, kwargs) if self._is_fixed else None
        if found is not None:
            return found
        bound = self._parameters.bind(*args, **kwargs)  # raises TypeError if the arguments do not fit
        bound.apply_defaults()
        return bound.args, {name: bound.kwargs[name] for name in sorted(bound.kwargs)}

    def _arranged_fixed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Fast version of `arranged` for functions without variadic parameters. None if the arguments do not fit."""
        values = list(args)
        rest = dict(kwargs)
        for name, default in zip(self.names[len(args) :], self._defaults[len(args) :], strict=True):
            value = rest.pop(name, default)
            if value is _NO_DEFAULT:
                return None
            values.append(value)
        by_name = {}
        for name, default in self._by_name:
            value = by_name[name] = rest.pop(name, default)
            if value is _NO_DEFAULT:
                return None
        return None if rest or len(values) > len(self.names) else (tuple(values), by_name)

    def _check_covered(self, count: int, kwargs: dict[str, Any]) -> None:
        assert self.input_signature is not None
        covered = "When input_signature is provided, only pass arguments covered by it. Received"
        if count > len(self.input_signature):
            raise TypeError(f"{covered} {count} argument(s).")
        for name in kwargs:
            if name not in self.names:
                raise TypeError(f"Function got an unexpected keyword argument {name}")
            if self.names.index(name) >= len(self.input_signature):
                raise TypeError(f"{covered} argument {name}.")

    def bind_specs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Like `bind`, for arguments that describe a trace. With an input signature they may be omitted, or be specs.
        ValueError if they do not fit the input signature."""
        signature = self.input_signature
        if signature is None:
            return self.bind(args, kwargs)
        if kwargs:
            raise ValueError(
                "Cannot define a TensorFlow function from a Python function with keyword arguments when input_signature "
                "is provided."
            )
        if args:
            self._check_specs(signature, args)
        return self.arranged(signature, {})

    def keyed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
        """Returns, for bound arguments, the arguments to trace with and the cache key of the trace. TypeError for
        unhashable ones."""
        signature = self.input_signature
        if signature is not None:
            args = (*signature, *args[len(signature) :])
        return args, key_of(args, kwargs)

    def _check_specs(self, signature: tuple[Any, ...], args: tuple[Any, ...]) -> None:
        """Raises ValueError unless the arguments are tensors or specs that fit the input signature."""
        if not _same_structure(signature, args):
            raise ValueError("Structure of Python function inputs does not match input_signature.")
        leaves = _leaves_up_to(signature, args)
        if not all(isinstance(leaf, (Tensor, TensorSpec)) or composites.has_parts(leaf) for leaf in leaves):
            raise ValueError(
                "When input_signature is provided, all inputs to the Python function must be Tensors or tf.TensorSpec objects."
            )
        specs = nest.flatten(signature)
        if not all(spec.is_compatible_with(spec_of(leaf)) for spec, leaf in zip(specs, leaves, strict=True)):
            raise ValueError(f"Python inputs incompatible with input_signature:{_listed(args, signature)}")

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
                v if isinstance(v, Tensor) or composites.is_composite(v) else convert_to_tensor(v, dtype_hint=s.dtype)
                for s, v in zip(specs, values, strict=True)
            ]
        except (TypeError, ValueError):
            raise ValueError(
                "When input_signature is provided, all inputs to the Python function must be convertible to "
                f"tensors.{_listed(args, signature)}"
            ) from None
        if not all(s.is_compatible_with(spec_of(v)) for s, v in zip(specs, values, strict=True)):
            raise ValueError(f"Python inputs incompatible with input_signature:{_listed(args, signature)}")
        return (*_packed_like(signature, covered, iter(values)), *_with_tensors(args[len(signature) :]))


def _listed(inputs: Any, signature: Any) -> str:
    def lines(items: Any) -> str:
        return "(\n    " + ",\n    ".join(str(item) for item in items) + ")"

    return f"\n  inputs: {lines(inputs)}\n  input_signature: {lines(signature)}"


def _same_structure(signature: Any, value: Any) -> bool:
    if isinstance(signature, TensorSpec):
        # A list may stand for the tensor that it is converted to.
        return not isinstance(value, Mapping)
    if isinstance(signature, TypeSpec):
        if not composites.has_parts(value):
            raise TypeError(
                f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(value)}."
            )
        return _can_have(signature, value)
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


def _can_have(spec: Any, value: Any) -> bool:
    """Whether a value of another static shape could have the specification."""
    try:
        spec.most_specific_compatible_type(spec_of(value))
    except (TypeError, ValueError):
        return False
    return True


def _leaves_up_to(signature: Any, value: Any) -> list[Any]:
    """Returns the parts of `value` at the positions of the signature's specs."""
    if not nest.is_nested(signature):
        return [value]
    keys = sorted(signature) if isinstance(signature, Mapping) else range(len(signature))
    return [leaf for key in keys for leaf in _leaves_up_to(signature[key], value[key])]


def _packed_like(signature: Any, value: Any, leaves: Iterator[Any]) -> Any:
    """Returns `value` with other parts at the positions of the signature's specs."""
    if not nest.is_nested(signature):
        return next(leaves)
    if isinstance(signature, Mapping):
        return type(value)([(key, _packed_like(signature[key], value[key], leaves)) for key in sorted(signature)])
    items = [_packed_like(inner, item, leaves) for inner, item in zip(signature, value, strict=True)]
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def _with_tensors(arguments: Any) -> Any:
    """Converts NumPy arrays among the arguments to tensors."""
    if type(arguments) is tuple and composites.PLAIN.issuperset(map(type, arguments)):
        return arguments
    if any(isinstance(leaf, np.ndarray) for leaf in nest.flatten(arguments)):
        return nest.map_structure(
            lambda leaf: convert_to_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf, arguments
        )
    return arguments


def tensor_key(tensor: Any) -> tuple[Any, Any]:
    """Returns the cache key of a tensor or spec: dtype and shape."""
    if isinstance(tensor, TensorSpec):
        return tensor.dtype, tensor.shape._dims
    return tensor.dtype, tensor._shape_tuple()


def structure_key(value: Any) -> Any:
    """Returns the cache key of an argument: dtype and shape of tensors, value or identity of others. It keeps no object
    alive."""
    kind = type(value)
    if kind is EagerTensor:
        return value.dtype, value._shape_tuple()
    if kind in composites.PLAIN:
        return kind, "nan" if value != value else value
    if isinstance(value, (Tensor, TensorSpec)):
        return tensor_key(value)
    if nest.is_nested(value):
        if isinstance(value, Mapping):
            return type(value), tuple((key, structure_key(value[key])) for key in sorted(value))
        return type(value), tuple(structure_key(item) for item in value)
    if isinstance(value, (SparseTensor, IndexedSlices)):  # whose shapes may be relaxed
        return type(value), tuple(tensor_key(spec) for spec in composites.part_specs(value))
    if composites.has_parts(value):
        return spec_of(value)
    if kind is frozenset:
        return kind, frozenset(structure_key(item) for item in value)
    return object_key(value)


def part_shapes(structure: Any) -> list[Any]:
    """Returns the shapes of the tensors, specs and composites' components in a structure, in order: tuples or None."""
    leaves = nest.flatten(structure)
    specs = [s for x in leaves for s in (composites.part_specs(x) if composites.has_parts(x) else (x,))]
    return [tensor_key(spec)[1] for spec in specs if isinstance(spec, (Tensor, TensorSpec))]


def common_shape(a: Any, b: Any) -> Any:
    """Returns the sizes where the two shapes agree, None elsewhere; None for different ranks."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


def without_shapes(key: Any) -> Any:
    """Returns a key in which tensors of the same dtype and rank are equal."""
    if isinstance(key, tuple):
        if len(key) == 2 and isinstance(key[0], DType):
            return key[0], None if key[1] is None else len(key[1])
        return tuple(without_shapes(item) for item in key)
    return key


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Returns the cache key of all arguments. TypeError for unhashable ones."""
    keys = tuple([structure_key(arg) for arg in args])
    key = (keys, tuple((name, structure_key(value)) for name, value in kwargs.items())) if kwargs else keys
    try:
        hash(key)
    except TypeError as e:
        raise TypeError(
            f"Arguments supplied to `defun`-generated functions must be hashable.  Original error: {e}"
        ) from None
    return key
