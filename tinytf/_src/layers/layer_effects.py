"""Losses and update operations that a layer contributes to the training of a model."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from tinytf._src.framework import nest
from tinytf._src.framework.conversion import convert_to_tensor
from tinytf._src.framework.default_graph import get_default_graph
from tinytf._src.framework.dtypes import float32
from tinytf._src.framework.execution import executing_eagerly
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.name_scope import name_scope
from tinytf._src.framework.operation import Operation
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.math.casting import cast
from tinytf._src.variables.partitioned_variable import PartitionedVariable


class LayerEffects:
    """Losses and updates of a layer; in graph mode they are also added to REGULARIZATION_LOSSES and UPDATE_OPS."""

    _activity_regularizer: Callable[[Any], Any] | None
    # Tensors or functions that create one; the bool says that the loss does not depend on inputs.
    _losses: list[tuple[Any, bool]]
    _updates: list[tuple[Operation, bool]]
    _call_inputs: Any  # Inputs of the call in progress.
    _trainable: bool

    @property
    def activity_regularizer(self) -> Callable[[Any], Any] | None:
        """The function from an output to a loss, which is divided by the batch size; or None."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Callable[[Any], Any] | None) -> None:
        self._activity_regularizer = regularizer

    @property
    def losses(self) -> list[Any]:
        """The losses. In eager execution they are the losses of the last call and of the current variable values."""
        return [loss for loss, _ in self._known_losses()]

    def _known_losses(self) -> Iterable[tuple[Any, bool]]:
        made = [(loss() if callable(loss) else loss, always) for loss, always in self._losses]
        return [(loss, always) for loss, always in made if loss is not None]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """Returns the losses that depend on `inputs`; if that is None, the losses that depend on no inputs."""
        if inputs is None:
            return [loss for loss, always in self._known_losses() if always]
        return [loss for loss, always in self._known_losses() if not always and depends(loss.op, inputs)]

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds loss tensors, or functions without arguments that return one. Unless `inputs` is None, the losses count
        as dependent on the inputs.
        """
        for loss in nest.flatten(losses):
            made = loss() if callable(loss) and not executing_eagerly() else loss
            if made is None:
                continue
            if not callable(made):
                made = made if hasattr(made, "dtype") else convert_to_tensor(made, dtype=float32)
                if not executing_eagerly():
                    _collect([made], GraphKeys.REGULARIZATION_LOSSES)
            self._losses.append((made, inputs is None))

    def _forget_losses(self) -> None:
        """Drops the losses of earlier calls; for eager execution."""
        self._losses = [(loss, always) for loss, always in self._losses if callable(loss)]

    def _regularize(self, name: str, variable: Any, regularizer: Callable[[Any], Any]) -> None:
        def loss_of(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        for part in parts_of(variable):
            self.add_loss(functools.partial(loss_of, part))

    def _regularize_outputs(self, outputs: Any) -> None:
        if self._activity_regularizer is None:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                self.add_loss(loss / cast(shape(output)[0], loss.dtype), inputs=True)

    @property
    def updates(self) -> list[Operation]:
        """The operations to run in each training step; an empty list if the layer is not trainable."""
        return [update for update, _ in self._updates] if self._trainable else []

    def get_updates_for(self, inputs: Any) -> list[Operation]:
        """Returns the updates that depend on `inputs`; if that is None, the updates that depend on no inputs."""
        known = self._updates if self._trainable else []
        if inputs is None:
            return [update for update, always in known if always]
        return [update for update, always in known if not always and depends(update, inputs)]

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds update operations, tensors, or functions without arguments that return one.

        Dependence on the inputs is derived from the graph. In eager execution the functions are called and nothing is
        recorded.
        """
        for update in updates if isinstance(updates, list) else [updates]:
            made = update() if callable(update) else update
            if not executing_eagerly():
                op = made if isinstance(made, Operation) else getattr(made, "op", None) or convert_to_tensor(made).op
                self._updates.append((op, not depends(op, self._call_inputs)))

    def _collect_updates(self) -> None:
        """Adds the updates to UPDATE_OPS, which also creates the collection if there are none."""
        if not executing_eagerly():
            _collect(self.updates, GraphKeys.UPDATE_OPS)


def parts_of(variable: Any) -> list[Any]:
    """Returns the variables of a partitioned variable, or the variable itself in a list."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


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


def _collect(values: list[Any], key: str) -> None:
    collection: Any = get_default_graph().get_collection_ref(key)
    known = set(map(id, collection))
    collection += [value for value in values if id(value) not in known]
