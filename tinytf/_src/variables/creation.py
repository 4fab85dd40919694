"""Implements `tf.Variable(…)`: variable creators of the program, and the choice of the variable's kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.variables.eager_variable import EagerVariable
from tinytf._src.variables.ref_variable import RefVariable
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.scope_defaults import get_variable_scope, open_creators
from tinytf._src.variables.unread_variable import _UnreadVariable
from tinytf._src.variables.variable import choose_variables_by

_default_use_resource = False


@tf_export("enable_resource_variables")
def enable_resource_variables() -> None:
    """Makes resource variables the default for the whole process."""
    global _default_use_resource
    _default_use_resource = True


@tf_export("disable_resource_variables")
def disable_resource_variables() -> None:
    """Makes reference variables the default again, for the whole process."""
    global _default_use_resource
    _default_use_resource = False


@tf_export("resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether `tf.Variable` creates resource variables by default."""
    return _default_use_resource


@tf_export("variable_creator_scope")
@contextmanager
def variable_creator_scope(variable_creator: Any) -> Iterator[None]:
    """Context manager in which a function intercepts the creation of variables in the default graph by this thread.

    Args:
      variable_creator: callable `(next_creator, **kwargs)` that returns a variable, usually `next_creator(**kwargs)`.
        `kwargs` are the arguments of `tf.Variable`. Inner scopes are called first.
    """
    creators = open_creators()
    before = creators.functions
    creators.functions = (*before, variable_creator)
    try:
        yield
    finally:
        creators.functions = before


def make_variable(
    initial_value: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    expected_shape: Any = None,
    import_scope: str | None = None,
    constraint: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = None,
    aggregation: Any = None,
    shape: Any = None,
) -> Any:
    """Creates a variable of the kind that the arguments, the variable scope or the process default select; see
    Variable."""
    creator: Callable[..., Any] = _create
    for outer in open_creators().functions:
        creator = _wrapped(outer, creator)
    return creator(
        initial_value=initial_value,
        trainable=trainable,
        collections=collections,
        validate_shape=validate_shape,
        caching_device=caching_device,
        name=name,
        variable_def=variable_def,
        dtype=dtype,
        expected_shape=expected_shape,
        import_scope=import_scope,
        constraint=constraint,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
        shape=shape,
    )


def _wrapped(outer: Any, inner: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **kwargs: outer(inner, **kwargs)


def _create(
    use_resource: bool | None = None, variable_def: Any = None, trackable_parent: Any = None, **options: Any
) -> Any:
    if variable_def is not None:
        variable_def = _checked_definition(variable_def)
        use_resource = variable_def.is_resource
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    kind = ResourceVariable if use_resource or executing_eagerly() else RefVariable
    if not get_default_graph().building_function or executing_eagerly():
        return kind(variable_def=variable_def, **options)
    _check_initial_value(options.get("initial_value"))
    with init_scope():  # a function body has no variables of its own
        return kind(variable_def=variable_def, **options)


def _check_initial_value(value: Any) -> None:
    """Raises ValueError for a tensor of a function body, which does not exist where the variable is created."""
    if is_graph_tensor(value) and value.graph.building_function:
        raise ValueError(
            "Tensor-typed variable initializers must either be wrapped in an init_scope or callable (e.g., "
            "`tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions. Please file a feature request if "
            "this restriction inconveniences you."
        )


def _checked_definition(message: Any) -> Any:
    """The message as a VariableDef of this package's class. Raises TypeError if it is not a VariableDef."""
    message = protos.adopt(message)
    if not isinstance(message, protos.VariableDef):
        raise TypeError(f"variable_def is not a VariableDef: {message!r}")
    return message


choose_variables_by(make_variable)
ResourceVariable._eager_kind = EagerVariable
ResourceVariable._updated_kind = _UnreadVariable
