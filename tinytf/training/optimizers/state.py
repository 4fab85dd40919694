"""The variables of optimizers, and how checkpoints of objects have them: each graph its own, slots beside their variables."""

from __future__ import annotations

from typing import Any

from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import colocate_with as colocated_with
from tinytf.framework.tensor import Tensor
from tinytf.framework.trackable import CheckpointInitialValue, Trackable, TrackableReference
from tinytf.training import slot_creator
from tinytf.variables import creation as variable_creation
from tinytf.variables.eager_variable import EagerVariable
from tinytf.variables.resource_variable import ResourceVariable
from tinytf.variables.scope_defaults import open_creators


class OptimizerState(Trackable):
    """Slots, which belong to variables, and variables of the optimizer itself."""

    _name: str

    def __init__(self) -> None:
        self._slots: dict[str, dict[Any, Any]] = {}  # slot name → (graph, variable name) → slot
        self._non_slots: dict[tuple[str, Any], Any] = {}  # (name, graph or None for eager execution) → variable
        self._waiting_slots: dict[tuple[str, Any], list[Any]] = {}  # (slot name, key) → positions in checkpoints

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of a variable, or None."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> list[str]:
        """Names of the slots that have been created, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """The optimizer's own variables in the default graph, by name."""
        graph = graph_of_mode()
        own = [*self._non_slots.values(), *(slot for slots in self._slots.values() for slot in slots.values())]
        return sorted((v for v in own if _graph_of(v) is graph), key=lambda v: v.name)

    # -- What makes them ---------------------------------------------------------------------------------------------

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Tensor, slot_name: str, op_name: str) -> Any:
        """The slot, new with initial value `val` if need be."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            self._add_slot(slot_name, var, slot_creator.create_slot(var, val, op_name))
        return slots[_key(var)]

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        """The slot, new with `initializer` if need be."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            slot = slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
            self._add_slot(slot_name, var, slot)
        return slots[_key(var)]

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot, new with zeros if need be."""
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            self._add_slot(slot_name, var, slot_creator.create_zeros_slot(var, op_name))
        return slots[_key(var)]

    def _add_slot(self, slot_name: str, var: Any, slot: Any) -> None:
        """Keeps a new slot and gives it what waits for it, that of the newest restore first."""
        self._slot_dict(slot_name)[_key(var)] = slot
        waiting = self._waiting_slots.pop((slot_name, _key(var)), ()) if self._waiting_slots else ()
        for position in sorted(waiting, key=lambda position: -position.restore_uid):
            position.restore(slot)

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """A variable of the optimizer itself, once per graph, on the device of `colocate_with`."""
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
        """The variable made by `_create_non_slot_variable`, or None."""
        return self._non_slots.get((name, graph))

    def _non_slot_variables(self) -> Any:
        """All variables made by `_create_non_slot_variable`."""
        return self._non_slots.values()

    # -- In checkpoints of objects -----------------------------------------------------------------------------------

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """Also the optimizer's own variables in the default graph. Slots are told of apart."""
        graph = graph_of_mode()
        own = [TrackableReference(name, v) for (name, owner), v in self._non_slots.items() if owner is graph]
        return super()._checkpoint_dependencies + sorted(own, key=lambda reference: reference.name)

    def _lookup_dependency(self, name: str) -> Any:
        """The dependency of a name, or the optimizer's own variable in the default graph."""
        found = super()._lookup_dependency(name)
        return self._get_non_slot_variable(name, graph_of_mode()) if found is None else found

    def _create_or_restore_slot_variable(self, slot_variable_position: Any, slot_name: str, variable: Any) -> None:
        """Gives the slot of a variable its value: now if it is there or operations are executed, else once it is made."""
        slot = self._slots.get(slot_name, {}).get(_key(variable))
        if slot is None and executing_eagerly() and slot_variable_position.is_simple_variable():
            if not open_creators().functions:  # which would not see the slot as a variable of the program
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
    """The graph of a variable; None for one of eager execution."""
    return None if isinstance(var, EagerVariable) else var.op.graph


def graph_of_mode() -> Any:
    """The default graph; None where operations are executed, and in functions, whose variables belong to no graph."""
    if executing_eagerly():
        return None
    graph = get_default_graph()
    return None if graph.building_function else graph
