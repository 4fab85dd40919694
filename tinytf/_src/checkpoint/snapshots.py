"""Snapshots of the values that a saver writes, for a thread that writes them later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tinytf._src.checkpoint.saver_builder import V2
from tinytf._src.framework.errors import error_interpolation, errors_impl
from tinytf._src.framework.errors.error_traceback import REPORTED
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.base_session import local_engine_of
from tinytf._src.session.config import core_options
from tinytf._src.session.local_engine import CoreEngine

Write = Callable[[str], str]  # takes the checkpoint's prefix, returns its final name
_REFERENCES = ("Variable", "VariableV2")
_FIRST_VALUE = {"Save": 2, "SaveSlices": 3, "SaveV2": 3}  # index of the first value input


class HeldValues(NamedTuple):
    """Values that a checkpoint will have."""

    name: str  # the checkpoint's final name
    write: Write  # writes them, once


def name_of_shards(path: str, files: int) -> str:
    """Returns the name of a V1 checkpoint with that number of files."""
    return f"{path}-?????-of-{files:05d}"


class GraphSnapshots:
    """Takes the values that a saver's operation would write in a session, and writes them in a session of its own.

    Values are not copied: an update of a variable whose value is held writes to new memory.
    """

    def __init__(self, sess: Any, saver_def: Any) -> None:
        """Raises ValueError if the operation depends on more of the session's state than it writes."""
        graph: Graph = sess.graph
        self._graph = graph
        self._saver_def = saver_def
        saved = graph.get_tensor_by_name(saver_def.save_tensor_name)
        filename = graph.get_tensor_by_name(saver_def.filename_tensor_name)
        written, self._files = _written_values(saved)
        self._variables = [tensor for tensor in written if tensor.op.type in _REFERENCES]
        self._others = [tensor for tensor in written if tensor.op.type not in _REFERENCES]
        options = core_options(getattr(sess, "_config", None)) | _WRITER_OPTIONS
        feeds = [filename, *self._variables, *self._others]
        self._write = CoreEngine(graph, **options).prepare(feeds, [saved], [], _as_array, "single")

    def _name_of(self, path: str) -> str:
        """Returns the final name of a checkpoint with that prefix."""
        return name_of_shards(path, self._files) if self._saver_def.sharded and self._saver_def.version != V2 else path

    def take(self, sess: Any, path: str) -> HeldValues:
        """Holds the present values, for a checkpoint with that prefix."""
        values = self._take(sess)

        def write(path: str) -> str:
            try:
                return self._write.call((path, *values)).decode()
            except errors_impl.OpError as error:
                raise error_interpolation.make_op_error(self._graph, error.error_code, error.message, ()) from None
            finally:
                values.clear()

        return HeldValues(self._name_of(path), write)

    def _take(self, sess: Any) -> list[Any]:
        if local_engine_of(sess) is None:  # values cannot be held
            return list(sess.run([*self._variables, *self._others]))
        steps = sess._steps
        try:
            steps.check_can_run()
            values: list[Any] = []
            if self._variables:  # held directly: a step would copy them
                ops = [tensor.op for tensor in self._variables]
                held = steps.prepare((), (), ops, "none").hold_variables()
                values += [held[op.name] for op in ops]
            if self._others:
                values += steps.prepare((), self._others, (), "held").call(())
            return values
        except REPORTED as error:
            raise steps.reported(error, None, None) from error.__cause__


def _as_array(_: int, value: Any) -> np.ndarray:
    """Converts feeds that the engine does not take directly. A plain function, as a closure could keep the saver
    alive."""
    return np.asarray(value, object if isinstance(value, (str, bytes)) else None)


# The calling thread only; other steps go on meanwhile.
_WRITER_OPTIONS = {
    "intra_op_threads": 1,
    "inter_op_threads": -1,
    "inter_op_pools": [],
    "timeout_ms": 0,
    "log_device_placement": False,
    "place_pruned_graph": True,
}


def _written_values(saved: Tensor) -> tuple[list[Tensor], int]:
    """Returns the tensors written by the save operations that `saved` depends on, and the number of these
    operations."""
    values: dict[int, Tensor] = {}
    seen: set[Operation] = {saved.op}
    pending, files = [saved.op], 0
    while pending:
        op = pending.pop()
        first = _FIRST_VALUE.get(op.type)
        files += first is not None
        values.update((tensor._key, tensor) for tensor in op.inputs[first:] if first is not None)
        needed = {*(tensor.op for tensor in op.inputs[:first]), *op.control_inputs} - seen
        if any(
            output.dtype._is_ref_dtype or output.dtype.name == "resource" for each in needed for output in each.outputs
        ):
            raise ValueError(
                f"{op.name} ({op.type}) uses variables without writing them to a checkpoint: async_save=True supports only the "
                "values that Save, SaveSlices and SaveV2 write, not other state of a session."
            )
        seen |= needed
        pending += needed
    return list(values.values()), files
