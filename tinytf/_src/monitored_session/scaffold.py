"""`tf.train.Scaffold`: the operations that initialize, save and summarize a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.input_state import InputState
from tinytf._src.ops import array_ops
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.ops.data_flow.table_initializers import tables_initializer
from tinytf._src.ops.logging.summary_ops import merge_all
from tinytf._src.ops.state import resources
from tinytf._src.variables import collections as variables


@tf_export("train.Scaffold")
class Scaffold:
    """Operations and objects of a model that sessions need. Missing ones are looked up in graph collections, or
    created, by `finalize`.

    Args:
      init_op: operation that initializes global variables.
      init_feed_dict: feed dict of `init_op`, or None.
      init_fn: called as `init_fn(scaffold, session)` after `init_op`.
      ready_op: string tensor with the names of uninitialized variables.
      ready_for_local_init_op: string tensor with the names of uninitialized variables that `local_init_op` needs.
      local_init_op: operation that initializes the session's local variables and tables.
      summary_op: string tensor with the merged summaries.
      saver: a `Saver`.
      copy_from_scaffold: another `Scaffold`, whose parts replace missing arguments.
      local_init_feed_dict: feed dict of `local_init_op`, or None.

    Raises:
      TypeError: if `copy_from_scaffold` is not a `Scaffold`.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[..., Any] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Scaffold | None = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def given_or_copied(given: Any, name: str) -> Any:
            return getattr(other, name) if given is None and other is not None else given

        self._init_op = given_or_copied(init_op, "_init_op")
        self._init_feed_dict = given_or_copied(init_feed_dict, "_init_feed_dict")
        self._user_init_fn = given_or_copied(init_fn, "_user_init_fn")
        self._ready_op = given_or_copied(ready_op, "_ready_op")
        self._ready_for_local_init_op = given_or_copied(ready_for_local_init_op, "_ready_for_local_init_op")
        self._local_init_op = given_or_copied(local_init_op, "_local_init_op")
        self._local_init_feed_dict = given_or_copied(local_init_feed_dict, "_local_init_feed_dict")
        self._summary_op = given_or_copied(summary_op, "_summary_op")
        self._saver = given_or_copied(saver, "_saver")
        self._saver_options: dict[str, Any] = {}  # for a saver that is created by `finalize`
        self._input_state: InputState | None = None  # of a session that saves positions of iterators
        self._init_fn = (lambda session: self._user_init_fn(self, session)) if self._user_init_fn else None

    @called_by_users
    def finalize(self) -> Scaffold:
        """Looks up or creates missing parts, and finalizes the default graph. Repeated calls only do the latter.

        Returns:
          The scaffold itself.

        Raises:
          RuntimeError: if a collection has several candidates.
          ValueError: if positions of iterators are to be saved, and the saver was built before.
        """
        keys, default = GraphKeys, self.get_or_default
        if self._init_op is None:
            self._init_op = default("init_op", keys.INIT_OP, _default_init_op)
        if self._ready_op is None:
            self._ready_op = default("ready_op", keys.READY_OP, _default_ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = default(
                "ready_for_local_init_op", keys.READY_FOR_LOCAL_INIT_OP, _default_ready_for_local_init_op
            )
        if self._local_init_op is None:
            self._local_init_op = default("local_init_op", keys.LOCAL_INIT_OP, self.default_local_init_op)
        if self._summary_op is None:
            self._summary_op = default("summary_op", keys.SUMMARY_OP, merge_all)
        if self._saver is None:
            self._saver = saver_of_collection()
        if self._input_state is not None:
            self._input_state.build(self._saver)
        if self._saver is None:
            self._saver = _added_to_collection(Saver(sharded=True, allow_empty=True, **self._saver_options))
        self._saver.build()
        if self._input_state is not None:
            self._input_state.unlist()
        get_default_graph().finalize()
        tf_logging.info("Graph was finalized.")
        return self

    @property
    def init_op(self) -> Any:
        """The operation that initializes global variables."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """The feed dict of `init_op`, or None."""
        return self._init_feed_dict

    @property
    def init_fn(self) -> Callable[[Any], Any] | None:
        """A function that is called with the session after `init_op`, or None."""
        return self._init_fn

    @property
    def ready_op(self) -> Any:
        """The tensor with the names of uninitialized variables."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The tensor with the names of uninitialized variables that `local_init_op` needs."""
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        """The operation that initializes the session's local variables and tables."""
        return self._local_init_op

    @property
    def local_init_feed_dict(self) -> Any:
        """The feed dict of `local_init_op`, or None."""
        return self._local_init_feed_dict

    @property
    def summary_op(self) -> Any:
        """The tensor with the merged summaries; None if there are none."""
        return self._summary_op

    @property
    def saver(self) -> Any:
        """The `Saver`."""
        return self._saver

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """Returns the only element of a collection, or a default.

        Args:
          arg_name: str, the constructor argument to name in the error.
          collection_key: str, the key of the collection.
          default_constructor: callable without arguments, called if the collection is empty. Its result is added to the
            collection, unless it is None.

        Raises:
          RuntimeError: if the collection has several elements.
        """
        graph = get_default_graph()
        found = graph.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which one to use by passing it '
                f"to the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """Returns an operation that initializes local variables, tables and local resources."""
        return group(
            variables.local_variables_initializer(),
            tables_initializer(),
            resources.initialize_resources(resources.local_resources()),
        )


def saver_of_collection() -> Any:
    """Returns the only saver in the default graph's collection, or None. RuntimeError if there are several."""
    savers = get_default_graph().get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {GraphKeys.SAVERS}. Please indicate which one to use by passing it to the "
            "constructor."
        )
    return savers[0] if savers else None


def _added_to_collection(saver: Any) -> Any:
    get_default_graph().add_to_collection(GraphKeys.SAVERS, saver)
    return saver


def _default_init_op() -> Any:
    return group(variables.global_variables_initializer(), resources.initialize_resources(resources.shared_resources()))


def _default_ready_op() -> Any:
    return array_ops.concat([variables.report_uninitialized_variables(), resources.report_uninitialized_resources()], 0)


def _default_ready_for_local_init_op() -> Any:
    return array_ops.concat(
        [
            variables.report_uninitialized_variables(variables.global_variables()),
            resources.report_uninitialized_resources(resources.shared_resources()),
        ],
        0,
    )
