"""The variables of a layer, and access to their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework import dtypes
from tinytf._src.framework.default_graph import get_default_session
from tinytf._src.framework.execution import executing_eagerly
from tinytf._src.layers.initializer_names import initializer_of
from tinytf._src.variables import initializers


class LayerWeights:
    """Mixin that keeps the trainable and the untrainable variables of a layer in creation order."""

    built: bool
    _name: str
    _trainable: bool
    _trainable_weights: list[Any]
    _non_trainable_weights: list[Any]

    @property
    def trainable(self) -> bool:
        """Whether the layer is trainable; if False, `trainable_weights` is empty and all variables count as
        untrainable.
        """
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The untrainable variables."""
        return ([] if self.trainable else self._trainable_weights) + self._non_trainable_weights

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
        if executing_eagerly():
            return [variable.numpy() for variable in self.weights]
        session = get_default_session()
        if session is None:
            raise ValueError("get_weights needs a default session. Use `with sess.as_default()`")
        return session.run(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Assigns an array to each variable, in the order of `weights`; in graph mode in the default session.

        Raises ValueError if the number of arrays or one of their shapes does not match.
        """
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
        """Returns the total number of elements of all variables. Raises ValueError if the layer is not built yet."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self._name}, but the layer isn't built. You can build it manually "
                f"via: `{self._name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(variable.shape.as_list()) for variable in self.weights))


def layer_initializer(identifier: Any, name: str, dtype: dtypes.DType, layer: str) -> Any:
    """Returns the given initializer, or the default for the dtype: glorot_uniform for floats, zeros for integers and
    bools.

    Raises ValueError if the dtype has no default.
    """
    if identifier is not None:
        return initializer_of(identifier)
    if dtype.is_floating:
        return initializers.glorot_uniform()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return initializers.zeros()
    raise ValueError(f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer {layer}")
