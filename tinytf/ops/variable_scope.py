"""`get_variable` and `variable_scope`: variables that are found by name, shared and initialised by rules."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework import dtypes
from tinytf.framework.graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor_shape import TensorShape, as_shape
from tinytf.ops import init_ops, variables
from tinytf.ops.ref_variable import RefVariable
from tinytf.ops.resource_variable import ResourceVariable

__all__ = [
    "AUTO_REUSE",
    "VariableScope",
    "get_local_variable",
    "get_variable",
    "get_variable_scope",
    "no_regularizer",
    "variable_creator_scope",
    "variable_op_scope",
    "variable_scope",
]

_STORE_KEY = ("__variable_store",)
_SCOPE_KEY = ("__varscope",)


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


def no_regularizer(_: Any) -> None:
    """A regularizer that regularizes nothing, to shut out one inherited from a scope."""
    return None


class _VariableStore:
    """The variables of one graph that `get_variable` made, by name."""

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.scope_counts: dict[str, int] = {}

    def open_scope(self, name: str) -> None:
        self.scope_counts[name] = self.scope_counts.get(name, 0) + 1

    def close_subscopes(self, name: str) -> None:
        for key in self.scope_counts:
            if not name or key.startswith(name + "/"):
                self.scope_counts[key] = 0

    def scope_count(self, name: str) -> int:
        return self.scope_counts.get(name, 0)

    def get_variable(
        self,
        name: str,
        shape: Any,
        dtype: Any,
        initializer: Any,
        regularizer: Any,
        reuse: Any,
        trainable: bool | None,
        collections: Any,
        caching_device: Any,
        validate_shape: bool,
        use_resource: bool | None,
        constraint: Any,
    ) -> Any:
        """One unpartitioned variable, found or made. ValueError with TensorFlow's texts."""
        dtype = dtypes.as_dtype(dtype).base_dtype
        shape = as_shape(shape)
        if name in self.variables:
            found = self.variables[name]
            if not reuse:
                raise ValueError(_already_exists(name, found))
            if not shape.is_compatible_with(found.get_shape()):
                raise ValueError(
                    f"Trying to share variable {name}, but specified shape {shape} and found shape {found.get_shape()}."
                )
            if not dtype.is_compatible_with(found.dtype.base_dtype):
                raise ValueError(
                    f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype "
                    f"{found.dtype.base_dtype.name}."
                )
            return found
        if reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        value, dtype = _initial_value(name, shape, dtype, initializer)
        variable = make_variable(
            initial_value=value,
            name=name,
            trainable=trainable,
            collections=collections,
            caching_device=caching_device,
            dtype=dtype,
            validate_shape=validate_shape,
            constraint=constraint,
            use_resource=use_resource,
        )
        self.variables[name] = variable
        if regularizer is not None:
            with name_scope(name + "/Regularizer/"), _colocated(variable):
                loss = regularizer(variable)
            if loss is not None:
                get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable


@contextmanager
def _colocated(variable: Any) -> Iterator[None]:
    with get_default_graph().colocate_with(variable.op):
        yield


def _already_exists(name: str, variable: Any) -> str:
    frames = [f for f in variable.op.traceback if "/tinytf/" not in f[0]][-5:]
    where = "".join(
        f'  File "{file}", line {line}, in {function}\n    {code}\n' for file, line, function, code in reversed(frames)
    )
    return (
        f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope? "
        f"Originally defined at:\n\n{where}"
    )


def _initial_value(name: str, shape: TensorShape, dtype: dtypes.DType, initializer: Any) -> tuple[Any, Any]:
    """(a value or a function that makes it, dtype). ValueError if the shape is missing or not needed."""
    if initializer is None:
        initializer = default_initializer(name, dtype)
    if isinstance(initializer, type):
        initializer = initializer()
    if not callable(initializer):  # a constant
        if shape.ndims is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        return initializer, dtypes.as_dtype(initializer.dtype).base_dtype if hasattr(initializer, "dtype") else None
    if not shape.is_fully_defined() and not _takes_nothing(initializer):
        raise ValueError(f"Shape of a new variable ({name}) must be fully defined, but instead was {shape}.")
    if _takes_nothing(initializer):
        return initializer, dtype
    sizes = shape.as_list()
    return (lambda: initializer(sizes, dtype=dtype)), dtype


