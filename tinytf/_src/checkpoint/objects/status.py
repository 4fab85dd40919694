"""Results of object-based restores: assertions, and in a graph the operations that restore."""

from __future__ import annotations

import abc
from typing import Any, NoReturn

from tinytf._src.checkpoint.objects.graph_view import ObjectGraphView
from tinytf._src.checkpoint.objects.name_based import NameBasedRestore
from tinytf._src.checkpoint.objects.node_names import node_names
from tinytf._src.checkpoint.objects.position import CheckpointRestore
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.checkpoint.session_of_objects import session_of
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.trackable.data_structures import TrackableDataStructure


class LoadStatus(abc.ABC):
    """Assertions about a restore, and its operations in a graph. In eager execution existing objects are restored
    already."""

    @abc.abstractmethod
    def assert_consumed(self) -> Any:
        """Raises AssertionError unless all objects of the program and of the checkpoint were matched. Returns the
        status."""

    @abc.abstractmethod
    def assert_existing_objects_matched(self) -> Any:
        """Raises AssertionError unless all objects of the program were matched. Returns the status."""

    @abc.abstractmethod
    def assert_nontrivial_match(self) -> Any:
        """Raises AssertionError unless an object other than the root was matched. Returns the status."""

    @abc.abstractmethod
    def run_restore_ops(self, session: Any = None) -> None:
        """Runs the restore operations in a session; None: the default session."""

    @abc.abstractmethod
    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores, and initializes objects that the checkpoint lacks, in a session; None: the default session."""

    def expect_partial(self) -> Any:
        """Suppresses warnings about unused parts of the checkpoint. Returns the status."""
        return self


class CheckpointLoadStatus(LoadStatus):
    """Status for an object-based checkpoint."""

    def __init__(self, checkpoint: CheckpointRestore, feed_dict: Any, graph_view: ObjectGraphView) -> None:
        self._checkpoint = checkpoint
        self._feed_dict = feed_dict
        self._graph_view = graph_view
        self._root = graph_view.root

    @called_by_users
    def assert_consumed(self) -> CheckpointLoadStatus:
        """See `LoadStatus`."""
        checkpoint = self._checkpoint
        self.assert_existing_objects_matched()
        names = node_names(checkpoint.object_graph_proto)
        for i, node in enumerate(checkpoint.object_graph_proto.nodes):
            if checkpoint.object_by_proto_id.get(i) is None:
                raise AssertionError(f"Unresolved object in checkpoint {names[i]}: {node}")
        if checkpoint.slot_restorations:
            raise AssertionError(f"Unresolved slot restorations: {checkpoint.slot_restorations}")
        unused = checkpoint.outcome.unused_attributes
        if unused:
            lines = [f"{names[i]} ({checkpoint.object_by_proto_id[i]}): {found}" for i, found in unused.items()]
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but were not restored):\n"
                + "\n".join(lines)
            )
        return self

    @called_by_users
    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """See `LoadStatus`."""
        checkpoint = self._checkpoint
        for i, node in enumerate(checkpoint.object_graph_proto.nodes):
            found = checkpoint.object_by_proto_id.get(i)
            if found is not None and found._update_uid < checkpoint.restore_uid:
                raise AssertionError(f"Object not assigned a value from checkpoint: {node}")
        for found in self._graph_view.list_objects():
            if not isinstance(found, TrackableDataStructure) or found._checkpoint_dependencies:
                checkpoint.all_python_objects.add(found)
        unmatched = self._unmatched()
        if unmatched:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python program: "
                f"{unmatched}"
            )
        return self

    @called_by_users
    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """See `LoadStatus`."""
        checkpoint = self._checkpoint
        for found in self._graph_view.list_objects():
            checkpoint.all_python_objects.add(found)
        if len(checkpoint.object_by_proto_id) <= 1:
            unmatched = self._unmatched()
            if unmatched:
                raise AssertionError(
                    "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint "
                    "does not match the Python program. The following objects have no matching checkpointed value: "
                    f"{unmatched}"
                )
            raise AssertionError(f"Nothing to load. No dependencies have been added to {self._graph_view.root} yet.")
        return self

    def _unmatched(self) -> list[Any]:
        matched = set(map(id, self._checkpoint.object_by_proto_id.values()))
        return [found for found in self._checkpoint.all_python_objects if id(found) not in matched]

    @called_by_users
    def run_restore_ops(self, session: Any = None) -> None:
        """See `LoadStatus`."""
        if not executing_eagerly():
            session_of(session).run(self._checkpoint.restore_ops, feed_dict=self._feed_dict)

    @called_by_users
    def initialize_or_restore(self, session: Any = None) -> None:
        """See `LoadStatus`."""
        if executing_eagerly():
            return
        session = session_of(session)
        checkpoint = self._checkpoint
        matched = set(map(id, checkpoint.object_by_proto_id.values()))
        others = [found for found in self._graph_view.list_objects() if id(found) not in matched]
        self.run_restore_ops(session)
        session.run(_initializers(others, checkpoint.restore_uid))

    def restore_later_objects_in(self, session: Any) -> None:
        """Makes a session restore each object as soon as it is created."""
        self._checkpoint.new_restore_ops_callback = lambda ops: session.run(ops, feed_dict=self._feed_dict)

    def expect_partial(self) -> CheckpointLoadStatus:
        """See `LoadStatus`."""
        self._checkpoint.outcome.expect_partial = True
        return self


def _initializers(objects: list[Any], restore_uid: int) -> list[Any]:
    """Returns the initializers of the objects that were not restored since then."""
    return [
        found.initializer
        for found in objects
        if getattr(found, "initializer", None) is not None and found._update_uid < restore_uid
    ]


class InitializationOnlyStatus(LoadStatus):
    """Status without a checkpoint."""

    def __init__(self, graph_view: ObjectGraphView, restore_uid: int) -> None:
        self._graph_view = graph_view
        self._restore_uid = restore_uid
        self._root = graph_view.root

    def assert_consumed(self) -> NoReturn:
        """Raises AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> NoReturn:
        """Raises AssertionError."""
        raise AssertionError(
            "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
        )

    @called_by_users
    def initialize_or_restore(self, session: Any = None) -> None:
        """Initializes all variables in a session; None: the default session."""
        if not executing_eagerly():
            session_of(session).run(_initializers(self._graph_view.list_objects(), self._restore_uid))


