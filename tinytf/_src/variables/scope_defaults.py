"""`VariableScope`, the defaults of `get_variable`, and the scopes that are open."""

from __future__ import annotations

import enum
import operator
import threading
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.init_scope import outermost
from tinytf._src.framework.values import dtypes
from tinytf._src.variables.scope_counts import ScopeCounts

_SCOPE_KEY = ("__varscope",)
STORE_KEY = ("__variable_store",)
_CREATORS_KEY = ("__variable_creators",)
_SHARED_WITH_FUNCTIONS = [
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    STORE_KEY,
    _SCOPE_KEY,
]


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


def _default(attribute: str, doc: str) -> Any:
    """A read-only property; defaults are changed by the scope's `set_…` methods."""
    return property(operator.attrgetter(attribute), doc=doc)


@tf_export("VariableScope")
class VariableScope:
    """The defaults for `tf.get_variable` calls in a scope; created by `tf.variable_scope`.

    Args:
      reuse: False, True or AUTO_REUSE: whether variables are new, must exist, or are created on demand.
      name: str, prefix of variable names, without a trailing slash.
      name_scope: str, name scope that was opened with the scope.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults
        for `tf.get_variable`.
    """

    name = _default("_name", "Prefix of variable names, without a trailing slash.")
    original_name_scope = _default("_name_scope", "Name scope that was opened with the variable scope.")
    initializer = _default("_initializer", "Default initializer.")
    regularizer = _default("_regularizer", "Default regularizer.")
    caching_device = _default("_caching_device", "Default caching device.")
    partitioner = _default("_partitioner", "Default partitioner.")
    custom_getter = _default("_custom_getter", "Default custom getter.")
    dtype = _default("_dtype", "Default dtype.")
    constraint = _default("_constraint", "Default constraint.")

    _getter: Any  # finds or creates a variable in the scope; set by `scope`, which has access to the stores

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
    def reuse(self) -> Any:
        """False, True or AUTO_REUSE; always AUTO_REUSE in eager mode and in functions called from it."""
        return AUTO_REUSE if executing_eagerly() or outermost(get_default_graph()) is None else self._reuse

    @property
    def use_resource(self) -> bool | None:
        """Whether variables are resource variables; None means the process default. Always True in eager mode and in
        traced functions."""
        return True if executing_eagerly() or get_default_graph().calls_functions else self._use_resource

    def reuse_variables(self) -> None:
        """Sets `reuse` to True."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool) -> None:
        """Sets whether variables are resource variables by default. Raises ValueError for False in eager mode."""
        if executing_eagerly() and not use_resource:
            raise ValueError("When eager execution is enabled, use_resource cannot be set to false.")
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the default caching device. Raises NotImplementedError in eager mode."""
        if executing_eagerly():
            raise NotImplementedError("Caching devices are not yet supported when eager execution is enabled.")
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the default custom getter."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The values of a collection whose names are in this scope.

        Args:
          name: name of the collection.

        Returns:
          list.
        """
        return get_default_graph().get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The list of trainable variables in this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The list of global variables in this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The list of local variables in this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, name: str, **options: Any) -> Any:
        """Calls `tf.get_variable` with this scope in place of the current one."""
        return VariableScope._getter(self, name, **options)


class OpenVariableScopes(threading.local):
    """The variable scopes that a thread has open in a graph and its functions, and the counts of opened scopes."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = [VariableScope(False)]  # the current scope is last
        self.counts = ScopeCounts()


class VariableCreators(threading.local):
    """The variable creators that a thread installed in a graph, outermost first."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: tuple[Any, ...] = ()


def open_creators() -> VariableCreators:
    """The variable creators of the calling thread in the default graph."""
    collection = get_default_graph().get_collection_ref(_CREATORS_KEY)
    if not collection:
        collection.append(VariableCreators())
    return collection[0]


def share_scopes(graph: Any, around: Any) -> None:
    """Initializes the function body `graph` with the collections and the variable scope of the graph around it.

    Collections of variables are shared, so that both graphs see new variables; other collections are copied. Variable
    creators of the calling thread also apply in the function.
    """
    graph._collections.begin_as(around._collections, _SHARED_WITH_FUNCTIONS)
    graph._collections.clear(_CREATORS_KEY)
    with around.as_default():
        functions = open_creators().functions
    with graph.as_default():
        open_creators().functions = functions


def open_scopes() -> OpenVariableScopes:
    """The open variable scopes of the calling thread in the default graph."""
    collection = get_default_graph().get_collection_ref(_SCOPE_KEY)
    if not collection:
        collection.append(OpenVariableScopes())
    return collection[0]


@tf_export("get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The current variable scope of the calling thread in the default graph, a VariableScope."""
    return open_scopes().stack[-1]


tf_export("AUTO_REUSE").constant(__name__, "AUTO_REUSE")
