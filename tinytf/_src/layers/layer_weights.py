"""The variables of a layer, and access to the values of variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_session
from tinytf._src.framework.nest import nest
from tinytf._src.trackable.data_structures import TrackableDataStructure
from tinytf._src.variables.variable import Variable


class LayerWeights:
    """The variables of a layer in creation order, and the layers that it holds. A member of the layer.

    `trained` and `fixed` are the layer's own variables. `holders` are layers and tracked data structures in attributes
    of the layer; data structures may get more layers later.
    """

    def __init__(self) -> None:
        self.trainable = True
        self.trained: list[Any] = []
        self.fixed: list[Any] = []
        self.holders: list[Any] = []

    def layers(self) -> Iterator[Any]:
        """The layers that this layer holds, without the layers in them."""
        for holder in self.holders:
            yield from holder.layers if isinstance(holder, TrackableDataStructure) else (holder,)

    def trainable_weights(self) -> list[Any]:
        """The trainable variables; none if the layer is not trainable."""
        return self.trained + self._held("trainable_weights") if self.trainable else []

    def non_trainable_weights(self) -> list[Any]:
        """The untrainable variables; all variables if the layer is not trainable."""
        if self.trainable:
            return self.fixed + self._held("non_trainable_weights")
        return self.trained + self.fixed + self._held("weights")

    def _held(self, which: str) -> list[Any]:
        return [weight for layer in self.layers() for weight in getattr(layer, which)]

    def adopt(self, value: Any) -> None:
        """Adds the variables in a structure that was assigned to an attribute; if it is a layer or a data structure, it
        becomes a holder."""
        if _holds_weights(value) and not _contains(self.holders, value):
            self.holders.append(value)
        for leaf in nest.flatten(value):
            if isinstance(leaf, Variable):
                weights = self.trained if leaf.trainable else self.fixed
                if not _contains(weights, leaf):
                    weights.append(leaf)

    def drop(self, value: Any, attributes: Iterable[Any]) -> None:
        """Removes a variable, or a holder, that is no attribute any more, unless it is another one of `attributes`."""
        if _contains(attributes, value):
            return
        self.holders = [holder for holder in self.holders if holder is not value]
        if isinstance(value, Variable):
            self.trained = [weight for weight in self.trained if weight is not value]
            self.fixed = [weight for weight in self.fixed if weight is not value]


def _holds_weights(value: Any) -> bool:
    kind = type(value)
    return hasattr(kind, "trainable_weights") and hasattr(kind, "non_trainable_weights")


def _contains(values: Iterable[Any], value: Any) -> bool:
    return any(value is other for other in values)


def values_of(variables: list[Any]) -> list[np.ndarray]:
    """Returns the values as arrays; in graph mode they are read in the default session.

    Raises ValueError if there is no default session in graph mode.
    """
    if executing_eagerly():
        return [variable.numpy() for variable in variables]
    session = get_default_session()
    if session is None:
        raise ValueError("get_weights needs a default session. Use `with sess.as_default()`")
    values: list[np.ndarray] = session.run(variables)
    return values


def assign_values(variables: list[Any], values: Any, layer: str) -> None:
    """Assigns an array to each variable; in graph mode in the default session.

    Raises ValueError, which names the layer, if the number of arrays or one of their shapes does not match.
    """
    if len(variables) != len(values):
        raise ValueError(
            f'You called `set_weights(weights)` on layer "{layer}" with a  weight list of length {len(values)}, '
            f"but the layer was expecting {len(variables)} weights. Provided weights: {str(values)[:50]}..."
        )
    for variable, value in zip(variables, values, strict=True):
        if not variable.shape.is_compatible_with(np.shape(value)):
            raise ValueError(
                f"Layer weight shape {variable.shape} not compatible with provided weight shape {np.shape(value)}"
            )
    for variable, value in zip(variables, values, strict=True):
        variable.load(value, None if executing_eagerly() else get_default_session())


def count_elements(variables: Iterable[Any]) -> int:
    """Returns the total number of elements of the variables, whose shapes are known."""
    return int(sum(np.prod(variable.shape.as_list()) for variable in variables))