def _takes_nothing(function: Callable[..., Any]) -> bool:
    import inspect

    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    return len(parameters) == 0


def default_initializer(name: str, dtype: dtypes.DType) -> Any:
    """glorot_uniform for floats, zeros for integers and bool. ValueError for other types."""
    if dtype.is_floating:
        return init_ops.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return init_ops.zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype} is required")


class VariableScope:
    """Defaults for `get_variable` calls inside a scope. `variable_scope` hands these out."""

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self._name = name
        self._initializer = initializer
        self._regularizer = regularizer
        self._reuse = reuse
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._name_scope = name_scope
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint

    @property
    def name(self) -> str:
        """The scope's name, without a slash at its end."""
        return self._name

    @property
    def original_name_scope(self) -> str:
        """The name scope that the scope was opened with."""
        return self._name_scope

    @property
    def reuse(self) -> Any:
        """False, True or AUTO_REUSE."""
        return self._reuse

    @property
    def initializer(self) -> Any:
        """Default initializer."""
        return self._initializer

    @property
    def dtype(self) -> Any:
        """Default dtype."""
        return self._dtype

    @property
    def use_resource(self) -> bool | None:
        """Default kind of variable."""
        return self._use_resource

    @property
    def regularizer(self) -> Any:
        """Default regularizer."""
        return self._regularizer

    @property
    def caching_device(self) -> Any:
        """Default caching device."""
        return self._caching_device

    @property
    def partitioner(self) -> Any:
        """Default partitioner."""
        return self._partitioner

    @property
    def custom_getter(self) -> Any:
        """Default custom getter."""
        return self._custom_getter

    @property
    def constraint(self) -> Any:
        """Default constraint."""
        return self._constraint

    def reuse_variables(self) -> None:
        """Turns reuse on."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool) -> None:
        """Sets the default kind of variable."""
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the default caching device."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the default custom getter."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """A collection's values of this scope."""
        return get_default_graph().get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The scope's trainable variables."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The scope's global variables."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The scope's local variables."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, name: str, **options: Any) -> Any:
        """See tf.get_variable."""
        return _get_variable(self, name, **options)


def _store() -> _VariableStore:
    collection = get_default_graph().get_collection_ref(_STORE_KEY)
    if not collection:
        collection.append(_VariableStore())
    return collection[0]


def _scope_stack() -> list[VariableScope]:
    collection = get_default_graph().get_collection_ref(_SCOPE_KEY)
    if not collection:
        collection.append(VariableScope(False))
    return collection


def get_variable_scope() -> VariableScope:
    """The current variable scope of the default graph."""
    return _scope_stack()[-1]


def _get_variable(
    scope: VariableScope,
    name: str,
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
) -> Any:
    full_name = f"{scope.name}/{name}" if scope.name else name
    # Names of variables are given in full: the name scope of the moment does not count.
    with name_scope(None):
        if dtype is not None and scope.dtype is not None and initializer is not None and not callable(initializer):
            _check_constant_dtype(initializer, dtype)
        options: dict[str, Any] = {
            "shape": shape,
            "dtype": dtypes.as_dtype(dtype if dtype is not None else scope.dtype or dtypes.float32),
            "initializer": scope.initializer if initializer is None else initializer,
            "regularizer": scope.regularizer if regularizer is None else regularizer,
            "reuse": scope.reuse if reuse is None else reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": scope.caching_device if caching_device is None else caching_device,
            "validate_shape": validate_shape,
            "use_resource": scope.use_resource if use_resource is None else use_resource,
            "constraint": scope.constraint if constraint is None else constraint,
        }
        partitioner = scope.partitioner if partitioner is None else partitioner
        if partitioner is not None and not callable(partitioner):
            raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
        if partitioner is not None and _partition_count(partitioner, full_name, options) > 1:
            raise NotImplementedError(
                f"Variable {full_name}: the partitioner asks for more than one partition; partitioned variables are not "
                "supported."
            )
        getter = scope.custom_getter if custom_getter is None else custom_getter
        store = _store()

        def true_getter(name: str, **given: Any) -> Any:
            for ignored in ("partitioner", "synchronization", "aggregation"):
                given.pop(ignored, None)
            return store.get_variable(name, **{**options, **given})

        if getter is None:
            return true_getter(full_name)
        return getter(getter=true_getter, name=full_name, **options)


