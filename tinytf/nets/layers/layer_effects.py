"""What a layer adds to the loss of a model, and what is to run when it is trained."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from tinytf.framework import nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.dtypes import float32
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import name_scope
from tinytf.framework.operation import Operation
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.math.casting import cast
from tinytf.variables.partitioned_variable import PartitionedVariable


class LayerEffects:
    """Losses and updates; in a graph they join REGULARIZATION_LOSSES and UPDATE_OPS, too."""

    _activity_regularizer: Callable[[Any], Any] | None
    _losses: list[tuple[Any, bool]]  # tensors, functions that make one, each with whether it is the same for all inputs
    _updates: list[tuple[Operation, bool]]
    _call_inputs: Any  # of the call that runs
    _trainable: bool

    @property
    def activity_regularizer(self) -> Callable[[Any], Any] | None:
        """A function of each output, what it makes of one is a loss, divided by the size of the batch."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Callable[[Any], Any] | None) -> None:
        self._activity_regularizer = regularizer

    @property
    def losses(self) -> list[Any]:
        """The losses. In eager execution those of the last call, and of variables as they are now."""
        return [loss for loss, _ in self._known_losses()]

    def _known_losses(self) -> Iterable[tuple[Any, bool]]:
        made = [(loss() if callable(loss) else loss, always) for loss, always in self._losses]
        return [(loss, always) for loss, always in made if loss is not None]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on the inputs; of None those that depend on no inputs."""
        if inputs is None:
            return [loss for loss, always in self._known_losses() if always]
        return [loss for loss, always in self._known_losses() if not always and depends(loss.op, inputs)]

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds tensors, or functions without arguments that make them. If `inputs` is not None they depend on the inputs."""
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
        """Of earlier calls, in eager execution."""
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
        """The operations to run with each step of a training; none if the layer is not trained."""
        return [update for update, _ in self._updates] if self._trainable else []

    def get_updates_for(self, inputs: Any) -> list[Operation]:
        """The updates that depend on the inputs; of None those that depend on no inputs."""
        known = self._updates if self._trainable else []
        if inputs is None:
            return [update for update, always in known if always]
        return [update for update, always in known if not always and depends(update, inputs)]

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations, tensors, or functions without arguments that make them; those are only called in eager execution.
        Whether they depend on the inputs is found out."""
        for update in updates if isinstance(updates, list) else [updates]:
            made = update() if callable(update) else update
            if not executing_eagerly():
                op = made if isinstance(made, Operation) else getattr(made, "op", None) or convert_to_tensor(made).op
                self._updates.append((op, not depends(op, self._call_inputs)))

    def _collect_updates(self) -> None:
        """The collection is there from then on, if there is nothing in it, too."""
        if not executing_eagerly():
            _collect(self.updates, GraphKeys.UPDATE_OPS)


def parts_of(variable: Any) -> list[Any]:
    """The variables that a partitioned variable is made of, or the variable."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def depends(op: Operation, inputs: Any) -> bool:
    """Whether an operation needs one of the inputs, which are in a structure."""
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
