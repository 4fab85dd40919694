"""Operations of undeclared ops, which imported graphs may contain: they are kept but cannot run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.declarations.op_spec import OpSpec, declared_ops, op_spec

_LIKE = "NoOp"  # template: an op without inputs, outputs and attrs
_strict = ContextVariable[bool]("strict_imports", False)


@tf_export("experimental.strict_imports")
@contextmanager
def strict_imports() -> Iterator[None]:
    """Context manager in which importing a graph with an undeclared op raises NotFoundError, as in TensorFlow.

    Applies to `tf.import_graph_def` and to functions that import graphs with it (`tf.train.import_meta_graph`,
    SavedModel loaders), in the current thread. Otherwise such operations are kept, and running them is an error.

    Raises:
      NotFoundError: by the import, which then adds nothing; the message names the op.
    """
    before = _strict.get()
    _strict.set(True)
    try:
        yield
    finally:
        _strict.set(before)


def is_strict() -> bool:
    """Whether importing an undeclared op is an error."""
    return _strict.get()


def undeclared(graph_def: Any, op_list: Any) -> dict[str, Any]:
    """The declarations in `op_list` (an `OpList`, or None) of undeclared ops that nodes of a `GraphDef` use, by
    name."""
    if op_list is None:
        return {}
    declarations = {op.name: op for op in op_list.op if op.name not in declared_ops()}
    if not declarations:
        return {}
    used = {node.op for node in graph_def.node}
    return {name: op for name, op in declarations.items() if name in used}


class UnknownOpSpec(OpSpec):
    """The declaration of an undeclared op: only the name is known. It has no gradient."""

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