def _partition_count(partitioner: Any, name: str, options: dict[str, Any]) -> int:
    """How many pieces the partitioner wants. ValueError for an answer of another form."""
    shape = as_shape(options["shape"])
    if not shape.is_fully_defined():
        raise ValueError(
            f"Shape of a new partitioned variable ({name}) must be fully defined, but instead was {shape}."
        )
    partitions = partitioner(shape=shape, dtype=options["dtype"])
    if not isinstance(partitions, (list, tuple)):
        raise ValueError(f"Partitioner must return a sequence, but saw: {partitions}")
    if len(partitions) != shape.ndims:
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {partitions} vs. {shape}"
        )
    if any(p < 1 for p in partitions):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {partitions}")
    count = 1
    for p in partitions:
        count *= p
    return count


def _check_constant_dtype(initializer: Any, dtype: Any) -> None:
    own = getattr(initializer, "dtype", None)
    if own is not None and dtypes.as_dtype(own).base_dtype != dtypes.as_dtype(dtype).base_dtype:
        raise ValueError(
            f"Initializer type '{dtypes.as_dtype(own).base_dtype.name}' and explicit dtype "
            f"'{dtypes.as_dtype(dtype).base_dtype.name}' don't match."
        )


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
    """The variable `name` of the current variable scope: a new one, or, as the scope's `reuse` says, the existing one.

    Args:
      shape: must be fully defined for a new variable, unless `initializer` is a constant.
      dtype: float32 when None and the scope has no other.
      initializer: an initializer, a class of one, a function of no arguments, or a constant; glorot_uniform for floats,
        zeros for integers when None.
      regularizer: function of the variable; its result joins REGULARIZATION_LOSSES.
      Others: as in tf.Variable.

    Raises ValueError for a name that exists (or does not exist) against the reuse rules, and for shape or dtype that do not
    fit the existing variable.
    """
    return get_variable_scope().get_variable(
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
    )


def get_local_variable(name: str, *args: Any, **kwargs: Any) -> Any:
    """As get_variable, for a variable of this process: collection LOCAL_VARIABLES, not trainable."""
    kwargs["trainable"] = False
    kwargs["collections"] = [*(kwargs.get("collections") or []), GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, *args, **kwargs)