class NameBasedSaverStatus(LoadStatus):
    """Status for a checkpoint of `tf.train.Saver`. In a graph, each restore adds operations."""

    def __init__(self, checkpoint: NameBasedRestore, graph_view: ObjectGraphView) -> None:
        self._checkpoint = checkpoint
        self._graph_view = graph_view
        self._root = graph_view.root
        tf_logging.warning(
            "%s was written by tf.train.Saver: variables are looked up by their global names, which is fragile, and in a graph "
            "each restore adds operations. Save the objects again with tf.train.Checkpoint, and use the new checkpoint.",
            checkpoint.path,
        )

    @called_by_users
    def assert_consumed(self) -> NameBasedSaverStatus:
        """Raises AssertionError unless all objects of the program were restored. Returns the status."""
        unused = self._checkpoint.unused_attributes
        if unused:
            lines = [f"\n    {found}: {attributes}" for found, attributes in unused.items()]
            raise AssertionError("Some objects had attributes which were not restored:" + "".join(lines))
        for found in self._graph_view.list_objects():
            if found._update_uid < self._checkpoint.restore_uid:
                raise AssertionError(f"Object not restored: {found}")
        return self

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    @called_by_users
    def run_restore_ops(self, session: Any = None) -> None:
        """See `LoadStatus`."""
        if executing_eagerly():
            return
        session = session_of(session)
        checkpoint = self._checkpoint
        with device("/cpu:0"):
            saveables: list[Any] = []
            for found in self._graph_view.list_objects():
                if found._update_uid < checkpoint.restore_uid:
                    found._update_uid = checkpoint.restore_uid
                    saveables += checkpoint.saveables_of(found)
            Saver(saveables).restore(session, checkpoint.path)

    def initialize_or_restore(self, session: Any = None) -> None:
        """See `run_restore_ops`."""
        self.run_restore_ops(session)


def streaming_restore(status: LoadStatus, session: Any = None) -> None:
    """Makes a session restore existing objects now, and later ones as soon as they are created; does nothing in eager
    execution. NotImplementedError for checkpoints of `tf.train.Saver`."""
    if executing_eagerly():
        return
    session = session_of(session)
    if isinstance(status, NameBasedSaverStatus):
        raise NotImplementedError(
            "Streaming restore not supported from name-based checkpoints when graph building. File a feature request if this "
            "limitation bothers you. As a workaround, consider either using tf.train.Checkpoint to load name-based "
            "checkpoints or enabling eager execution."
        )
    status.run_restore_ops(session)
    if isinstance(status, CheckpointLoadStatus):
        status.restore_later_objects_in(session)
