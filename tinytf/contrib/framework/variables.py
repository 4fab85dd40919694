"""Selection of variables by name, scope and pattern, and creation of variables in collections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import tinytf as tf
from tinytf.contrib.framework.arg_scope import add_arg_scope
from tinytf.python.ops.resource_variable_ops import is_resource_variable

__all__ = [
    "add_model_variable",
    "assert_or_get_global_step",
    "filter_variables",
    "get_local_variables",
    "get_model_variables",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "local_variable",
    "model_variable",
    "variable",
    "zero_initializer",
]


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = tf.GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """Returns the variables in a collection whose names match a scope and a suffix.

    Args:
      scope: a regular expression that matches at the start of the name, or a `VariableScope`; any name if None.
      suffix: string at the end of the name; any name if None.
      collection: string, key of the collection.

    Returns:
      A list of variables.
    """
    if isinstance(scope, tf.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix}" + ("" if ":" in suffix else ":0")
    return tf.get_collection(collection, scope)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the model variables that match, see `get_variables`."""
    return get_variables(scope, suffix, tf.GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the local variables that match, see `get_variables`."""
    return get_variables(scope, suffix, tf.GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Returns the trainable variables that match, see `get_variables`."""
    return get_variables(scope, suffix, tf.GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Returns the global variables whose names end with `suffix`, in an optional scope."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Returns the global variables with this name in any scope, or below `scope`."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """Returns the variable with this full name. Raises ValueError if there is none."""
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var: Any) -> str:
    """Returns the name of a variable; for a partition, the name of the whole variable."""
    info = var._save_slice_info
    return info.full_name if info else var.op.name


def get_variables_to_restore(include: Any = None, exclude: Any = None) -> list[Any]:
    """Returns the global variables in the scopes `include` (all if None) and not in the scopes `exclude`.

    Raises:
      TypeError: if an argument is not a list or tuple.
    """
    for name, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{name} is provided but is not a list or a tuple.")
    wanted = get_variables() if include is None else [v for scope in include for v in get_variables(scope)]
    unwanted = {id(v) for scope in exclude or () for v in get_variables(scope)}
    return [v for v in wanted if id(v) not in unwanted]


def filter_variables(
    var_list: Iterable[Any],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Selects variables by regular expressions on their names.

    Args:
      var_list: iterable of variables.
      include_patterns: patterns of which at least one must match; any name if None.
      exclude_patterns: patterns of which none may match; none if None.
      reg_search: bool, whether a pattern may match anywhere in the name instead of at its start.

    Returns:
      A list of variables.
    """
    matches = re.search if reg_search else re.match

    def is_among(variable: Any, patterns: Iterable[str]) -> bool:
        return any(matches(pattern, variable.name) for pattern in patterns)

    chosen = [v for v in var_list if include_patterns is None or is_among(v, include_patterns)]
    return [v for v in chosen if exclude_patterns is None or not is_among(v, exclude_patterns)]


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """Returns the given global step after a check, or the global step of the graph if none is given."""
    if global_step_tensor is None:
        return tf.train.get_global_step(graph)
    tf.train.assert_global_step(global_step_tensor)
    return global_step_tensor


def add_model_variable(var: Any) -> None:
    """Adds a variable to the collection of model variables, without duplicates."""
    if not any(one is var for one in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)):
        tf.add_to_collection(tf.GraphKeys.MODEL_VARIABLES, var)


def _untrained(collection: str, initial_value: Any, **options: Any) -> Any:
    return tf.Variable(initial_value, trainable=False, collections=[collection], **options)


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Returns a new variable that is not trained and not saved."""
    options: Any = {"validate_shape": validate_shape, "name": name, "use_resource": use_resource}
    return _untrained(tf.GraphKeys.LOCAL_VARIABLES, initial_value, **options)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Returns a new variable that is not trained."""
    options: Any = {"validate_shape": validate_shape, "name": name, "use_resource": use_resource}
    return _untrained(tf.GraphKeys.GLOBAL_VARIABLES, initial_value, **options)


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = tf.VariableSynchronization.AUTO,
    aggregation: Any = tf.VariableAggregation.NONE,
) -> Any:
    """Calls `tf.get_variable` on a device and removes duplicate collections."""
    collections = list(dict.fromkeys([tf.GraphKeys.GLOBAL_VARIABLES] if collections is None else collections))
    with tf.device(device or ""):
        return tf.get_variable(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=collections,
            caching_device=caching_device,
            partitioner=partitioner,
            custom_getter=custom_getter,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = tf.float32,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = tf.VariableSynchronization.AUTO,
    aggregation: Any = tf.VariableAggregation.NONE,
) -> Any:
    """Like `variable`; the variable is also added to the collection of model variables."""
    keys = tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or ()), *keys],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """Initializes a variable with zeros in its own memory; returns the variable or its handle.

    The step fails with InvalidArgumentError if the variable is initialized already. `use_locking` is ignored. The shape
    must be static; if the rank is unknown, the value is a scalar.
    """
    if is_resource_variable(ref):
        return tf.raw_ops.ZeroVarInitializer(var=ref.handle, shape=ref.shape, dtype=ref.dtype, name=name)
    return tf.raw_ops.ZeroInitializer(ref=ref, name=name)
