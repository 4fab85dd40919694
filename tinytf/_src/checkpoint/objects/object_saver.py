"""Saves and restores the objects below a root."""

from __future__ import annotations

import os
import weakref
from typing import Any

from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.checkpoint.object_checkpoints import OBJECT_GRAPH_KEY, read_object_graph
from tinytf._src.checkpoint.objects.device_savers import MultiDeviceSaver
from tinytf._src.checkpoint.objects.graph_view import ObjectGraphView
from tinytf._src.checkpoint.objects.name_based import NameBasedRestore
from tinytf._src.checkpoint.objects.position import CheckpointRestore
from tinytf._src.checkpoint.objects.python_state import NoRestoreSaveable
from tinytf._src.checkpoint.objects.status import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    LoadStatus,
    NameBasedSaverStatus,
)
from tinytf._src.checkpoint.session_of_objects import session_of
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.resources.trackable import next_restore_uid
from tinytf._src.framework.scopes.name_scope import control_dependencies, device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.placeholders import identity
from tinytf._src.platform import file_io


def object_metadata(save_path: str) -> Any:
    """Returns the `TrackableObjectGraph` of a checkpoint. ValueError if it has none."""
    try:
        return read_object_graph(save_path)
    except errors_impl.NotFoundError:
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be object-based (it is missing the key '
            f'"{OBJECT_GRAPH_KEY}"). Likely it was created with a name-based saver and does not contain an object dependency '
            "graph."
        ) from None


def list_objects(root_trackable: Any) -> list[Any]:
    """Returns all objects that a checkpoint of this one includes, in breadth-first order, then the slots of
    optimizers."""
    return ObjectGraphView(root_trackable).list_objects()


def gather_initializers(root_trackable: Any) -> list[Any]:
    """Returns the initializers of the objects that have one."""
    found = (getattr(value, "initializer", None) for value in list_objects(root_trackable))
    return [initializer for initializer in found if initializer is not None]


class TrackableSaver:
    """Saves and restores the objects below a root. In a graph, operations are reused while the objects stay the
    same."""

    def __init__(self, root: Any) -> None:
        self._graph_view = ObjectGraphView(weakref.ref(root), keeps_saveables=not executing_eagerly())
        self._feeds: tuple[Any, Any] | None = None  # in a graph, the tensors of object graph and name
        self._saved_graph: Any = None  # the object graph of the save operation
        self._save_operation: Any = None
        self._path_tensor: Any = None  # in a graph, the name to restore from
        self._restore_ops_by_name: dict[str, Any] = {}

    def save(self, file_prefix: str, session: Any = None) -> Any:
        """Writes a checkpoint; returns its name, as a tensor unless it is run in a session."""
        in_session = not executing_eagerly() and not get_default_graph().building_function
        with device("/cpu:0"):
            if not in_session:
                path, graph_tensor = constant(file_prefix, dtype=dtypes.string), None
            else:
                if self._feeds is None:
                    self._feeds = constant("", dtype=dtypes.string), constant("", dtype=dtypes.string)
                graph_tensor, path = self._feeds
        file_io.recursive_create_dir(os.path.dirname(file_prefix))
        saveables, graph, feeds = self._graph_view.serialize_object_graph()
        if graph_tensor is None:
            with device("/cpu:0"):
                written = constant(graph.SerializeToString(), dtype=dtypes.string)
            return self._write([*saveables, NoRestoreSaveable(written, OBJECT_GRAPH_KEY)], path)
        if self._saved_graph != graph:
            self._save_operation = self._write([*saveables, NoRestoreSaveable(graph_tensor, OBJECT_GRAPH_KEY)], path)
            self._saved_graph = graph
        feeds = {**feeds, graph_tensor: graph.SerializeToString(), path: file_prefix}
        return session_of(session).run(self._save_operation, feed_dict=feeds)

    def _write(self, saveables: list[Any], path: Any) -> Any:
        saved = MultiDeviceSaver(saveables).save(path)
        with device("/cpu:0"), control_dependencies([] if saved is None else [saved]):
            return identity(path)

    def restore(self, save_path: str | None) -> LoadStatus:
        """Restores the objects: immediately in eager execution, else by operations that the status runs."""
        if save_path is None:
            return InitializationOnlyStatus(self._graph_view, next_restore_uid())
        reader = new_checkpoint_reader(save_path)
        if not reader.has_tensor(OBJECT_GRAPH_KEY):
            return self._restore_by_names(save_path, reader.get_variable_to_dtype_map())
        graph = object_metadata(save_path)
        feeds = None
        with device("/cpu:0"):
            if executing_eagerly():
                path = constant(save_path)
            else:
                if self._path_tensor is None:
                    self._path_tensor = constant("model")
                path = self._path_tensor
                feeds = {path: save_path}
        checkpoint = CheckpointRestore(graph, save_path, path, self._restore_ops_by_name, self._graph_view)
        checkpoint.position(0).restore(self._graph_view.root)
        return CheckpointLoadStatus(checkpoint, feeds, self._graph_view)

    def _restore_by_names(self, save_path: str, types: Any) -> LoadStatus:
        if not executing_eagerly():
            return NameBasedSaverStatus(NameBasedRestore(save_path), self._graph_view)
        checkpoint = NameBasedRestore(save_path, types)
        for found in self._graph_view.list_objects():
            found._name_based_attribute_restore(checkpoint)
        return NameBasedSaverStatus(checkpoint, self._graph_view)
