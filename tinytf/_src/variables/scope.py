"""`get_variable` and `variable_scope`: variables that are found by name, shared, and created with defaults of their
scope. The open scopes belong to a thread and a graph (`scope_defaults.OpenVariableScopes`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.entered_devices import enter_devices, innermost_devices, leave_devices
from tinytf._src.framework.context.execution import current_scope, executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization, checked_modes
from tinytf._src.variables.scope_defaults import AUTO_REUSE, STORE_KEY, VariableScope, get_variable_scope, open_scopes
from tinytf._src.variables.store import VariableStore, accepts_keyword

__all__ = [
    "AUTO_REUSE",
    "VariableScope",
    "create_partitioned_variables",
    "get_local_variable",
    "get_variable",
    "get_variable_scope",
    "no_regularizer",
    "variable_op_scope",
    "variable_scope",
]


@tf_export("no_regularizer")
def no_regularizer(_: Any) -> None:
    """A regularizer without effect, which overrides the regularizer of an outer scope."""
    return None


def default_variable_store() -> VariableStore:
    collection = get_default_graph().get_collection_ref(STORE_KEY)
    if not collection:
        collection.append(VariableStore())
    return collection[0]


@contextmanager
def variable_store(store: VariableStore) -> Iterator[None]:
    """Context manager in which `get_variable` uses `store`, in the default graph."""
    collection = get_default_graph().get_collection_ref(STORE_KEY)
    before = list(collection)
    collection[:] = [store]
    try:
        yield
    finally:
        collection[:] = before


def get_variable_in(
    scope: VariableScope,
    name: str | None,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    reuse: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
    is_whole_scope: bool = False,
) -> Any:
    """`get_variable` in any scope. With `is_whole_scope`, the variable has the scope's own name, and a constant
    initializer's type overrides `dtype`."""
    full_name: Any = scope.name if is_whole_scope else scope.name + "/" + name if scope.name else name
    getter = scope.custom_getter if custom_getter is None else custom_getter
    # Variable names are absolute: the current name scope is ignored.
    with name_scope(None):
        if dtype is not None and initializer is not None and not callable(initializer) and not is_whole_scope:
            _check_constant_dtype(initializer, dtypes.as_dtype(dtype))
        synchronization, aggregation, trainable = checked_modes(synchronization, aggregation, trainable, full_name)
        options: dict[str, Any] = {
            "shape": shape,
            "dtype": dtypes.as_dtype(dtype or scope.dtype or dtypes.float32),
            "initializer": scope.initializer if initializer is None else initializer,
            "regularizer": scope.regularizer if regularizer is None else regularizer,
            # In eager mode, the store decides which variables are shared.
            "reuse": False if executing_eagerly() else scope.reuse if reuse is None else reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": scope.caching_device if caching_device is None else caching_device,
            "partitioner": scope.partitioner if partitioner is None else partitioner,
            "validate_shape": validate_shape,
            "use_resource": scope.use_resource if use_resource is None else use_resource,
            "constraint": scope.constraint if constraint is None else constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        store = default_variable_store()
        if getter is None:
            return store.get(full_name, **options)
        if not callable(getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {getter}")
        if not accepts_keyword(getter, "constraint"):
            constraint = options.pop("constraint")

            def constrained(*args: Any, **kwargs: Any) -> Any:
                return store.get(*args, **{"constraint": constraint, **kwargs})

            return getter(getter=constrained, name=full_name, **options)
        return getter(getter=store.get, name=full_name, **options)


def _check_constant_dtype(initializer: Any, dtype: dtypes.DType) -> None:
    own = convert_to_tensor(initializer).dtype.base_dtype
    if own != dtype.base_dtype:
        raise ValueError(f"Initializer type '{own}' and explicit dtype '{dtype}' don't match.")


@tf_export("get_variable")
@called_by_users
def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """Returns the variable `name` of the current variable scope: a new or an existing one, depending on the scope's
    `reuse`.

    In eager mode, each call creates a new variable, which lives as long as the program refers to it, unless an
    EagerVariableStore is the default.

    Args:
      name: str. None, outside of named scopes, creates the graph's only unnamed variable, called "Variable".
      shape: shape of a new variable, fully defined unless `initializer` is a constant.
      dtype: element type; None means the scope's, float32 by default.
      initializer: initializer object or class, function without arguments, or constant. None means the scope's, or else
        glorot_uniform for floating-point types and zeros for integers, bool and strings.
      regularizer: callable of the variable, whose result is added to the collection REGULARIZATION_LOSSES.
      trainable, collections, caching_device, validate_shape, use_resource, constraint, synchronization, aggregation:
        see `tf.Variable`; None means the scope's default.
      partitioner: callable of shape and dtype that returns the number of pieces along each axis. The result is then a
        PartitionedVariable of variables "name/part_0", …; ignored for scalars.
      custom_getter: callable `(getter, name, **kwargs)` that replaces the lookup.

    Returns:
      Variable or PartitionedVariable.

    Raises:
      ValueError: if the variable exists without reuse or does not exist with reuse, or if shape, dtype or partitions do
        not fit.

    Example:
      with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [2, 3], initializer=tf.zeros_initializer())
    """
    return get_variable_in(
        get_variable_scope(),
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


@tf_export("get_local_variable")
@called_by_users
def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """Like `tf.get_variable`, for a variable in the collection LOCAL_VARIABLES that is not trainable.

    Arguments and errors are the same as for `tf.get_variable`, except for:

    Args:
      trainable: ignored; the variable is never trainable.
      collections: list of additional collections to join.

    Returns:
      Variable or PartitionedVariable.
    """
    return get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=False,
        collections=[*(collections or []), GraphKeys.LOCAL_VARIABLES],
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


@tf_export("variable_scope")
class variable_scope:
    """Context manager that opens a variable scope and a name scope; yields the VariableScope.

    Args:
      name_or_scope: str, VariableScope to enter again, or None to use `default_name`.
      default_name: str, name to use if `name_or_scope` is None, made unique.
      values: list of Tensors whose graph is entered.
      reuse: True, AUTO_REUSE, or None or False to inherit from the outer scope.
      auxiliary_name_scope: bool, whether to open a name scope, too.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults
        for `tf.get_variable` in the scope.

    Raises:
      TypeError: if there is no name, or it has another type.
      ValueError: for an invalid `reuse`, or for reuse without `name_or_scope`.
      NotImplementedError: on entry, for a caching device in eager mode.

    Example:
      with tf.variable_scope("layer1", reuse=tf.AUTO_REUSE) as scope:
        w = tf.get_variable("w", [2, 3])
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        # One item per entry, for exit in reverse: (name scope or None, scope, mark of the counts or None, devices).
        self._entered: list[tuple[Any, VariableScope, int | None, Any]] = []
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None  # reuse is inherited and cannot be disabled
        if not (reuse is True or reuse is None or reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        if name_or_scope is not None and not isinstance(name_or_scope, (VariableScope, str)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._values = values or ()
        self._auxiliary = auxiliary_name_scope
        self._overrides = {
            "_reuse": reuse,
            "_initializer": initializer,
            "_regularizer": regularizer,
            "_caching_device": caching_device,
            "_partitioner": partitioner,
            "_dtype": dtype,
            "_use_resource": use_resource,
            "_constraint": constraint,
        }
        self._custom_getter = custom_getter

    def __enter__(self) -> VariableScope:
        scopes = open_scopes()
        parent, counts = scopes.stack[-1], scopes.counts
        given = self._name_or_scope
        again = isinstance(given, VariableScope)
        around = given if isinstance(given, VariableScope) else parent
        caching_device = self._overrides["_caching_device"] or around.caching_device
        if caching_device is not None and executing_eagerly():
            raise NotImplementedError("Caching devices is not yet supported when eager execution is enabled.")
        if isinstance(given, VariableScope):  # opens a new name scope named like the last part of the scope
            base, name = given, given.name
            inner = name.split("/")[-1] or None
        else:
            local = inner = given
            if local is None:
                local, inner = counts.unique(parent.name, str(self._default_name)), self._default_name
            # An empty name still adds its slash, as in TensorFlow: "" inside "a" yields variables "a//v".
            base, name = parent, f"{parent.name}/{local}" if parent.name else local
        graph_scope = name_scope(inner, values=self._values) if self._auxiliary and inner else None
        opened = graph_scope.__enter__() if graph_scope else "" if self._auxiliary else _current_name_scope()
        scope = _copy_scope(base, name, base.original_name_scope if again else opened)
        for attribute, value in self._overrides.items():
            if value is not None:
                setattr(scope, attribute, value)
        if self._custom_getter is not None:
            scope._custom_getter = _compose(scope._custom_getter, self._custom_getter)
        counts.open(name)
        if executing_eagerly() or get_default_graph().building_function:
            devices = innermost_devices()
        else:
            devices = enter_devices(get_default_graph())
        self._entered.append((graph_scope, scope, counts.mark() if again else None, devices))
        scopes.stack.append(scope)
        return scope

    def __exit__(self, *exc: Any) -> None:
        graph_scope, scope, mark, devices = self._entered.pop()
        leave_devices(devices)
        scopes = open_scopes()
        if mark is None:
            scopes.counts.forget_inside(scope.name)
        else:
            scopes.counts.restore(mark)
        scopes.stack.pop()
        if graph_scope is not None:
            graph_scope.__exit__(*exc)

    def __del__(self) -> None:
        # A scope entered by hand and then dropped stays open, as in TensorFlow, except for its entry in the device
        # scopes.
        for _, _, _, devices in reversed(self._entered):
            leave_devices(devices)


def _current_name_scope() -> str:
    if executing_eagerly():
        return current_scope()
    name = get_default_graph().get_name_scope()
    return name + "/" if name else ""


def _copy_scope(scope: VariableScope, name: str, opened: str) -> VariableScope:
    """A scope with the same defaults, except for the constraint, which is not inherited, as in TensorFlow."""
    copy = VariableScope(False)
    copy.__dict__.update(scope.__dict__)
    copy._name = name
    copy._name_scope = opened
    copy._constraint = None
    return copy


def _compose(outer: Any, inner: Any) -> Any:
    """A custom getter that calls `inner` with `outer` as its getter."""
    if outer is None:
        return inner

    def getter(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(lambda *a, **k: outer(getter, *a, **k), *args, **kwargs)

    return getter


@tf_export("variable_op_scope")
@contextmanager
def variable_op_scope(
    values: Any,
    name_or_scope: Any,
    default_name: str | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> Iterator[VariableScope]:
    """Deprecated form of `tf.variable_scope`, with `values` as first argument."""
    with variable_scope(
        name_or_scope,
        default_name=default_name,
        values=values,
        initializer=initializer,
        regularizer=regularizer,
        caching_device=caching_device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        reuse=reuse,
        dtype=dtype,
        use_resource=use_resource,
        constraint=constraint,
    ) as scope:
        yield scope


@tf_export("create_partitioned_variables")
@called_by_users
def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Any,
    dtype: Any = dtypes.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """Creates a partitioned variable and returns its pieces.

    Args:
      shape: list of ints, shape of the whole variable.
      slicing: list of ints, number of pieces along each axis; more than 1 along at most one axis.
      initializer: callable of a piece's shape, or Tensor of the whole shape, whose slices and type the pieces get.
      dtype: element type.
      trainable: bool, whether optimizers update the variable by default.
      collections: collections to join; None means GLOBAL_VARIABLES.
      name: str; None means "PartitionedVariable", made unique.
      reuse: as in `tf.variable_scope`.

    Returns:
      List of variables.

    Raises:
      ValueError: if `slicing` does not fit `shape`, for a scalar shape, and for names that violate the reuse rules.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:
        whole = get_variable_in(
            scope,
            None,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=trainable,
            collections=collections,
            partitioner=lambda **unused: slicing,
            is_whole_scope=True,
        )
    return list(whole)


VariableScope._getter = staticmethod(get_variable_in)
