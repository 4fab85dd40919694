"""Operations whose ops are not declared here: an imported graph may have some, which are kept but cannot run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.context_variable import ContextVariable
from tinytf.framework.op_spec import OpSpec, declared_ops, op_spec

_LIKE = "NoOp"  # declares nothing that these operations could differ in
_strict = ContextVariable[bool]("strict_imports", False)


@tf_export("experimental.strict_imports")
@contextmanager
def strict_imports() -> Iterator[None]:
    """Within this context, importing a graph that has an op which is not declared raises NotFoundError, as in TensorFlow.

    It holds for `tf.import_graph_def` and all that imports graphs by it (`tf.train.import_meta_graph`, loaders of
    SavedModels), on the thread that entered it. Elsewhere such operations are kept, and only running them is an error.

    Raises:
      NotFoundError: raised by the import, which then adds nothing; the message names the op.
    """
    before = _strict.get()
    _strict.set(True)
    try:
        yield
    finally:
        _strict.set(before)


def is_strict() -> bool:
    """Whether an op that is not declared is an error of the import."""
    return _strict.get()


def undeclared(graph_def: Any, op_list: Any) -> dict[str, Any]:
    """The declarations in `op_list` (an `OpList`, or None) of ops that nodes of a `GraphDef` have and that are not declared
    here, by name."""
    if op_list is None:
        return {}
    declarations = {op.name: op for op in op_list.op if op.name not in declared_ops()}
    if not declarations:
        return {}
    used = {node.op for node in graph_def.node}
    return {name: op for name, op in declarations.items() if name in used}


class UnknownOpSpec(OpSpec):
    """What is known of an op that is not declared: nothing but its name. Gradients do not pass it."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        like = op_spec(_LIKE)
        for slot in OpSpec.__slots__[2:]:
            if slot not in ("eager", "call_eagerly"):
                setattr(self, slot, getattr(like, slot))
        self.is_stateful = True
        self.gradient = "none"
        self.doc = ""
        self._loaded = True
