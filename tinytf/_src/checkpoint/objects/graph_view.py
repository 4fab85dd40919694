"""The graph of trackable objects below a root, and its serialization."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.objects.identity import IdentityDict
from tinytf._src.checkpoint.objects.python_state import PythonStateSaveable
from tinytf._src.checkpoint.saveables import SaveableObject
from tinytf._src.checkpoint.saved_names import op_list_to_dict, saveable_objects_for_op
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.variables.variable import Variable

_LIMITATION = "File a feature request if this limitation bothers you."


def escaped(name: str) -> str:
    """Escapes a name as a component of a key: dots are doubled, slashes replaced."""
    return name.replace(".", "..").replace("/", ".S")


class ObjectGraphView:
    """The objects that depend on each other below a root.

    Args:
      root: the object, or a weak reference to it.
      keeps_saveables: whether saveable objects are cached, so that a graph does not grow with each save.
    """

    def __init__(self, root: Any, keeps_saveables: bool = False) -> None:
        self._root = root
        self.saveables_cache = IdentityDict() if keeps_saveables else None  # object → attribute name → saveable objects

    @property
    def root(self) -> Any:
        """The root object."""
        return self._root() if isinstance(self._root, weakref.ref) else self._root

    def paths(self) -> IdentityDict:
        """Returns for each object the shortest path of names from the root, in breadth-first order."""
        paths = IdentityDict()
        paths[self.root] = ()
        pending = deque([self.root])
        while pending:
            current = pending.popleft()
            for name, dependency in current._checkpoint_dependencies:
                if dependency not in paths:
                    paths[dependency] = (*paths[current], name)
                    pending.append(dependency)
        return paths

    def list_objects(self) -> list[Any]:
        """Returns all objects below the root, in breadth-first order, then the slots of optimizers."""
        return list(_Nodes(self.paths()).ids)

    def serialize_object_graph(self) -> tuple[list[Any], Any, dict[Any, Any]]:
        """Returns the saveable objects, the `TrackableObjectGraph`, and the feeds with which to save."""
        nodes = _Nodes(self.paths())
        graph = protos.TrackableObjectGraph()
        for owner in nodes.ids:
            node = graph.nodes.add(slot_variables=nodes.slots.get(owner, ()))
            for name, dependency in owner._checkpoint_dependencies:
                node.children.add(node_id=nodes.ids[dependency], local_name=name)
        saveables: list[Any] = []
        feeds: dict[Any, Any] = {}
        for owner, node in zip(nodes.ids, graph.nodes, strict=True):
            for name, factory in owner._gather_saveables_for_checkpoint().items():
                key = f"{nodes.names[owner]}/.ATTRIBUTES/{escaped(name)}"
                found = self._saveables_of(owner, name, factory, key)
                saveables += self._writers(found, feeds)
                attribute = node.attributes.add(name=name, checkpoint_key=key)
                attribute.optional_restore = bool(found) and all(saveable.optional_restore for saveable in found)
                for saveable in found:
                    attribute.full_name = getattr(saveable, "full_name", "")
        return saveables, graph, feeds

    def _saveables_of(self, owner: Any, name: str, factory: Any, key: str) -> tuple[Any, ...]:
        kept = None if self.saveables_cache is None else self.saveables_cache.setdefault(owner, {})
        if kept and name in kept and all(key in saveable.name for saveable in kept[name]):
            return kept[name]
        made = tuple(_made(factory, key))
        for saveable in made:
            if key not in saveable.name:
                raise AssertionError(
                    f"The object {owner} produced a SaveableObject with name '{saveable.name}' for attribute '{name}'. "
                    f"Expected a name containing '{key}'."
                )
        if kept is not None:
            kept[name] = made
        return made

    def _writers(self, saveables: tuple[Any, ...], feeds: dict[Any, Any]) -> Iterator[Any]:
        """Yields the saveable objects to write; Python states are fed in a graph, or frozen in eager execution."""
        for saveable in saveables:
            if not isinstance(saveable, PythonStateSaveable):
                yield saveable
            elif self.saveables_cache is None:
                yield saveable.freeze()
            else:
                feeds.update(saveable.feed_dict_additions())
                yield saveable


def _made(factory: Any, key: str) -> Iterator[Any]:
    made = factory(name=key) if callable(factory) else factory
    if isinstance(made, SaveableObject):
        yield made
        return
    [full_name] = op_list_to_dict([made], convert_variable_to_tensor=False)
    for saveable in saveable_objects_for_op(made, key):
        saveable.full_name = full_name
        yield saveable


class _Nodes:
    """Numbers and names of all objects, with the slots of optimizers last, and the references to these slots."""

    def __init__(self, paths: IdentityDict) -> None:
        self.ids = IdentityDict()
        self.names = IdentityDict()
        self.slots = IdentityDict()  # optimizer → references to its slots
        for owner, path in paths.items():
            self.ids[owner] = len(self.ids)
            self.names[owner] = "/".join(map(escaped, path))
        for owner in paths:
            if hasattr(owner, "_create_or_restore_slot_variable"):
                self.slots[owner] = list(self._add_slots(owner, paths))

    def _add_slots(self, optimizer: Any, paths: IdentityDict) -> Iterator[Any]:
        for slot_name in optimizer.get_slot_names():
            for variable in paths:
                slot = optimizer.get_slot(variable, slot_name) if isinstance(variable, Variable) else None
                if not isinstance(slot, Trackable):
                    continue
                if slot._checkpoint_dependencies:
                    raise NotImplementedError(
                        "Currently only variables with no dependencies can be saved as slot variables. " + _LIMITATION
                    )
                if slot in self.ids:
                    raise NotImplementedError(
                        "A slot variable was re-used as a dependency of a Trackable object. This is not currently allowed. "
                        + _LIMITATION
                    )
                self.ids[slot] = len(self.ids)
                place = f"{self.names[variable]}/.OPTIMIZER_SLOT/{self.names[optimizer]}"
                self.names[slot] = f"{place}/{escaped(slot_name)}"
                yield protos.TrackableObjectGraph.TrackableObject.SlotVariableReference(
                    slot_name=slot_name,
                    original_variable_node_id=self.ids[variable],
                    slot_variable_node_id=self.ids[slot],
                )
