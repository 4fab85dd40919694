"""`BaseLayer`: the base class of layers. The variables are created at the first call and used again by later calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.trackable import no_automatic_dependency_tracking
from tinytf._src.framework.values import dtypes
from tinytf._src.layers import layer_errors
from tinytf._src.layers.creation import DirectWeights, WeightMaker, WeightRequest
from tinytf._src.layers.input_spec import check_inputs, check_specs
from tinytf._src.layers.layer_effects import LayerEffects, loss_tensor
from tinytf._src.layers.layer_inputs import dtype_of, shapes_of, with_tensors
from tinytf._src.layers.layer_names import class_name_as_words, numbered_name
from tinytf._src.layers.layer_weights import LayerWeights, assign_values, count_elements, values_of
from tinytf._src.layers.weight_regularizer import WeightRegularizer
from tinytf._src.trackable.auto_trackable import AutoTrackable
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization

_NONE = object()


class BaseLayer(AutoTrackable):
    """Base class of layers: callable objects that own variables.

    A subclass creates its variables in `build`, or in `call`, which computes the outputs. Variables and layers that are
    assigned to attributes belong to the layer, too: they are in its `weights` and in its checkpoints. Not thread-safe.

    Args:
      trainable: bool, whether the layer is trainable.
      name: optional name of the layer; defaults to the class name.
      dtype: dtype of the variables; defaults to that of the first input.
      activity_regularizer: optional function from an output to a loss.

    Raises:
      TypeError: if there is any other keyword argument.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        activity_regularizer = kwargs.pop("activity_regularizer", None)
        for argument in kwargs:
            raise TypeError("Keyword argument not understood:", argument)
        self._name: Any = name or self._default_name()
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self._input_spec: Any = None
        self.built = False
        self._own_weights.trainable = trainable
        self._effects = LayerEffects(activity_regularizer, self._own_weights.layers)
        self._maker: WeightMaker = DirectWeights()

    @property
    def _own_weights(self) -> LayerWeights:
        found: LayerWeights | None = self.__dict__.get("_self_weights")
        if found is None:  # A subclass may assign attributes before it calls `__init__`.
            found = self.__dict__["_self_weights"] = LayerWeights()
        return found

    def _default_name(self) -> str:
        return numbered_name(class_name_as_words(type(self).__name__), first=0)

    @property
    def name(self) -> str:
        """The name of the layer."""
        return self._name

    @property
    def dtype(self) -> str | None:
        """The name of the variables' dtype; None until it is known."""
        return self._dtype

    @property
    def input_spec(self) -> Any:
        """The constraints on the inputs: an InputSpec, a structure of them, or None."""
        return self._input_spec

    @input_spec.setter
    @no_automatic_dependency_tracking
    def input_spec(self, value: Any) -> None:
        check_specs(value)
        self._input_spec = value

    # -- Calls -------------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates the variables; overridden by subclasses. `input_shape` has the structure of the inputs."""
        self.built = True

    if TYPE_CHECKING:
        call: Callable[..., Any]  # Subclasses have arguments of their own.
    else:

        def call(self, inputs: Any, **kwargs: Any) -> Any:
            """Computes the outputs; overridden by subclasses."""
            return inputs

    @called_by_users
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Runs `call` in the layer's name scope, after creating the variables if they do not exist yet."""
        if executing_eagerly():
            self._effects.forget_losses()
        inputs = with_tensors(inputs)
        check_inputs(self.input_spec, inputs, self.name)
        with self._maker.opened(self.name, self.built):
            self._build_for(inputs)
            with self._effects.of_call(inputs):
                return self._called(inputs, args, kwargs)

    def _build_for(self, inputs: Any) -> None:
        if self.built:
            return
        if self._dtype is None:
            self._dtype = dtype_of(inputs)
        self.build(shapes_of(inputs))
        self.built = True

    def _called(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        """Returns the outputs of `call`, after adding the losses of the activity regularizer."""
        try:
            outputs = self.call(inputs, *args, **kwargs)
        except errors_impl.OperatorNotAllowedInGraphError as e:
            raise layer_errors.of_control_flow(e) from e
        if outputs is None:
            raise layer_errors.of_missing_outputs(self.name)
        for loss in self._effects.losses_of_outputs(outputs):
            self.add_loss(loss, inputs=True)
        return outputs

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer with the given arguments."""
        return self(inputs, *args, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        return {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Creates a layer from the dict that `get_config` returned."""
        return cls(**config)

    # -- Variables ---------------------------------------------------------------------------------------------------

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        **kwargs: Any,
    ) -> Any:
        """Creates a variable of the layer.

        Args:
          shape: shape of the variable; defaults to a scalar.
          dtype: dtype of the variable; defaults to that of the layer, else to float32.
          initializer: initializer or its name; defaults to glorot_uniform.
          regularizer: optional function from the variable to a loss.
          trainable: defaults to True, unless `synchronization` is ON_READ.
          partitioner: for layers that create their variables in a variable scope.
          Others: as in `tf.Variable`.

        Raises:
          TypeError: if there is an unknown keyword argument.
          ValueError: if a variable with `synchronization` ON_READ is trainable.
        """
        for argument in kwargs:
            if argument not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", argument)
        trainable = checked_trainable(trainable, synchronization)
        dtype = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        if self._dtype is None:
            self._dtype = dtype.base_dtype.name
        request = WeightRequest(
            layer=self.name,
            built=self.built,
            name=name,
            shape=() if shape is None else shape,
            dtype=dtype,
            initializer=initializer,
            trainable=True if trainable is None else trainable,
            constraint=constraint,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
            partitioner=partitioner,
            collections=kwargs.get("collections"),
            getter=kwargs.get("getter"),
        )
        regularize = None if regularizer is None else WeightRegularizer(regularizer, self.add_loss)
        variable, trains = self._maker.make(request, self._add_variable_with_custom_getter, regularize)
        (self._own_weights.trained if trains else self._own_weights.fixed).append(variable)
        return variable

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Deprecated alias of `add_weight`."""
        return self.add_weight(*args, **kwargs)

    @property
    def trainable(self) -> bool:
        """Whether the layer is trainable; if False, `trainable_weights` is empty and all variables count as
        untrainable. Setting it sets it in layers and data structures in attributes, too.
        """
        return self._own_weights.trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._own_weights.trainable = value
        for holder in self._own_weights.holders:
            holder.trainable = value

    @property
    def _trainable_weights(self) -> list[Any]:
        return self._own_weights.trained  # Subclasses append to it.

    @property
    def _non_trainable_weights(self) -> list[Any]:
        return self._own_weights.fixed  # Subclasses append to it.

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables."""
        return self._own_weights.trainable_weights()

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The untrainable variables."""
        return self._own_weights.non_trainable_weights()

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The untrainable variables."""
        return self.non_trainable_weights

    @property
    def variables(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.weights

    def get_weights(self) -> list[np.ndarray]:
        """Returns the values of all variables as arrays; in graph mode they are read in the default session.

        Raises ValueError if there is no default session in graph mode.
        """
        return values_of(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Assigns an array to each variable, in the order of `weights`; in graph mode in the default session.

        Raises ValueError if the number of arrays or one of their shapes does not match.
        """
        assign_values(self.weights, weights, self.name)

    def count_params(self) -> int:
        """Returns the total number of elements of all variables. Raises ValueError if the layer is not built yet."""
        if not self.built:
            raise layer_errors.of_unbuilt_layer(self.name)
        return count_elements(self.weights)

    # -- Losses and updates ------------------------------------------------------------------------------------------

    @property
    def activity_regularizer(self) -> Callable[[Any], Any] | None:
        """The function from an output to a loss, which is divided by the batch size; or None."""
        return self._effects.activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Callable[[Any], Any] | None) -> None:
        self._effects.activity_regularizer = regularizer

    @property
    def losses(self) -> list[Any]:
        """The losses. Functions create theirs now; in eager execution other losses are those of the last call."""
        return [loss for loss, _ in self._effects.all_losses()]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """Returns the losses that depend on `inputs`; if that is None, the losses that depend on no inputs."""
        return self._effects.losses_for(inputs)

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds loss tensors, or functions without arguments that return one. Unless `inputs` is None, the losses count
        as dependent on the inputs.
        """
        for loss in nest.flatten(losses):
            if loss is not None:
                self._effects.add_loss(loss if callable(loss) else loss_tensor(loss), always=inputs is None)

    @property
    def updates(self) -> list[Operation]:
        """The operations to run in each training step; an empty list if the layer is not trainable."""
        return [update for update, _ in self._effects.all_updates(self.trainable)]

    def get_updates_for(self, inputs: Any) -> list[Operation]:
        """Returns the updates that depend on `inputs`; if that is None, the updates that depend on no inputs."""
        return self._effects.updates_for(self.trainable, inputs)

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds update operations, tensors, or functions without arguments that return one.

        Dependence on the inputs is derived from the graph. In eager execution the functions are called and nothing is
        recorded.
        """
        self._effects.add_updates(updates)

    # -- Attributes --------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._setattr_tracking or hasattr(type(self), name):
            object.__setattr__(self, name, value)  # Properties and attributes of the class are not tracked.
            return
        before = vars(self).get(name, _NONE)
        super().__setattr__(name, value)
        after = vars(self)[name]
        if before is not _NONE and before is not after:
            self._own_weights.drop(before, vars(self).values())
        self._own_weights.adopt(after)

    def __delattr__(self, name: str) -> None:
        value = vars(self).get(name)
        object.__delattr__(self, name)  # The dependency remains, as in TensorFlow.
        self._own_weights.drop(value, vars(self).values())


def checked_trainable(trainable: bool | None, synchronization: Any) -> bool | None:
    """Returns `trainable` of a new variable, which is False if its `synchronization` is ON_READ.

    Raises ValueError if such a variable shall be trainable.
    """
    if synchronization != VariableSynchronization.ON_READ:
        return trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
            "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
        )
    return False
