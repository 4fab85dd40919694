"""The variables of optimizers: slots of variables and own variables, kept per graph, and their part in object
checkpoints.
"""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.trackable import CheckpointInitialValue, Trackable, TrackableReference
from tinytf._src.framework.scopes.name_scope import colocate_with as colocated_with
from tinytf._src.training import slot_creator
from tinytf._src.variables import creation as variable_creation
from tinytf._src.variables.eager_variable import EagerVariable
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.scope_defaults import open_creators


class OptimizerState(Trackable):
    """Holds the slots, which belong to variables, and the optimizer's own variables.

    `name` is the optimizer's name.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._slots: dict[str, dict[Any, Any]] = {}  # Slot name → (graph, variable name) → slot.
        self._non_slots: dict[tuple[str, Any], Any] = {}  # (Name, graph or None in eager execution) → variable.
        self._waiting_slots: dict[tuple[str, Any], list[Any]] = {}  # (Slot name, key) → positions in checkpoints.

    def get_slot(self, var: Any, name: str) -> Any:
        """Returns the slot `name` of a variable, or None."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> list[str]:
        """Returns the names of the created slots, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """Returns the optimizer's variables of the default graph, slots included, sorted by name."""
        graph = graph_of_mode()
        own = [*self._non_slots.values(), *(slot for slots in self._slots.values() for slot in slots.values())]
        return sorted((v for v in own if _graph_of(v) is graph), key=lambda v: v.name)

    # -- Creation ----------------------------------------------------------------------------------------------------

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Tensor, slot_name: str, op_name: str) -> Any:
        """Returns the slot, created with the initial value `val` if it does not exist."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            self._add_slot(slot_name, var, slot_creator.create_slot(var, val, op_name))
        return slots[_key(var)]

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        """Returns the slot, created with `initializer` if it does not exist."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            slot = slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
            self._add_slot(slot_name, var, slot)
        return slots[_key(var)]

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """Returns the slot, created with zeros if it does not exist."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            self._add_slot(slot_name, var, slot_creator.create_zeros_slot(var, op_name))
        return slots[_key(var)]

    def _add_slot(self, slot_name: str, var: Any, slot: Any) -> None:
        """Records a new slot and applies the checkpoint values that wait for it, the newest restore first."""
        self._slot_dict(slot_name)[_key(var)] = slot
        waiting = self._waiting_slots.pop((slot_name, _key(var)), ()) if self._waiting_slots else ()
        for position in sorted(waiting, key=lambda position: -position.restore_uid):
            position.restore(slot)

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """Creates a variable of the optimizer itself, once per graph, on the device of `colocate_with`."""
        key = (name, _graph_of(colocate_with))
        if key not in self._non_slots:
            with colocated_with(colocate_with):
                if executing_eagerly():
                    initial_value = self._preload_simple_restoration(name) or initial_value
                made = self._non_slots[key] = variable_creation.make_variable(
                    initial_value,
                    name=name,
                    trainable=False,
                    use_resource=isinstance(colocate_with, ResourceVariable),
                )
            self._handle_deferred_dependencies(name, made)
        return self._non_slots[key]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        """Returns the variable created by `_create_non_slot_variable`, or None."""
        return self._non_slots.get((name, graph))

    def _non_slot_variables(self) -> Any:
        """Returns all variables created by `_create_non_slot_variable`."""
        return self._non_slots.values()

    # -- Object checkpoints ------------------------------------------------------------------------------------------

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """Adds the optimizer's own variables of the default graph; slots are recorded separately."""
        graph = graph_of_mode()
        own = [TrackableReference(name, v) for (name, owner), v in self._non_slots.items() if owner is graph]
        return super()._checkpoint_dependencies + sorted(own, key=lambda reference: reference.name)

    def _lookup_dependency(self, name: str) -> Any:
        """Returns the dependency of that name, or the optimizer's own variable in the default graph."""
        found = super()._lookup_dependency(name)
        return self._get_non_slot_variable(name, graph_of_mode()) if found is None else found

    def _create_or_restore_slot_variable(self, slot_variable_position: Any, slot_name: str, variable: Any) -> None:
        """Restores the slot of a variable: immediately if it exists or in eager execution, otherwise when it is
        created.
        """
        slot = self._slots.get(slot_name, {}).get(_key(variable))
        if slot is None and executing_eagerly() and slot_variable_position.is_simple_variable():
            # Inside a variable creator the slot would not be seen as a variable of the program.
            if not open_creators().functions:
                value = CheckpointInitialValue(slot_variable_position)
                shape, dtype = value.wrapped_value.shape, value.wrapped_value.dtype
                slot = self._get_or_make_slot_with_initializer(variable, value, shape, dtype, slot_name, self._name)
        if slot is None:
            self._waiting_slots.setdefault((slot_name, _key(variable)), []).append(slot_variable_position)
        else:
            slot_variable_position.restore(slot)


def _key(var: Any) -> Any:
    if isinstance(var, EagerVariable):
        return var._unique_id
    return var.op.graph, var.op.name


def _graph_of(var: Any) -> Any:
    """Returns the graph of a variable; None for an eager variable."""
    return None if isinstance(var, EagerVariable) else var.op.graph


def graph_of_mode() -> Any:
    """Returns the default graph; None in eager execution and in functions, whose variables belong to no graph."""
    if executing_eagerly():
        return None
    graph = get_default_graph()
    return None if graph.building_function else graph
