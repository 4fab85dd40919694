"""The variables of a saver, and the operations that write and restore them."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.eager_values import EagerValues
from tinytf._src.checkpoint.object_checkpoints import object_graph_key_mapping, renamed_saveables
from tinytf._src.checkpoint.restoring import has_equal_saver
from tinytf._src.checkpoint.saved_names import all_saveable_objects, validate_and_slice_inputs
from tinytf._src.checkpoint.saver_builder import V2, BulkSaverBuilder
from tinytf._src.checkpoint.saver_defs import check_saver_def, renamed
from tinytf._src.checkpoint.session_values import SessionValues, Snapshots
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import prepend_name_scope


@dataclass(frozen=True)
class SaverOptions:
    """Arguments of a builder's method `build`, as of `Saver`."""

    reshape: bool = False
    sharded: bool = False
    max_to_keep: int | None = 5
    keep_checkpoint_every_n_hours: float = 10000.0
    name: str | None = None
    restore_sequentially: bool = False
    filename: str | None = None


class SaverOps:
    """The operations that a `SaverDef` names, which `build` adds to a graph unless the SaverDef is given. In eager
    execution there are none.

    `var_list`, `builder`, `saver_def`, `version`, `allow_empty`: as of `Saver`.
    """

    def __init__(
        self,
        var_list: Any,
        builder: Any,
        options: SaverOptions,
        saver_def: Any = None,
        version: int = V2,
        allow_empty: bool = False,
    ) -> None:
        self.saver_def = saver_def if saver_def is None else protos.adopt(saver_def)
        self.version = version
        self.is_built = False
        self.is_empty = False
        self._var_list = var_list
        self._builder = builder
        self._options = options
        self._allow_empty = allow_empty
        self._graph: weakref.ref[Graph] | None = None  # the graph of the operations, if they were made here
        self._snapshots: Snapshots = weakref.WeakKeyDictionary()
        self._of_objects: SaverOps | None = None  # for object-based checkpoints

    def build(self) -> None:
        """Adds the operations to the default graph, or finds the ones of the SaverDef there. ValueError if there are no
        variables, unless that is allowed."""
        self.is_built = True
        if self.saver_def is None:
            if self._builder is None:
                self._builder = BulkSaverBuilder(self.version)
            if self._var_list is None:
                self._var_list = all_saveable_objects()
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self.is_empty = True
                return
            self._graph = weakref.ref(get_default_graph())
            self.saver_def = self._builder.build(self._var_list, **vars(self._options))
        elif self._options.name:
            scope = self._options.name
            self.saver_def = renamed(self.saver_def, lambda name: prepend_name_scope(name, scope))
        check_saver_def(self.saver_def)

    def take_version(self) -> None:
        """Makes the format the one of the SaverDef, if there is one. ValueError if it is not valid."""
        if self.saver_def is not None:
            check_saver_def(self.saver_def)
            self.version = self.saver_def.version

    def values(self, sess: Any) -> SessionValues | EagerValues:
        """Returns the values of the variables in a session, or in eager execution.

        ValueError for a session of another graph, unless the names of the operations refer to the same variables there.
        """
        if executing_eagerly():
            builder = self._builder or BulkSaverBuilder(self.version)
            return EagerValues(builder, self._var_list, self._options.sharded, self._options.reshape, self.version)
        graph = None if self._graph is None else self._graph()
        if self._graph is not None and graph is not sess.graph:
            if graph is None or not has_equal_saver(graph, sess.graph, self.saver_def):
                raise ValueError(
                    "The saver was created in another graph than the session's, so it would save and restore other "
                    "variables. Create both in the graph of the variables."
                )
        return SessionValues(sess, self.saver_def, self._snapshots)

    def restore(self, sess: Any, path: str) -> None:
        """Restores the variables from a checkpoint that exists."""
        tf_logging.info("Restoring parameters from %s", path)
        try:
            self.values(sess).restore(path)
        except errors_impl.NotFoundError:
            if executing_eagerly() or not self._restore_objects(sess, path):
                raise

    def _restore_objects(self, sess: Any, path: str) -> bool:
        """Restores from an object-based checkpoint; returns False if it is none."""
        try:
            keys = object_graph_key_mapping(path)
        except errors_impl.NotFoundError:
            return False
        tf_logging.warning(
            "%s was written by tf.train.Checkpoint: variables are looked up by the names that they had when it was written. "
            "Use tf.train.Checkpoint() to restore it.",
            path,
        )
        if self._of_objects is None:
            variables = all_saveable_objects() if self._var_list is None else self._var_list
            saveables = renamed_saveables(validate_and_slice_inputs(variables), keys)
            ops = SaverOps(saveables, self._builder, SaverOptions())
            ops.build()
            self._of_objects = ops
        self._of_objects.restore(sess, path)
        return True
