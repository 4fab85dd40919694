"""`ScopedWeights`: creates the variables of a layer in a variable scope of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.layers.creation import MadeWeight, Regularize, Track, WeightRequest, layer_initializer, parts_of
from tinytf._src.layers.layer_copies import copy_attributes
from tinytf._src.variables.scope import get_variable, variable_scope
from tinytf._src.variables.scope_defaults import VariableScope


class ScopedWeights:
    """Creates variables as `tf.get_variable` does, with the initializers, partitioners and custom getters of the scope.

    Args:
      base_name: name of the variable scope, which is made unique unless variables are reused.
      reuse: whether the layer reuses existing variables: True, `tf.AUTO_REUSE`, or None or False.
      scope: optional scope of the variables; by default `choose` opens one at the first use.
    """

    def __init__(self, base_name: str, reuse: Any, scope: Any) -> None:
        self.reuse = reuse
        self.scope: VariableScope | None = None
        self.current: Any = None  # The scope of the call in progress.
        self._base_name = base_name
        self._sharing_scope: Any = None  # Opened to reuse the variables once the layer is built.
        if scope:
            with variable_scope(scope) as self.scope:
                pass

    def choose(self, scope: Any) -> None:
        """Sets the scope if there is none yet: the given one, or a new one if that is None."""
        if self.scope is not None:
            return
        if self.reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as self.scope:
            pass

    @contextmanager
    def opened(self, name: str, built: bool) -> Iterator[None]:
        """Context manager of the operations of a call: opens the chosen scope, in which a built layer reuses its
        variables, and its name scope.
        """
        if not built:
            opened = variable_scope(self.scope, reuse=self.reuse, auxiliary_name_scope=False)
        else:
            if self._sharing_scope is None:
                self._sharing_scope = variable_scope(self.scope, reuse=True, auxiliary_name_scope=False)
            opened = self._sharing_scope
        around = self.current
        with opened as scope, name_scope(scope.original_name_scope):
            self.current = scope
            try:
                yield
            finally:
                self.current = around

    def make(self, request: WeightRequest, track: Track, regularize: Regularize | None) -> MadeWeight:
        """Creates or reuses a variable. It counts as trainable if it is in TRAINABLE_VARIABLES, because a custom getter
        may decide otherwise.
        """
        self.choose(None)
        before = set() if executing_eagerly() else set(map(id, _collected(GraphKeys.GLOBAL_VARIABLES)))
        opened = variable_scope(self.scope, reuse=request.built or self.reuse, auxiliary_name_scope=False)
        with opened as scope, name_scope(scope.original_name_scope):
            variable = track(
                request.name,
                request.shape,
                dtype=request.dtype,
                initializer=layer_initializer(request.initializer or scope.initializer, request),
                getter=get_variable,
                overwrite=True,
                constraint=request.constraint,
                trainable=request.trainable,
                use_resource=request.use_resource or scope.use_resource,
                partitioner=request.partitioner,
                synchronization=request.synchronization,
                aggregation=request.aggregation,
            )
            if regularize is not None and not any(id(part) in before for part in parts_of(variable)):
                regularize(request.name, variable)
        trainable = request.trainable
        if trainable and not executing_eagerly():
            trainable = any(variable is other for other in _collected(GraphKeys.TRAINABLE_VARIABLES))
        return MadeWeight(variable, trainable)

    def __deepcopy__(self, memo: dict[int, Any]) -> ScopedWeights:
        return copy_attributes(self, memo, shallow=("scope", "_sharing_scope"))


def _collected(key: str) -> list[Any]:
    return get_default_graph().get_collection_ref(key)
