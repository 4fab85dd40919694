"""`Layer`: a layer with a variable scope of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.layers.base import BaseLayer, checked_trainable
from tinytf._src.layers.layer_copies import copy_attributes
from tinytf._src.layers.layer_effects import loss_tensor
from tinytf._src.layers.layer_names import class_name_as_words, numbered_name
from tinytf._src.layers.scoped_weights import ScopedWeights
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization
from tinytf._src.variables.scope_defaults import VariableScope


class Layer(BaseLayer):
    """Base class of layers whose variables are created in a variable scope of the layer, as by `tf.get_variable`.

    Attributes are not tracked: only variables of `add_weight` are in the weights and in checkpoints of the layer. In graph
    mode, losses and updates are also added to REGULARIZATION_LOSSES and UPDATE_OPS. Not thread-safe.

    Args:
      trainable: bool, whether the variables are trainable.
      name: optional name of the layer and of its variable scope, which is made unique; defaults to the class name.
      dtype: dtype of the variables; defaults to that of the first input.
      activity_regularizer: optional function from an output to a loss.

    Raises:
      TypeError: if there is any other keyword argument.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        own_name = None if isinstance(name, VariableScope) else name
        super().__init__(trainable=trainable, name=own_name, dtype=dtype, **kwargs)
        words = class_name_as_words(type(self).__name__)
        base_name = name.name if isinstance(name, VariableScope) else name or words
        self._scopes = self._maker = ScopedWeights(base_name, self._reuse, scope)

    def _default_name(self) -> str:
        return numbered_name(class_name_as_words(type(self).__name__))

    @property
    def _scope(self) -> VariableScope | None:
        return self._scopes.scope

    @property
    def scope_name(self) -> str:
        """The name of the variable scope. Raises ValueError before the first call."""
        if self._scopes.scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope name '
                " is determined the first time the layer instance is called. You must therefore call the layer before "
                "querying `scope_name`."
            )
        return self._scopes.scope.name

    @called_by_users
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Runs `call` in the layer's variable scope, after creating the variables if they do not exist yet. The
        argument `scope` sets the variable scope at the first call.
        """
        self._scopes.choose(kwargs.pop("scope", None))
        outputs = super().__call__(inputs, *args, **kwargs)
        if not executing_eagerly():
            _collect(self.updates, GraphKeys.UPDATE_OPS)  # Also creates the collection if there are none.
        return outputs

    def _called(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        if _takes_scope(self.call):
            kwargs["scope"] = self._scopes.current
        return super()._called(inputs, args, kwargs)

    def add_weight(  # type: ignore[override]  # TensorFlow has these arguments in another order here.
        self,
        name: Any,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        partitioner: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Creates or reuses a variable of the layer in its scope, as `tf.get_variable` does.

        Args:
          dtype: dtype of the variable; defaults to that of the layer.
          initializer: initializer or its name; defaults to that of the scope, else to glorot_uniform.
          trainable: defaults to True, unless the layer is not trainable or `synchronization` is ON_READ.
          Others: as in `tf.get_variable`.

        Raises:
          TypeError: if there is an unknown keyword argument.
          ValueError: if a variable with `synchronization` ON_READ is trainable.
        """
        for argument in kwargs:
            if argument != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", argument)
        trainable = checked_trainable(trainable, synchronization)
        return super().add_weight(
            name,
            shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=self.trainable if trainable is None else trainable and self.trainable,
            constraint=constraint,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds loss tensors, or functions without arguments that return one; in graph mode they are called now. Unless
        `inputs` is None, the losses count as dependent on the inputs.
        """
        if executing_eagerly():
            super().add_loss(losses, inputs)
            return
        for loss in nest.flatten(losses):
            loss = loss() if callable(loss) else loss
            if loss is not None:
                loss = loss_tensor(loss)
                _collect([loss], GraphKeys.REGULARIZATION_LOSSES)
                super().add_loss(loss, inputs)

    def _no_dependency(self, value: Any) -> Any:
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Returns a copy: scopes are copied shallowly, attributes that hold tensors are shared, all others are deep
        copies.
        """
        return copy_attributes(self, memo)


def _takes_scope(call: Callable[..., Any]) -> bool:
    code = getattr(call, "__code__", None)
    if code is not None:  # The common case; many times faster than inspect.signature.
        return "scope" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return "scope" in inspect.signature(call).parameters


def _collect(values: list[Any], key: str) -> None:
    collection: Any = get_default_graph().get_collection_ref(key)
    known = set(map(id, collection))
    collection += [value for value in values if id(value) not in known]
