"""Predicates for tensors. Tensor classes register here, so that this module need not import them."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export


class TensorLike:
    """Base class of composite tensors (`SparseTensor`, `IndexedSlices`), which conversions must not treat as plain
    values."""

    __slots__ = ()
    _is_control_input = False


def is_control_input(value: Any) -> bool:
    """Whether `value` is a composite tensor that may be given as a control input, where it stands for its `op`."""
    return isinstance(value, TensorLike) and value._is_control_input


# Classes that programs declared to represent one dense tensor.
_declared_dense_types: tuple[type, ...] = ()
_graph_types: tuple[type, ...] = ()
_eager_types: tuple[type, ...] = ()
_dense_types: tuple[type, ...] = ()


def register_tensor_type(cls: type, eager: bool = False) -> type:
    """Registers a class of dense tensors: of graphs, or, if `eager`, with `numpy()`. Returns the class."""
    global _graph_types, _eager_types, _dense_types
    if eager:
        _eager_types += (cls,)
    else:
        _graph_types += (cls,)
    # Eager classes may derive from a graph class; their instances are not graph tensors.
    _dense_types = _graph_types + _eager_types
    return cls


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Declares that instances of a class represent a dense tensor. Raises TypeError unless the class has properties
    `name` and `dtype`."""
    global _declared_dense_types
    for attribute in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, attribute, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{attribute}` property")
    _declared_dense_types += (tensor_type,)


def is_dense_tensor_like(value: Any) -> bool:
    """Whether `value` represents one dense tensor: a Tensor, an object that declares it itself (Variable), or an
    instance of a declared class."""
    return isinstance(value, (*_dense_types, *_declared_dense_types)) or getattr(value, "_is_dense_tensor_like", False)


def is_eager_tensor(value: Any) -> bool:
    """Whether `value` is an eager tensor."""
    return isinstance(value, _eager_types)


def is_graph_tensor(value: Any) -> bool:
    """Whether `value` is an output of an operation in a graph."""
    return isinstance(value, _graph_types) and not isinstance(value, _eager_types)


@tf_export("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether a value is a tensor that ops accept without conversion.

    Args:
      x: any value.

    Returns:
      bool, True for tensors, composite tensors and variables.
    """
    return isinstance(x, TensorLike) or is_dense_tensor_like(x) or bool(getattr(x, "is_tensor_like", False))


def is_dense_tensor_class(cls: type) -> bool:
    """Whether instances of `cls` are dense tensors."""
    return issubclass(cls, _dense_types)
