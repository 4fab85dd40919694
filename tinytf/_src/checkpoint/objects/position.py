"""The state of an object-based restore: matches the checkpoint's objects with the program's, and defers values of
objects that do not exist yet."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from tinytf._gen import gen_ops
from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.checkpoint.objects.device_savers import MultiDeviceSaver
from tinytf._src.checkpoint.objects.graph_view import ObjectGraphView
from tinytf._src.checkpoint.objects.identity import WeakIdentitySet
from tinytf._src.checkpoint.objects.node_names import node_names
from tinytf._src.checkpoint.objects.python_state import PythonStateSaveable
from tinytf._src.checkpoint.saveables import SaveableObject
from tinytf._src.checkpoint.saved_names import validate_and_slice_inputs
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.resources.trackable import VARIABLE_VALUE, next_restore_uid
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.variables.variable import Variable


class SlotRestoration(NamedTuple):
    """A slot whose variable or optimizer does not exist yet."""

    optimizer_id: int
    slot_variable_id: int
    slot_name: str


class _Outcome:
    """Records the parts of a checkpoint that were used; outlives the restore, to warn of the rest."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.matched: set[int] = set()
        self.unused_attributes: dict[int, list[str]] = {}
        self.expect_partial = False

    def warn(self) -> None:
        """Logs warnings for unused parts, unless they are expected."""
        unresolved = [i for i in range(len(self.graph.nodes)) if i not in self.matched]
        if self.expect_partial or not (unresolved or self.unused_attributes):
            return
        names = node_names(self.graph)
        for i in unresolved:
            tf_logging.warning("Unresolved object in checkpoint: %s", names[i])
        for i, attributes in self.unused_attributes.items():
            tf_logging.warning("Unused attribute in object %s: %s", names[i], attributes)
        tf_logging.warning(
            "A checkpoint was restored (e.g. tf.train.Checkpoint.restore) but not all checkpointed values were used. See "
            "above for specific issues. Use expect_partial() on the load status object, e.g. "
            "tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or use assert_consumed() to make "
            "the check explicit."
        )


class CheckpointRestore:
    """The state of a restore.

    Args:
      graph: the checkpoint's `TrackableObjectGraph`.
      path: its name.
      path_tensor: its name as a tensor, which is fed in a graph.
      restore_ops_by_name: operations by key, shared by all restores of the same objects in a graph.
      graph_view: the program's objects.
    """

    def __init__(
        self, graph: Any, path: str, path_tensor: Any, restore_ops_by_name: dict[str, Any], graph_view: ObjectGraphView
    ) -> None:
        self.object_graph_proto = graph
        self.restore_uid = next_restore_uid()
        self.path_tensor = path_tensor
        self.path = path
        self.dtype_map = new_checkpoint_reader(path).get_variable_to_dtype_map()
        self.restore_ops: list[Any] = []
        self.restore_ops_by_name = restore_ops_by_name
        self.graph_view = graph_view
        self.new_restore_ops_callback: Callable[[list[Any]], Any] | None = None
        self.object_by_proto_id: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.all_python_objects = WeakIdentitySet()
        self.slot_restorations: dict[int, list[SlotRestoration]] = {}  # by the number of the missing variable
        # By the number of the missing optimizer; with the variable, which exists.
        self.deferred_slot_restorations: dict[int, list[tuple[Any, SlotRestoration]]] = {}
        for i, node in enumerate(graph.nodes):
            for slot in node.slot_variables:
                self.slot_restorations.setdefault(slot.original_variable_node_id, []).append(
                    SlotRestoration(i, slot.slot_variable_node_id, slot.slot_name)
                )
        self.outcome = _Outcome(graph)
        weakref.finalize(self, self.outcome.warn)

    def position(self, proto_id: int) -> CheckpointPosition:
        """Returns the position of an object in the checkpoint, by its number."""
        return CheckpointPosition(self, proto_id)

    def new_restore_ops(self, operations: list[Any]) -> None:
        """Adds restore operations of a graph."""
        self.restore_ops += operations
        if self.new_restore_ops_callback is not None:
            self.new_restore_ops_callback(operations)

    def restore_saveables(self, tensors: dict[str, Any], states: list[Any]) -> list[Any]:
        """Restores saveable objects by key, and Python states. States are restored immediately; returns the operations
        for the others if a graph is built."""
        if states:
            reader = new_checkpoint_reader(self.path)
            for state in states:
                state.python_restore([_bytes(reader.get_tensor(spec.name)) for spec in state.specs])
        if not tensors:
            return []
        saver = MultiDeviceSaver(validate_and_slice_inputs(tensors))
        restored = sorted(saver.restore(self.path_tensor).items(), key=lambda item: item[0])
        if executing_eagerly():
            return []
        self.restore_ops_by_name.update(restored)
        return [operation for _, operation in restored]


def _bytes(value: Any) -> Any:
    return value if isinstance(value, bytes) else value.item()


