"""The base class of layers. Variables are created in the layer's own variable scope at the first call and
reused later.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tinytf._src.framework import dtypes, errors_impl, nest
from tinytf._src.framework.conversion import convert_to_tensor
from tinytf._src.framework.default_graph import get_default_graph
from tinytf._src.framework.error_traceback import called_by_users
from tinytf._src.framework.execution import executing_eagerly
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.name_scope import name_scope
from tinytf._src.framework.tensor import Tensor
from tinytf._src.framework.trackable import Trackable
from tinytf._src.layers.input_spec import InputSpec, check_inputs
from tinytf._src.layers.layer_effects import LayerEffects, parts_of
from tinytf._src.layers.layer_names import class_name_as_words, numbered_name
from tinytf._src.layers.layer_weights import LayerWeights, layer_initializer
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization
from tinytf._src.variables.scope import get_variable, variable_scope
from tinytf._src.variables.scope_defaults import VariableScope

_SCOPES = ("_scope", "_sharing_scope")  # Attributes that `__deepcopy__` copies shallowly.
_VALUES = (np.ndarray, float, int)  # Input types that are converted to tensors.


class Layer(LayerWeights, LayerEffects, Trackable):
    """Base class of layers: callable objects that own variables.

    A subclass creates its variables in `build`, or in `call`, which computes the outputs. Not thread-safe.

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
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        for argument in kwargs:
            raise TypeError("Keyword argument not understood:", argument)
        self._trainable = trainable
        self.built = False
        self._input_spec: Any = None
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self._trainable_weights = []
        self._non_trainable_weights = []
        self._losses = []
        self._updates = []
        self._call_inputs = None
        words = class_name_as_words(type(self).__name__)
        if not name:
            self._name, self._base_name = numbered_name(words), words
        elif isinstance(name, VariableScope):
            self._name, self._base_name = numbered_name(words), name.name
        else:
            self._name = self._base_name = name
        self._scope: VariableScope | None = None
        self._current_scope: Any = None
        self._sharing_scope: Any = None  # Opened to reuse the variables once the layer is built.
        if scope:
            with variable_scope(scope) as self._scope:
                pass

    @property
    def name(self) -> str:
        """The name of the layer."""
        return self._name

    @property
    def dtype(self) -> str | None:
        """The name of the variables' dtype; None until it is known."""
        return self._dtype

    @property
    def scope_name(self) -> str:
        """The name of the variable scope. Raises ValueError before the first call."""
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope name '
                " is determined the first time the layer instance is called. You must therefore call the layer before "
                "querying `scope_name`."
            )
        return self._scope.name

    @property
    def input_spec(self) -> Any:
        """The constraints on the inputs: an InputSpec, a structure of them, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        for spec in nest.flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        self._input_spec = value

    def build(self, input_shape: Any) -> None:
        """Creates the variables; overridden by subclasses. `input_shape` has the structure of the inputs."""
        self.built = True

    if TYPE_CHECKING:
        call: Callable[..., Any]  # Subclasses have arguments of their own.
    else:

        def call(self, inputs: Any, **kwargs: Any) -> Any:
            """Computes the outputs; overridden by subclasses."""
            return inputs

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        return {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Creates a layer from the dict that `get_config` returned."""
        return cls(**config)

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer with the given arguments."""
        return self(inputs, *args, **kwargs)

    @called_by_users
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Runs `call` in the layer's variable scope, after creating the variables if they do not exist yet. The
        argument `scope` sets the variable scope at the first call.
        """
        self._set_scope(kwargs.pop("scope", None))
        if executing_eagerly():
            self._forget_losses()
        if not self.built:
            opened = variable_scope(self._scope, reuse=self._reuse, auxiliary_name_scope=False)
        else:
            if self._sharing_scope is None:
                self._sharing_scope = variable_scope(self._scope, reuse=True, auxiliary_name_scope=False)
            opened = self._sharing_scope
        with opened as scope:
            self._current_scope = scope
            if _takes_scope(self.call):
                kwargs["scope"] = scope
            inputs = nest.map_structure(lambda x: convert_to_tensor(x) if isinstance(x, _VALUES) else x, inputs)
            check_inputs(self.input_spec, inputs, self.name)
            with name_scope(scope.original_name_scope):
                self._build_for(inputs)
                outputs = self._called(inputs, args, kwargs)
        self._collect_updates()
        return outputs

    def _called(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        """Returns the outputs of `call`, after adding the losses of the activity regularizer."""
        around, self._call_inputs = self._call_inputs, inputs
        try:
            try:
                outputs = self.call(inputs, *args, **kwargs)
            except errors_impl.OperatorNotAllowedInGraphError as e:
                raise TypeError(
                    "You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass "
                    f'`dynamic=True` to the class constructor.\nEncountered error:\n"""\n{e}\n"""'
                ) from e
            if outputs is None:
                raise ValueError(
                    f"A layer's `call` method should return a Tensor or a list of Tensors, not None (layer: {self.name})."
                )
            self._regularize_outputs(outputs)
        finally:
            self._call_inputs = around
        return outputs

    def _set_scope(self, scope: Any) -> None:
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as self._scope:
            pass

    def _build_for(self, inputs: Any) -> None:
        if self.built:
            return
        leaves = nest.flatten(inputs)
        if self._dtype is None and leaves and hasattr(leaves[0], "dtype"):
            self._dtype = dtypes.as_dtype(leaves[0].dtype).base_dtype.name
        known = all(hasattr(x, "shape") for x in leaves)
        self.build(nest.map_structure(lambda x: x.shape, inputs) if known else None)
        self.built = True

    def add_weight(
        self,
        name: str,
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
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError(
                    "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
                    "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
                )
            trainable = False
        trains = self.trainable if trainable is None else trainable and self.trainable
        dtype = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        if self._dtype is None:
            self._dtype = dtype.base_dtype.name
        self._set_scope(None)
        before = set() if executing_eagerly() else set(map(id, _collected(GraphKeys.GLOBAL_VARIABLES)))
        opened = variable_scope(self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False)
        with opened as scope, name_scope(scope.original_name_scope):
            self._current_scope = scope
            variable = self._add_variable_with_custom_getter(
                name,
                shape,
                dtype=dtype,
                initializer=layer_initializer(initializer or scope.initializer, name, dtype, self.name),
                getter=get_variable,
                overwrite=True,
                constraint=constraint,
                trainable=trains,
                use_resource=use_resource or scope.use_resource,
                partitioner=partitioner,
                synchronization=synchronization,
                aggregation=aggregation,
            )
            if regularizer is not None and not any(id(part) in before for part in parts_of(variable)):
                self._regularize(name, variable, regularizer)
        if trains and not executing_eagerly():  # A custom getter may have decided otherwise.
            trains = any(variable is other for other in _collected(GraphKeys.TRAINABLE_VARIABLES))
        (self._trainable_weights if trains else self._non_trainable_weights).append(variable)
        return variable

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Deprecated alias of `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Returns a copy: scopes are copied shallowly, attributes that hold tensors are shared, all others are deep
        copies.
        """
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for name, value in self.__dict__.items():
            if name in _SCOPES:
                value = copy.copy(value)
            elif not any(isinstance(leaf, Tensor) for leaf in nest.flatten(value)):
                value = copy.deepcopy(value, memo)
            setattr(made, name, value)
        return made


def _takes_scope(call: Callable[..., Any]) -> bool:
    code = getattr(call, "__code__", None)
    if code is not None:  # The common case; many times faster than inspect.signature.
        return "scope" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return "scope" in inspect.signature(call).parameters


def _collected(key: str) -> list[Any]:
    return get_default_graph().get_collection_ref(key)
