"""Creation of variables by traced functions: lifts variables and initial values out of the function's graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.graph_function import GraphSession
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.init_scope import init_scope, outermost
from tinytf._src.framework.scopes.name_scope import device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.variables.lifted_variable import UnliftedInitializerVariable

NOT_FIRST = "tf.function-decorated function tried to create variables on non-first call."
LATE = "Creating variables on a non-first call to a function decorated with tf.function."


class UnliftableError(Exception):
    """An initial value depends on the function's arguments, or on what it captures."""


class Creator:
    """Creates the variables of one trace, outside of the functions being traced.

    Initial values that do not depend on the function's arguments are computed at once, or in a graph by copies of their
    operations. In eager mode others are assigned in the function's graph, which must then run once.

    Args:
      allowed: whether variables may be created.
      creates_once: whether the trace is of a `tf.function`, which makes its variables in its first call. Others, of
        functions that make variables in each trace, leave them to the `tf.function` that calls them.
    """

    def __init__(self, allowed: bool, creates_once: bool) -> None:
        self.made: list[Any] = []
        self.waiting: set[Any] = set()  # handles of variables that are initialized when the graph runs
        self.unliftable = ""
        self._allowed = allowed
        self._creates_once = creates_once

    def among(self, creators: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the creators of a trace. This one is called last, after the program's, as in TensorFlow, and in place
        of those of the functions that call this one."""
        if self._creates_once:
            creators = tuple([c for c in creators if not isinstance(getattr(c, "__self__", None), Creator)])
        return (self.make, *creators)

    def make(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        """Creates a variable. ValueError if none is allowed; ValueError or UnliftableError if its value would have to
        wait and cannot."""
        if not self._allowed:
            raise ValueError(NOT_FIRST)
        graph = get_default_graph()
        if self._creates_once and isinstance(graph, FuncGraph) and outermost(graph) is not None:
            variable = UnliftedInitializerVariable(lambda value: _copy_outside(graph, value), **options)
        else:
            variable = self._made_by(next_creator, graph, options)
        self.made.append(variable)
        return variable

    def _made_by(self, next_creator: Callable[..., Any], graph: Any, options: dict[str, Any]) -> Any:
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
        return variable

    def _lift(self, graph: FuncGraph, options: dict[str, Any]) -> Any:
        """Replaces an initial value that is a tensor of the graph by one that is valid outside; returns the value to
        assign in the graph instead, or None."""
        value = options.get("initial_value")
        if callable(value) and self._creates_once:  # else it is called outside
            with name_scope(options.get("name"), "Variable"), name_scope("Initializer"):
                value = convert_to_tensor(value(), dtype=options.get("dtype"))
        if type(value) is not Tensor or value.graph is not graph:
            return None
        try:
            options["initial_value"] = self._lifted_value(graph, value)
            return None
        except UnliftableError as e:
            if not self._creates_once:
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
                raise _depends(value, [op])
            pending.extend(t.op for t in op.inputs)
        call = GraphSession(graph).prepare([inner for _, inner in known], [value], [])
        with init_scope():
            return _core.call_function(call, (), tuple(outer for outer, _ in known))[0]


def _depends(value: Tensor, path: list[Operation]) -> UnliftableError:
    """Returns the error about an initial value that depends on a placeholder, the last operation of the path."""
    text = f"Unable to lift tensor {value!r} because it depends transitively on placeholder {path[-1]!r} via at least one path"
    if len(path) > 1:
        text += ", e.g.: " + " <- ".join(f"{op.name} ({op.type})" for op in path)
    return UnliftableError(text)


def _copy_outside(graph: FuncGraph, value: Tensor) -> Tensor:
    """Copies the operations that compute a tensor of a function's graph to the graph outside of all functions, in its
    name scope; returns the copy of the tensor. UnliftableError if they depend on an argument or a capture."""
    outer = outermost(graph)
    scope = outer.get_name_scope()
    copies: dict[Operation, Operation] = {}
    order = _operations_of(graph, value)
    with init_scope(), name_scope(scope + "/" if scope else None):
        for op in order:
            attrs = {name: attr for name, (_, attr) in graph._core.attrs(op._id).items() if name != "_class"}
            if any("func" in attr.kind for attr in op._spec.attrs):
                outer._functions.take_all(graph)
            inputs = [copies[tensor.op].outputs[tensor.value_index] for tensor in op.inputs]
            with outer.control_dependencies([copies[control] for control in op.control_inputs]), device(op.device):
                copies[op] = outer._create(op._spec, outer.unique_name(op.name), inputs, None, attrs)
    return copies[value.op].outputs[value.value_index]


def _operations_of(graph: FuncGraph, value: Tensor) -> list[Operation]:
    """Returns the operations that compute a tensor, in the order of TensorFlow's copies: inputs before their readers.
    UnliftableError if there is an argument or a capture among them."""
    outside = {tensor.op for tensor in (*graph.inputs, *graph.internal_captures)}
    readers: dict[Operation, set[Operation]] = defaultdict(set)
    reached = {value.op: value.op}  # a reader of each operation
    pending = [value.op]
    seen = set()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if op in outside:
            path = [op]
            while path[-1] is not value.op:
                path.append(reached[path[-1]])
            raise _depends(value, path[::-1])
        for source in _inputs(op):
            readers[source].add(op)
            if source not in seen:
                reached[source] = op
                pending.append(source)
    order: dict[Operation, None] = {}
    pending = [value.op]
    while pending:
        op = pending.pop()
        order[op] = None
        pending.extend(s for s in dict.fromkeys(_inputs(op)) if readers[s] <= order.keys() and s not in order)
    if len(order) < len(seen):
        raise UnliftableError(f"Unable to lift tensor {value!r} because it depends on a loop.")
    return list(order)[::-1]


def _inputs(op: Operation) -> list[Operation]:
    return [tensor.op for tensor in op.inputs] + list(op.control_inputs)
