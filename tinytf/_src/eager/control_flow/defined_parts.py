"""Branches, conditions and bodies of imported nodes, rebuilt from their FunctionDefs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf import _core
from tinytf._src.eager import calls
from tinytf._src.eager.control_flow.parts import PartFunction
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.graph_function import GraphFunction, GraphSession
from tinytf._src.framework.graph.definition_graph import GraphOfDefinition, adopt_body, must_run
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values.constant_value import constant_value

_Gradient = Callable[[Operation, Sequence[Any]], list[Any]]


class _DefinedBody(FuncGraph):
    """The body graph of a part, or of a function called there, made from its definition; see `GraphOfDefinition`."""

    def __init__(
        self, core: Any, arguments: tuple[int, ...], results: tuple[int, ...], around: Graph, name: str
    ) -> None:
        self._given = core
        super().__init__(name)
        adopt_body(self, around)
        self.inputs = [self._nodes.tensor(key) for key in arguments]
        # Loop invariants are recognized by their being the argument itself, not a copy of it.
        yielded = [self._nodes.tensor(key) for key in results]
        self.outputs = [t if (origin := _origin(t)) not in self.inputs else origin for t in yielded]

    def _new_core(self) -> Any:
        return self._given


def branches_of(op: Operation, gradient: _Gradient) -> list[PartFunction]:
    """Returns the branches of an If or Case node. `gradient` computes the gradients of the inputs of nodes that call
    them. LookupError if its graph lacks these functions."""
    names = op._raw_attr("branches") or [op._raw_attr(attr) for attr in ("then_branch", "else_branch")]
    return [_part(op, name, gradient) for name in names]


def loop_of(op: Operation, gradient: _Gradient) -> tuple[PartFunction, PartFunction]:
    """Returns condition and body of a While node; see `branches_of`. LookupError also unless its first variable counts
    iterations, as in TensorFlow's loops: the gradient needs their number."""
    cond, body = (_part(op, op._raw_attr(attr), gradient) for attr in ("cond", "body"))
    if not _counts(body):
        raise LookupError(
            f"No gradient defined for operation '{op.name}' (op type: {op.type}): its first loop variable is not an iteration "
            "counter."
        )
    return cond, body


def _counts(body: PartFunction) -> bool:
    """Returns whether the first result is the first argument plus 1."""
    if not body.inputs or not body.inputs[0].dtype.is_integer:
        return False
    added = _origin(body.outputs[0], waits=True).op
    if added.type not in ("Add", "AddV2"):
        return False
    terms = list(added.inputs)
    others = [constant_value(t) for t in terms if _origin(t, waits=True) is not body.inputs[0]]
    return len(others) == 1 and others[0] is not None and others[0].shape == () and others[0] == 1


def _origin(tensor: Tensor, waits: bool = False) -> Tensor:
    """Follows Identity operations to the original tensor; copies with control inputs only if `waits`."""
    while tensor.op.type == "Identity" and (waits or not tensor.op.control_inputs):
        tensor = tensor.op.inputs[0]
    return tensor


def _part(op: Operation, name: str, gradient: _Gradient) -> PartFunction:
    functions = op.graph._functions
    known = functions.find(name) or functions.parts.get(name)
    if not isinstance(known, PartFunction):
        made = _made_of_function(known, name) if isinstance(known, GraphFunction) else _made_of_definition(op, name)
        known = functions.parts[name] = made
        known.gradient_of_node = gradient
    return known


def _made_of_function(function: GraphFunction, name: str) -> PartFunction:
    return PartFunction(name, function._session, function.inputs, [], function.outputs, function._targets)


def _made_of_definition(op: Operation, name: str) -> PartFunction:
    body = _body(op, name)
    return PartFunction(body.name, GraphSession(body), body.inputs, [], body.outputs, must_run(body, op.graph, name))


def gradient_of_defined_call(op: Operation, grads: Sequence[Any]) -> list[Any]:
    """Returns the gradients of a call's inputs, in the body of a part, for a function known by its definition only."""
    name = op._raw_attr("f")
    functions = op.graph._functions
    if name not in functions.called:
        body = _body(op, name)
        targets = must_run(body, op.graph, name)
        functions.called[name] = GraphFunction(name, GraphSession(body), body.inputs, [], body.outputs, targets)
    return functions.called[name].gradient_of_call(op, tuple(grads))


def _body(op: Operation, name: str) -> _DefinedBody:
    graph: Graph = op.graph
    # As in TensorFlow, a call in a plain graph of a function known by its definition only has no gradient.
    alone = isinstance(graph, GraphOfDefinition)
    made = None if alone else _core.new_body(graph._core, name, {})
    if made is None:
        why = (
            f"the function {name} was imported without its Python function" if alone else f"there is no function {name}"
        )
        raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type}): {why}.")
    return _DefinedBody(*made, graph, calls.numbered(name))
