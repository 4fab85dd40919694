"""Scopes that mark operations for joint compilation. Nothing here compiles them; graphs export the marks, and gradients
inherit them from the forward operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation

_KEY = ("__xla_scope",)


@dataclass
class _Counter:
    """The number of outermost scopes that a graph has had, and of scopes that are open."""

    made: int = 0
    open: int = 0


@contextmanager
def jit_scope(
    compile_ops: bool | Callable[[Any], bool] = True, separate_compiled_gradients: bool = False
) -> Iterator[None]:
    """Context manager that marks the operations created in it for compilation by XLA.

    Args:
      compile_ops: bool, or callable that decides by the operation's NodeDef, in which only `op` is set.
      separate_compiled_gradients: bool, whether gradients are compiled separately.

    Raises:
      RuntimeError: in eager mode.
    """
    if executing_eagerly():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Try use it inside tf.function."
        )
    graph = get_default_graph()
    attrs: dict[str, Any] = {
        "_XlaCompile": _each(compile_ops) if callable(compile_ops) else protos.AttrValue(b=compile_ops),
        "_XlaSeparateCompiledGradients": protos.AttrValue(b=bool(separate_compiled_gradients)),
    }
    kept = graph.get_collection_ref(_KEY)
    if not kept:
        kept.append(_Counter())
    counter = kept[0]
    if counter.open == 0:
        attrs["_XlaScope"] = _scope(f"jit_scope_{counter.made}")
        counter.made += 1
    counter.open += 1
    try:
        with graph._attr_scope(attrs):
            yield
    finally:
        counter.open -= 1


def is_to_compile(op: Operation) -> bool:
    """Whether an operation is marked for compilation."""
    return bool(op._raw_attr("_XlaCompile"))


def jit_scope_of_gradient(op: Operation) -> AbstractContextManager[None]:
    """The scope with the marks of an operation's gradient, which are the operation's own. No-op if the operation is not
    marked or calls a function, for which TensorFlow asks the function. If gradients are compiled separately, the
    current name scope becomes part of the scope's name."""
    if not is_to_compile(op) or op._spec.calls_function:
        return nullcontext()
    apart, scope = op._raw_attr("_XlaSeparateCompiledGradients"), op._raw_attr("_XlaScope")
    if apart is None or scope is None:
        return nullcontext()
    name = scope.decode()
    if apart:
        name += "_grad_" + op.graph.get_name_scope().replace("/", "_")
    attrs = {"_XlaCompile": protos.AttrValue(b=True), "_XlaScope": _scope(name)}
    return op.graph._attr_scope(attrs)


def _each(compile_op: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda node_def: protos.AttrValue(b=compile_op(node_def))


def _scope(name: str) -> Any:
    return protos.AttrValue(s=name.encode())
