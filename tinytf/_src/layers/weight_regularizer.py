"""`WeightRegularizer`: the losses of the variables that a layer regularizes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.layers.creation import parts_of


class WeightRegularizer:
    """Adds the losses of a regularizer for a new variable, one for each part of a partitioned variable.

    Args:
      regularizer: function from a variable to a loss.
      add_loss: takes a function that creates a loss.
    """

    def __init__(self, regularizer: Callable[[Any], Any], add_loss: Callable[[Callable[[], Any]], None]) -> None:
        self._regularizer = regularizer
        self._add_loss = add_loss

    def __call__(self, name: str, variable: Any) -> None:
        """Adds the losses of the variable, whose operations have the name scope `name`."""

        def loss_of(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return self._regularizer(part)

        for part in parts_of(variable):
            self._add_loss(functools.partial(loss_of, part))
