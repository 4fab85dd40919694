"""How a layer creates its variables: directly, or in a variable scope with reuse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.layers.initializer_names import initializer_of
from tinytf._src.variables import initializers
from tinytf._src.variables.creation import make_variable
from tinytf._src.variables.partitioned_variable import PartitionedVariable


@dataclass(frozen=True)
class WeightRequest:
    """The variable that a layer wants.

    `layer` is the layer's name, for messages; `built` says that the layer already has the variables of `build`;
    `initializer` is an initializer, its name, or None for the default. Other fields are arguments of `tf.Variable` and
    `tf.get_variable`.
    """

    layer: str
    built: bool
    name: Any
    shape: Any
    dtype: dtypes.DType
    initializer: Any
    trainable: bool
    constraint: Any
    use_resource: bool | None
    synchronization: Any
    aggregation: Any
    partitioner: Any = None
    collections: Any = None
    getter: Any = None


class MadeWeight(NamedTuple):
    """A variable, or a partitioned variable, and whether it counts as trainable."""

    variable: Any
    trainable: bool


# Creates a variable with a getter and makes it a dependency: `Trackable._add_variable_with_custom_getter` of the layer.
Track = Callable[..., Any]
# Adds the regularization losses of a new variable: `(name, variable)`.
Regularize = Callable[[str, Any], None]


class WeightMaker(Protocol):
    """Creates the variables of one layer. A member of the layer."""

    def opened(self, name: str, built: bool) -> AbstractContextManager[Any]:
        """Context manager of the operations of a call. `built` says that the layer has its variables."""

    def make(self, request: WeightRequest, track: Track, regularize: Regularize | None) -> MadeWeight:
        """Creates a variable. If it is new, `regularize` is called, in the scopes of the variable."""


class DirectWeights:
    """Creates variables directly in the name scope that is open, never in a variable scope. They are resource variables
    by default.
    """

    def opened(self, name: str, built: bool) -> AbstractContextManager[Any]:
        """Context manager of the operations of a call: each call has a name scope of its own."""
        return name_scope(name)

    def make(self, request: WeightRequest, track: Track, regularize: Regularize | None) -> MadeWeight:
        """Creates a variable."""
        variable = track(
            request.name,
            request.shape,
            dtype=request.dtype,
            initializer=layer_initializer(request.initializer, request),
            getter=request.getter or _variable,
            overwrite=True,
            trainable=request.trainable,
            constraint=request.constraint,
            use_resource=request.use_resource,
            collections=request.collections,
            synchronization=request.synchronization,
            aggregation=request.aggregation,
        )
        if regularize is not None:
            regularize(variable.name.partition(":")[0], variable)
        return MadeWeight(variable, request.trainable)


def _variable(
    name: Any, shape: Any, dtype: dtypes.DType, initializer: Any, use_resource: bool | None = None, **options: Any
) -> Any:
    if isinstance(initializer, type):
        initializer = initializer(dtype=dtype)
    return make_variable(
        initial_value=lambda: initializer(shape, dtype=dtype),
        name=name,
        dtype=dtype.base_dtype,
        use_resource=True if use_resource is None else use_resource,
        shape=None if shape is None else TensorShape(shape),
        **options,
    )


def layer_initializer(identifier: Any, request: WeightRequest) -> Any:
    """Returns the given initializer, or the default for the dtype of the request: glorot_uniform for floats, zeros for
    integers and bools.

    Raises ValueError if the dtype has no default.
    """
    if identifier is not None:
        return initializer_of(identifier)
    dtype = request.dtype
    if dtype.is_floating:
        return initializers.glorot_uniform()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return initializers.zeros()
    raise ValueError(
        f"An initializer for variable {request.name} of type {dtype.base_dtype} is required for layer {request.layer}"
    )


def parts_of(variable: Any) -> list[Any]:
    """Returns the variables of a partitioned variable, or the variable itself in a list."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]
