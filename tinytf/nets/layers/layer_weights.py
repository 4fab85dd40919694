"""The variables of a layer, and what they add to the loss."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf.framework import dtypes
from tinytf.framework.default_graph import get_default_graph, get_default_session
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import name_scope
from tinytf.nets.layers.identifiers import initializer_of
from tinytf.variables import initializers
from tinytf.variables.partitioned_variable import PartitionedVariable


class LayerWeights:
    """Trainable variables and others, in the order in which they were made."""

    built: bool
    _name: str
    _trainable: bool
    _trainable_weights: list[Any]
    _non_trainable_weights: list[Any]
    _losses: list[Callable[[], Any]]

    @property
    def trainable(self) -> bool:
        """Whether there is anything to train: if not, `trainable_weights` is empty, whatever was made."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to train."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        return ([] if self.trainable else self._trainable_weights) + self._non_trainable_weights

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables to train."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The other variables."""
        return self.non_trainable_weights

    @property
    def variables(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.weights

    def get_weights(self) -> list[np.ndarray]:
        """The values of all variables, in the default session if they are a graph's."""
        if executing_eagerly():
            return [variable.numpy() for variable in self.weights]
        session = get_default_session()
        if session is None:
            raise ValueError("get_weights needs a default session. Use `with sess.as_default()`")
        return session.run(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Gives all variables values, in the default session if they are a graph's. ValueError if their number or a shape is
        not that of the layer."""
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self._name}" with a  weight list of length {len(weights)}, '
                f"but the layer was expecting {len(variables)} weights. Provided weights: {str(weights)[:50]}..."
            )
        for variable, value in zip(variables, weights, strict=True):
            if not variable.shape.is_compatible_with(np.shape(value)):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight shape {np.shape(value)}"
                )
        for variable, value in zip(variables, weights, strict=True):
            variable.load(value, None if executing_eagerly() else get_default_session())

    def count_params(self) -> int:
        """The number of elements of all variables. ValueError before they are made."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self._name}, but the layer isn't built. You can build it manually "
                f"via: `{self._name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(variable.shape.as_list()) for variable in self.weights))

    @property
    def losses(self) -> list[Any]:
        """What the regularizers of the variables make of them."""
        return [loss for loss in (loss() for loss in self._losses) if loss is not None]

    def _regularize(self, name: str, variable: Any, regularizer: Callable[[Any], Any]) -> None:
        """In a graph the losses join REGULARIZATION_LOSSES."""

        def loss_of(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        for part in parts_of(variable):
            if executing_eagerly():
                self._losses.append(functools.partial(loss_of, part))
            elif (loss := loss_of(part)) is not None:
                self._losses.append(functools.partial(_same, loss))
                get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def _same(loss: Any) -> Any:
    return loss


def parts_of(variable: Any) -> list[Any]:
    """The variables that a partitioned variable is made of, or the variable."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def layer_initializer(identifier: Any, name: str, dtype: dtypes.DType, layer: str) -> Any:
    """What a layer starts a variable with: as given, or by its type. ValueError for types that have no default."""
    if identifier is not None:
        return initializer_of(identifier)
    if dtype.is_floating:
        return initializers.glorot_uniform()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return initializers.zeros()
    raise ValueError(f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer {layer}")
