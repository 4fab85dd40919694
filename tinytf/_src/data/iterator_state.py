"""Iterators in checkpoints."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph


def saveables_of(iterator_resource: Any) -> dict[str, Any]:
    """Returns what `_gather_saveables_for_checkpoint` of an iterator returns."""
    return {"ITERATOR": lambda name: iterator_saveable(iterator_resource, name)}


def iterator_saveable(iterator_resource: Any, name: str) -> Any:
    """Returns the saveable object of an iterator's state, which is one tensor in checkpoints."""
    from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec

    class IteratorSaveable(SaveableObject):
        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            if executing_eagerly():
                return gen_ops.deserialize_iterator(self.op, restored_tensors[0])
            with get_default_graph().colocate_with(self.op):
                return gen_ops.deserialize_iterator(self.op, restored_tensors[0])

    state = gen_ops.serialize_iterator(iterator_resource)
    return IteratorSaveable(iterator_resource, [SaveSpec(state, "", f"{name}_STATE")], name)
