"""Creation of variables by traced functions: lifts variables and initial values out of the function's graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.graph_function import GraphSession
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_like import is_graph_tensor

NOT_FIRST = "tf.function-decorated function tried to create variables on non-first call."


class _Unliftable(Exception):
    """An initial value depends on the function's arguments."""


class MakesVariables(BaseException):
    """Signals that a function traced within another one is about to create variables. A BaseException, so that user
    code does not catch it."""


class NoCreator:
    """A variable creator that creates none: raises ValueError with a text, or MakesVariables without one."""

    def __init__(self, text: str | None) -> None:
        self.made: list[Any] = []
        self._text = text

    def among(self, creators: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the creators of a trace. This one comes first, so that the program's creators are not called."""
        return (*creators, self.make)

    def make(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        """Raises MakesVariables or ValueError; see the class."""
        raise MakesVariables if self._text is None else ValueError(self._text)


class Creator:
    """Creates the variables of one trace, outside of the functions being traced.

    Initial values that do not depend on the function's arguments are computed at once. Others are assigned in the
    function's graph, which must then run once; only if `may_wait`.
    """

    def __init__(self, allowed: bool, may_wait: bool) -> None:
        self.allowed = allowed
        self.made: list[Any] = []
        self.waiting: set[Any] = set()  # handles of variables that are initialized when the graph runs
        self.unliftable = ""
        self._may_wait = may_wait

    def among(self, creators: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the creators of a trace. This one is called last, after the program's, as in TensorFlow."""
        return (self.make, *creators)

    def make(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        """Creates a variable. ValueError if none is `allowed`, or if its value would have to wait and may not."""
        if not self.allowed:
            raise ValueError(NOT_FIRST)
        graph = get_default_graph()
        late = None
        if isinstance(graph, FuncGraph):
            late = self._lift(graph, options)
        with init_scope():
            if executing_eagerly() and options.get("use_resource") is None:
                options["use_resource"] = True
            variable = next_creator(**options)
        if late is not None:
            self.waiting.add(variable.handle)
            gen_ops.assign_variable_op(variable.handle, late)
        self.made.append(variable)
        return variable

    def _lift(self, graph: FuncGraph, options: dict[str, Any]) -> Any:
        """Replaces an initial value that is a tensor of the graph by one that is valid outside; returns the value to
        assign in the graph instead, or None."""
        value = options.get("initial_value")
        if callable(value) and self._may_wait:  # else it is called outside
            with name_scope(options.get("name"), "Variable"), name_scope("Initializer"):
                value = convert_to_tensor(value(), dtype=options.get("dtype"))
        if type(value) is not Tensor or value.graph is not graph:
            return None
        try:
            options["initial_value"] = self._lifted_value(graph, value)
            return None
        except _Unliftable as e:
            if not self._may_wait:
                raise ValueError(str(e)) from None
            self.unliftable = self.unliftable or str(e)
        options["initial_value"] = TensorSpec(value.shape, value.dtype)
        return value

    def _lifted_value(self, graph: FuncGraph, value: Tensor) -> Any:
        known, waiting = [], set()
        for outer, inner in graph.captures:
            if outer in self.waiting or is_graph_tensor(outer):
                waiting.add(inner.op)
            else:
                known.append((outer, inner))
        captured = {inner.op for _, inner in known}
        seen, pending = set(), [value.op]
        while pending:
            op = pending.pop()
            if op in seen or op in captured:
                continue
            seen.add(op)
            if (op._spec.is_placeholder and not op.inputs) or op in waiting:
                raise _Unliftable(
                    f"Unable to lift tensor {value!r} because it depends transitively on placeholder {op!r} via at least one "
                    "path"
                )
            pending.extend(t.op for t in op.inputs)
        call = GraphSession(graph).prepare([inner for _, inner in known], [value], [])
        with init_scope():
            return _core.call_function(call, (), tuple(outer for outer, _ in known))[0]
