"""Positions of iterators in the checkpoints of a training."""

from __future__ import annotations

import weakref
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.checkpoint_reader import CheckpointReader
from tinytf._src.checkpoint.iterator_positions import position_of, restored_position
from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.monitored_session.restoring import restored_checkpoint
from tinytf._src.ops.array.placeholders import placeholder

_ITERATORS = "iterators"  # the collection of the resources of all iterators
_MAKERS = ("Iterator", "IteratorV2", "OneShotIterator")  # others stand for one of these

_continued: weakref.WeakSet[Any] = weakref.WeakSet()  # sessions whose iterators got positions from a checkpoint


class InputState:
    """Saves the positions of all iterators of a graph with its variables, and restores them in new sessions."""

    def __init__(self) -> None:
        self._is_built = False
        self._filename: Any = None
        self._restores: dict[str, Any] = {}  # operations by names in checkpoints
        self._listed: list[SaveableObject] = []  # in the collection SAVEABLE_OBJECTS

    def build(self, saver: Any) -> None:
        """Adds operations to the default graph, once, before those of `saver` are added; None: there is no saver yet.

        ValueError if the operations of `saver` have been added.
        """
        if self._is_built:
            return
        if saver is not None and not (isinstance(saver, Saver) and not saver._ops.is_built):
            raise ValueError(
                "save_input_state=True: the saver was built before the session was made, so it does not save the positions of "
                "iterators. Make it by tf.train.Saver(defer_build=True), or leave it to the session."
            )
        self._is_built = True
        graph = get_default_graph()
        resources = [each for each in graph.get_collection(_ITERATORS) if each.op.type in _MAKERS]
        if not resources:
            return
        with name_scope("input_state"), graph.device(None):
            self._filename = placeholder(dtypes.string, [], name="filename")
            for resource in resources:
                self._add(graph, resource)

    def _add(self, graph: Any, resource: Any) -> None:
        name = f"{resource.op.name}/position"
        with graph.colocate_with(resource), graph._attr_scope({"_before_start": protos.AttrValue(b=True)}):
            position = _Position(resource, name)
            self._listed.append(position)
            graph.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, position)
            self._restores[name] = restored_position(resource, self._filename, name)

    def unlist(self) -> None:
        """Removes the positions from the collection from which the saver has taken them, so that exported graphs do not
        refer to them."""
        collection = get_default_graph().get_collection_ref(GraphKeys.SAVEABLE_OBJECTS)
        collection[:] = [each for each in collection if each not in self._listed]
        self._listed = []

    def restore(self, session: Any) -> None:
        """Sets the positions, if the session was restored from a checkpoint. Iterators that are not initialized yet get
        them when they are. Logs a warning for those without a position in the checkpoint.

        DataLossError or InvalidArgumentError if an iterator has another dataset than the one of the checkpoint.
        """
        checkpoint = restored_checkpoint(session)
        if checkpoint is None or not self._restores:
            return
        reader = CheckpointReader(checkpoint)
        found = {name: operation for name, operation in self._restores.items() if reader.has_tensor(name)}
        missing = [name.rpartition("/")[0] for name in self._restores if name not in found]
        if missing:
            text = "%s has no positions of these iterators, which therefore begin with their first elements: %s"
            tf_logging.warning(text, checkpoint, ", ".join(missing))
        if found:
            session.run(list(found.values()), {self._filename: checkpoint})
        if not missing:
            _continued.add(session)


def continues_input(session: Any) -> bool:
    """Returns whether all iterators of a session continue at positions of its checkpoint."""
    return session in _continued


class _Position(SaveableObject):
    """The position of an iterator, which savers only write."""

    is_restored_apart = True

    def __init__(self, resource: Any, name: str) -> None:
        super().__init__(resource, [SaveSpec(position_of(resource), "", name)], name)
