"""The values that the variables of a saver have in a session."""

from __future__ import annotations

import weakref
from typing import Any

from tinytf._src.checkpoint.restoring import restore_errors_about, wanted_by_operation
from tinytf._src.checkpoint.snapshots import GraphSnapshots, HeldValues

Snapshots = weakref.WeakKeyDictionary[Any, GraphSnapshots]  # by session


class SessionValues:
    """Writes, holds and restores the values by running the operations that a `SaverDef` names.

    `snapshots`: the snapshots that were made for this SaverDef, by session.
    """

    def __init__(self, sess: Any, saver_def: Any, snapshots: Snapshots) -> None:
        self._sess = sess
        self._saver_def = saver_def
        self._snapshots = snapshots

    def write(self, path: str) -> str:
        """Writes the values; returns the checkpoint's name."""
        saved = self._sess.run(self._saver_def.save_tensor_name, {self._saver_def.filename_tensor_name: path})
        return saved.decode() if isinstance(saved, bytes) else str(saved)

    def take(self, path: str) -> HeldValues:
        """Holds the values, without copying them. ValueError if the operations do not allow that."""
        found = self._snapshots.get(self._sess)
        if found is None:
            found = self._snapshots[self._sess] = GraphSnapshots(self._sess, self._saver_def)
        return found.take(self._sess, path)

    def restore(self, path: str) -> None:
        """Restores the values. An error names the differences between the checkpoint and the graph."""
        operation = self._saver_def.restore_op_name
        with restore_errors_about(path, lambda: wanted_by_operation(self._sess.graph, operation)):
            self._sess.run(operation, {self._saver_def.filename_tensor_name: path})