class CheckpointPosition:
    """One object of a checkpoint that is being restored."""

    def __init__(self, checkpoint: CheckpointRestore, proto_id: int) -> None:
        self.checkpoint = checkpoint
        self._proto_id = proto_id

    @property
    def restore_uid(self) -> int:
        """The number of the restore."""
        return self.checkpoint.restore_uid

    @property
    def object_proto(self) -> Any:
        """The object's node in the `TrackableObjectGraph`."""
        return self.checkpoint.object_graph_proto.nodes[self._proto_id]

    @property
    def trackable(self) -> Any:
        """The program's object."""
        return self.checkpoint.object_by_proto_id[self._proto_id]

    def restore(self, trackable: Any) -> None:
        """Matches this position with an object of the program, and restores it and its dependencies."""
        with init_scope():
            if self.bind_object(trackable):
                operations = trackable._restore_from_checkpoint_position(self)
                if operations:
                    self.checkpoint.new_restore_ops(operations)

    def bind_object(self, trackable: Any) -> bool:
        """Matches this position with an object of the program and restores its slots; False if it is matched
        already."""
        checkpoint, own = self.checkpoint, self._proto_id
        checkpoint.all_python_objects.add(trackable)
        checkpoint.outcome.matched.add(own)
        current = checkpoint.object_by_proto_id.get(own)
        if current is not None:
            if current is not trackable:
                tf_logging.warning(
                    "Inconsistent references when loading the checkpoint into this object graph. Either the Trackable object "
                    "references in the Python program have changed in an incompatible way, or the checkpoint was generated "
                    "in an incompatible program.\n\nTwo checkpoint references resolved to different objects (%s and %s).",
                    current,
                    trackable,
                )
            return False
        checkpoint.object_by_proto_id[own] = trackable
        for variable, slot in checkpoint.deferred_slot_restorations.pop(own, ()):
            self._restore_slot(trackable, variable, slot)
        for slot in checkpoint.slot_restorations.pop(own, ()):
            optimizer = checkpoint.object_by_proto_id.get(slot.optimizer_id)
            if optimizer is None:
                checkpoint.deferred_slot_restorations.setdefault(slot.optimizer_id, []).append((trackable, slot))
            else:
                self._restore_slot(optimizer, trackable, slot)
        return True

    def _restore_slot(self, optimizer: Any, variable: Any, slot: SlotRestoration) -> None:
        """Restores a slot. ValueError if the program's objects are not an optimizer and a variable, or the file is
        inconsistent."""
        if not hasattr(optimizer, "_create_or_restore_slot_variable") or not isinstance(variable, Variable):
            raise ValueError(
                f"{self.checkpoint.path} has a slot {slot.slot_name!r} of an optimizer for a variable, but the program's objects "
                f"in their places are a {type(optimizer).__name__} and a {type(variable).__name__}"
            )
        optimizer._create_or_restore_slot_variable(
            slot_variable_position=self.checkpoint.position(slot.slot_variable_id),
            variable=variable,
            slot_name=slot.slot_name,
        )

    def is_simple_variable(self) -> bool:
        """Returns whether it can be a variable's initial value: a single value without dependencies."""
        node = self.object_proto
        return len(node.attributes) == 1 and node.attributes[0].name == VARIABLE_VALUE and not node.children

    def value_tensor(self) -> Any:
        """Returns a tensor that reads the single value."""
        [attribute] = self.object_proto.attributes
        key = attribute.checkpoint_key
        if key not in self.checkpoint.dtype_map:
            raise errors_impl.NotFoundError(None, None, f"Key {key} not found in checkpoint")
        dtype = self.checkpoint.dtype_map[key].base_dtype
        with init_scope():
            with device("/cpu:0"):
                [value] = gen_ops.restore_v2(
                    self.checkpoint.path_tensor,
                    [key],
                    [""],
                    [dtype],
                    name=f"{attribute.name}_checkpoint_read",
                )
            return gen_ops.identity(value)

    def gather_ops_or_named_saveables(self) -> tuple[list[Any], dict[str, Any], list[Any]]:
        """Returns the means to restore the object: existing operations of the graph, saveable objects by key, Python
        states."""
        checkpoint, owner = self.checkpoint, self.trackable
        factories = owner._gather_saveables_for_checkpoint()
        operations: list[Any] = []
        tensors: dict[str, Any] = {}
        states: list[Any] = []
        for attribute in self.object_proto.attributes:
            key = attribute.checkpoint_key
            if not executing_eagerly() and key in checkpoint.restore_ops_by_name:
                operations.append(checkpoint.restore_ops_by_name[key])
                continue
            factory = factories.get(attribute.name)
            if factory is None:
                if not attribute.optional_restore:
                    checkpoint.outcome.unused_attributes.setdefault(self._proto_id, []).append(attribute.name)
                continue
            saveable = self._kept(owner, attribute.name, key)
            if saveable is None:
                saveable = factory(name=key) if callable(factory) else factory
                self._keep(owner, attribute.name, saveable)
            if isinstance(saveable, PythonStateSaveable):
                states.append(saveable)
            else:
                tensors[key] = saveable
        return operations, tensors, states

    def _kept(self, owner: Any, name: str, key: str) -> Any:
        """Returns the cached saveable object that writes the attribute under the same key, or None, also for a sliced
        variable, which has several."""
        kept = self.checkpoint.graph_view.saveables_cache
        found: tuple[Any, ...] = () if kept is None else kept.get(owner, {}).get(name, ())
        return found[0] if len(found) == 1 and key in found[0].name else None

    def _keep(self, owner: Any, name: str, saveable: Any) -> None:
        kept = self.checkpoint.graph_view.saveables_cache
        if kept is not None and isinstance(saveable, SaveableObject):
            kept.setdefault(owner, {})[name] = (saveable,)

    def __repr__(self) -> str:
        return repr(self.object_proto)