class variable_scope:
    """Opens a variable scope and a name scope: `with tf.variable_scope("layer1", reuse=tf.AUTO_REUSE) as scope:`.

    Args:
      name_or_scope: a name, a VariableScope to re-enter, or None with a `default_name`, which is made unique.
      reuse: True, False, None (inherit) or AUTO_REUSE.
      auxiliary_name_scope: False opens no name scope.
      Others: defaults for the get_variable calls inside.

    TypeError for a name of another type; ValueError if reuse is asked for together with `default_name` alone.
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
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None  # reuse is inherited: False cannot switch it off
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
        self._reuse = reuse
        self._auxiliary = auxiliary_name_scope
        self._overrides = {
            "_initializer": initializer,
            "_regularizer": regularizer,
            "_caching_device": caching_device,
            "_partitioner": partitioner,
            "_dtype": dtype,
            "_use_resource": use_resource,
            "_constraint": constraint,
        }
        self._custom_getter = custom_getter
        self._name_scopes: list[Any] = []
        self._entered: list[tuple[Any, ...]] = []

    def __enter__(self) -> VariableScope:
        graph_scope = None
        if isinstance(self._name_or_scope, VariableScope):
            base = self._name_or_scope
            # Re-entering opens the last part of the name as a new name scope.
            graph_scope = name_scope(base.name.split("/")[-1] or None, values=self._values) if self._auxiliary else None
            opened = graph_scope.__enter__() if graph_scope else ""
            scope = _copy_scope(base, base.name, base.original_name_scope)
        else:
            parent = get_variable_scope()
            if self._name_or_scope is not None:
                local = self._name_or_scope
                if self._auxiliary:
                    graph_scope = name_scope(local, values=self._values)
            else:
                local = self._unique_default(parent)
                if self._auxiliary:
                    graph_scope = name_scope(self._default_name, values=self._values)
            opened = graph_scope.__enter__() if graph_scope else _current_name_scope()
            full = f"{parent.name}/{local}" if parent.name and local else parent.name or local
            scope = _copy_scope(parent, full, opened)
        self._name_scopes.append(graph_scope)
        inherited = get_variable_scope().reuse
        if self._reuse is not None:
            scope._reuse = self._reuse
        elif not isinstance(self._name_or_scope, VariableScope):
            scope._reuse = inherited
        else:
            scope._reuse = self._name_or_scope.reuse or inherited
        for attribute, value in self._overrides.items():
            if value is not None:
                setattr(scope, attribute, value)
        if self._custom_getter is not None:
            scope._custom_getter = _compose(scope._custom_getter, self._custom_getter)
        store = _store()
        store.open_scope(scope.name)
        _scope_stack().append(scope)
        self._entered.append((store, dict(store.scope_counts), scope))
        return scope

    def _unique_default(self, parent: VariableScope) -> str:
        assert self._default_name is not None
        store = _store()
        prefix = parent.name + "/" if parent.name else ""
        name, i = self._default_name, 0
        while store.scope_count(prefix + name) > 0:
            i += 1
            name = f"{self._default_name}_{i}"
        return name

    def __exit__(self, *exc: Any) -> None:
        store, _, scope = self._entered.pop()
        store.close_subscopes(scope.name)
        _scope_stack().pop()
        graph_scope = self._name_scopes.pop()
        if graph_scope is not None:
            graph_scope.__exit__(*exc)


def _current_name_scope() -> str:
    name = get_default_graph().get_name_scope()
    return name + "/" if name else ""


def _copy_scope(scope: VariableScope, name: str, opened: str) -> VariableScope:
    copy = VariableScope(False)
    copy.__dict__.update(scope.__dict__)
    copy._name = name
    copy._name_scope = opened
    return copy


def _compose(outer: Any, inner: Any) -> Any:
    """A custom getter that runs `inner`, whose getter is `outer`."""
    if outer is None:
        return inner

    def getter(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(lambda *a, **k: outer(getter, *a, **k), *args, **kwargs)

    return getter


@contextmanager
def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, **options: Any
) -> Iterator[VariableScope]:
    """Old form of variable_scope."""
    with variable_scope(name_or_scope, default_name=default_name, values=values, **options) as scope:
        yield scope


_CREATORS_KEY = ("__variable_creators",)


@contextmanager
def variable_creator_scope(variable_creator: Any) -> Iterator[None]:
    """Variables made in the scope are made by `variable_creator(next_creator, **arguments)`."""
    stack = get_default_graph().get_collection_ref(_CREATORS_KEY)
    stack.append(variable_creator)
    try:
        yield
    finally:
        stack.remove(variable_creator)


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
    import_scope: Any = None,
    constraint: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = None,
    aggregation: Any = None,
    shape: Any = None,
) -> Any:
    """What `tf.Variable(…)` returns: a variable of the kind that the arguments, the scope or the process ask for."""
    if variable_def is not None:
        raise NotImplementedError("tf.Variable(variable_def=…) is not supported: import the meta graph instead.")
    options = {
        "initial_value": initial_value,
        "trainable": trainable,
        "collections": collections,
        "validate_shape": validate_shape,
        "caching_device": caching_device,
        "name": name,
        "dtype": dtype,
        "constraint": constraint,
        "use_resource": use_resource,
        "shape": shape,
    }
    creator: Callable[..., Any] = _create
    for outer in get_default_graph().get_collection(_CREATORS_KEY):
        creator = _wrap_creator(outer, creator)
    return creator(**options)


def _wrap_creator(outer: Any, inner: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **kwargs: outer(inner, **kwargs)


def _create(use_resource: bool | None = None, **options: Any) -> Any:
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = variables.resource_variables_enabled()
    return ResourceVariable(**options) if use_resource else RefVariable(**options)
