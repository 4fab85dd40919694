"""Losses and update operations that a layer contributes to the training of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.dtypes import float32
from tinytf._src.layers.layer_copies import copy_attributes
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.math.casting import cast


class LayerEffects:
    """The losses and updates of a layer. A member of the layer.

    Args:
      activity_regularizer: optional function from an output to a loss.
      held: returns the layers that the layer holds.
    """

    def __init__(self, activity_regularizer: Callable[[Any], Any] | None, held: Callable[[], Iterable[Any]]) -> None:
        self.activity_regularizer = activity_regularizer
        self._held = held
        # Tensors or functions that create one; the bool says that the loss does not depend on inputs.
        self._losses: list[tuple[Any, bool]] = []
        self._updates: list[tuple[Operation, bool]] = []  # The bool says the same.
        self._inputs: Any = None

    @contextmanager
    def of_call(self, inputs: Any) -> Iterator[None]:
        """Context manager of a call of the layer, in which updates that depend on `inputs` are recognized."""
        around, self._inputs = self._inputs, inputs
        try:
            yield
        finally:
            self._inputs = around

    def losses(self) -> list[tuple[Any, bool]]:
        """The tensors, and then the losses that functions create now; the bool says that a loss does not depend on
        inputs.
        """
        given = [(loss, always) for loss, always in self._losses if not callable(loss)]
        made = [(loss(), always) for loss, always in self._losses if callable(loss)]
        return given + [(loss, always) for loss, always in made if loss is not None]

    def all_losses(self) -> list[tuple[Any, bool]]:
        """The `losses` of the layer, then of the layers that it holds."""
        return [*self.losses(), *(loss for _, effects in self._of_held() for loss in effects.all_losses())]

    def losses_for(self, inputs: Any) -> list[Any]:
        """The losses among all of them that depend on `inputs`; if that is None, the losses that depend on no
        inputs."""
        losses = self.all_losses()
        if inputs is None:
            return [loss for loss, always in losses if always]
        return [loss for loss, always in losses if not always and depends(loss.op, inputs)]

    def _of_held(self) -> Iterator[tuple[Any, LayerEffects]]:
        for layer in self._held():
            effects = getattr(layer, "_effects", None)
            if isinstance(effects, LayerEffects):
                yield layer, effects

    def add_loss(self, loss: Any, always: bool) -> None:
        """Adds a tensor, or a function without arguments that creates one or returns None."""
        self._losses.append((loss, always))

    def forget_losses(self) -> None:
        """Drops the losses of earlier calls; for eager execution."""
        self._losses = [(loss, always) for loss, always in self._losses if callable(loss)]

    def losses_of_outputs(self, outputs: Any) -> list[Any]:
        """Returns the activity regularizer's loss of each output, divided by the batch size."""
        losses: list[Any] = []
        if self.activity_regularizer is not None:
            with name_scope("ActivityRegularizer"):
                for output in nest.flatten(outputs):
                    loss = self.activity_regularizer(output)
                    losses.append(loss / cast(shape(output)[0], loss.dtype))
        return losses

    def updates(self) -> list[tuple[Operation, bool]]:
        """The updates; the bool says that an update does not depend on the inputs of the call that added it."""
        return list(self._updates)

    def all_updates(self, trainable: bool) -> list[tuple[Operation, bool]]:
        """The `updates` of the layer, then of the layers that it holds; none if the layer is not `trainable`."""
        if not trainable:
            return []
        held = (update for layer, effects in self._of_held() for update in effects.all_updates(layer.trainable))
        return [*self.updates(), *held]

    def updates_for(self, trainable: bool, inputs: Any) -> list[Operation]:
        """The updates among all of them that depend on `inputs`; if that is None, the updates that depend on no
        inputs."""
        updates = self.all_updates(trainable)
        if inputs is None:
            return [update for update, always in updates if always]
        return [update for update, always in updates if not always and depends(update, inputs)]

    def add_updates(self, updates: Any) -> None:
        """Adds an update, or each one in a list: an operation, a tensor, or a function without arguments that returns
        one. In eager execution the functions are called and nothing is recorded.
        """
        for update in updates if isinstance(updates, list) else [updates]:
            made = update() if callable(update) else update
            if not executing_eagerly():
                op = made if isinstance(made, Operation) else getattr(made, "op", None) or convert_to_tensor(made).op
                self._updates.append((op, not depends(op, self._inputs)))

    def __deepcopy__(self, memo: dict[int, Any]) -> LayerEffects:
        return copy_attributes(self, memo)


def loss_tensor(loss: Any) -> Any:
    """Converts a loss that a program passed to a tensor: a number becomes a float32."""
    return loss if hasattr(loss, "dtype") else convert_to_tensor(loss, dtype=float32)


def depends(op: Operation, inputs: Any) -> bool:
    """Returns whether an operation depends on one of the inputs, a nested structure, through data edges."""
    wanted = {id(tensor.op) for tensor in nest.flatten(inputs) if hasattr(tensor, "op")}
    seen: set[int] = set()
    waiting = [op] if wanted else []
    while waiting:
        one = waiting.pop()
        if id(one) in wanted:
            return True
        if id(one) not in seen:
            seen.add(id(one))
            waiting += [tensor.op for tensor in one.inputs]
    return False
