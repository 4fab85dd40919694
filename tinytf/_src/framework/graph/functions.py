"""`GraphFunctions`: the functions in a graph's library, and the declarations of operations that call them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.declarations.function_spec import FunctionSpec
from tinytf._src.framework.declarations.op_spec import OpSpec, declared_ops, op_spec
from tinytf._src.framework.declarations.unknown_ops import UnknownOpSpec
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.bases import BaseGraph, BaseOperation
from tinytf._src.framework.graph.function_numbers import skip_number_of

GRADIENT_OF = ";gradient"  # suffix of a function's name for its gradient, added by the engine

_derive: Callable[[Any, str, dict[str, bytes]], None]
_derive_within: Callable[[Any, Any], None]


def derive_by(derive: Callable[[Any, str, dict[str, bytes]], None], within: Callable[[Any, Any], None]) -> None:
    """Sets two callbacks, because the gradient module depends on this one: `derive(graph, name, attrs)` derives the
    gradient of a function in a graph; `within(graph, definition)` derives the gradients that the nodes of a FunctionDef
    need."""
    global _derive, _derive_within
    _derive, _derive_within = derive, within


def derivation_key(name: str, attrs: dict[str, bytes]) -> Any:
    """The key in `GraphFunctions.derivations` of a function's gradient for calls with these attrs."""
    return (name, *sorted(attrs.items()))


def name_attr_list(op: BaseOperation, name: str) -> Any:
    """The function in an operation's attr, as a `NameAttrList`."""
    found = _core.func_attr(op.graph._core, op._id, name)
    assert found is not None
    function, attrs = found
    message = protos.NameAttrList(name=function)
    for attr, value in attrs.items():
        message.attr[attr].MergeFromString(value)
    return message


class GraphFunctions(dict[str, Any]):
    """A graph's Python function objects, by their names in its library, and the declarations of their callers."""

    def __init__(self, core: Any) -> None:
        super().__init__()
        self._core = core
        self.specs: dict[str, OpSpec] = {}  # declarations of calls by name, per defined function
        # For undeclared ops of imported operations: their declaration, and the producer's `OpDef` if there was one.
        self.unknown: dict[str, UnknownOpSpec] = {}
        self.producers_ops: dict[str, Any] = {}
        # By name and attrs: derived gradients, and the functions whose gradients are being derived now.
        self.derivations: dict[Any, Any] = {}
        self.deriving: frozenset[Any] = frozenset()
        # By name, functions created from definitions: parts of branches and loops, and functions that they call.
        self.parts: dict[str, Any] = {}
        self.called: dict[str, Any] = {}
        self.traces: dict[Any, Any] = {}  # traces of functions that use tensors of this graph

    def find(self, name: str) -> Any:
        """The function with this name, or None. Also searches the graphs of known functions, which may have gained
        functions since, and then registers the result here."""
        for known in self._reachable():
            if name in known:
                return self.setdefault(name, known[name])
        return None

    def find_derivation(self, key: Any) -> Any:
        """The derived gradient for a `derivation_key`, or None; searches like `find`."""
        for known in self._reachable():
            if key in known.derivations:
                return self.derivations.setdefault(key, known.derivations[key])
        return None

    def _reachable(self) -> Iterator[GraphFunctions]:
        """Yields this object and its counterparts in the graphs of all reachable functions and gradients, each once."""
        pending, seen = [self], {id(self)}
        while pending:
            known = pending.pop()
            yield known
            for inner in (*known.values(), *known.derivations.values()):
                functions = inner.graph._functions
                if id(functions) not in seen:
                    seen.add(id(functions))
                    pending.append(functions)

    def spec(self, op_type: str) -> OpSpec:
        """The declaration of an op, or of calls of the function with this name. Raises NotFoundError if there is
        neither."""
        spec = self.specs.get(op_type)
        if spec is None:
            _core.check_registered(op_type)
            spec = op_spec(op_type)
        return spec

    def spec_of_node(self, op_type: str) -> OpSpec:
        """Like `spec`, for a node that the engine added, whose op may be undeclared."""
        spec = self.specs.get(op_type) or self.unknown.get(op_type)
        if spec is None:
            if op_type in declared_ops():
                return op_spec(op_type)
            spec = self.unknown[op_type] = UnknownOpSpec(op_type)
        return spec

    def declare(self, definitions: Iterable[Any]) -> None:
        """Declares calls by name for library functions, given their FunctionDefs."""
        for definition in definitions:
            name = definition.signature.name
            skip_number_of(name)
            if name not in self.specs and _core.op_def(name) is None:
                self.specs[name] = FunctionSpec(definition.signature)

    def define(self, graph: BaseGraph, name: str, function: Any) -> None:
        """Adds a function, which has a `definition` (FunctionDef) and a `graph`, and the functions of that graph.
        Raises ValueError if there are different functions with their names."""
        definition = function.definition
        library = protos.FunctionDefLibrary(function=[definition])
        try:
            _core.copy_functions(self._core, function.graph._core)
            _core.add_functions(self._core, library.SerializeToString())
        except errors_impl.InvalidArgumentError as e:
            raise ValueError(e.message) from None
        self[name] = function
        self.declare([definition])
        for inner, known in function.graph._functions.items():
            self.setdefault(inner, known)
        self.specs.update(function.graph._functions.specs)
        for key, derivation in function.graph._functions.derivations.items():  # their definitions were copied, too
            self.derivations.setdefault(key, derivation)
        graph._graph_def_versions = graph._graph_def_versions.with_functions()
        _derive_within(graph, definition)

    def take(self, graph: BaseGraph, name: str) -> None:
        """Copies a function of another graph's library into this one, for gradients of its calls. Raises ValueError if
        this library has a different function with that name."""
        if graph._functions is self:
            return
        function = name.removesuffix(GRADIENT_OF)
        known = graph._functions.find(function)
        if known is not None:
            self.setdefault(function, known)
        if _core.function_def(self._core, function) is None:
            try:
                _core.copy_functions(self._core, graph._core)
            except errors_impl.InvalidArgumentError as e:
                raise ValueError(e.message) from None
        self.specs.update({key: spec for key, spec in graph._functions.specs.items() if key not in self.specs})
        for reachable in graph._functions._reachable():
            for key, derivation in reachable.derivations.items():
                self.derivations.setdefault(key, derivation)

    def take_all(self, graph: BaseGraph) -> None:
        """Copies all functions of another graph's library into this one; see `take`."""
        for name in graph._functions:
            self.take(graph, name)

    def derivation(self, graph: BaseGraph, name: str, attrs: dict[str, bytes]) -> Any:
        """The derived gradient of a function in the library of `graph`, to which this object belongs; derives it at
        first use. None if the function has a given gradient, or its gradient is being derived now."""
        key = derivation_key(name, attrs)
        given = getattr(self.find(name), "grad_func_name", None)
        found = self.find_derivation(key)
        if found is None and given is None:
            _derive(graph, name, attrs)
            found = self.derivations.get(key)
        return found

    def derived(self, op: BaseOperation) -> None:
        """Adds the gradient function that a new operation calls to the library."""
        found = _core.func_attr(self._core, op._id, "f")
        assert found is not None
        name, attrs = found
        if not _core.has_gradient(self._core, name, attrs):
            _derive(op.graph, name, attrs)

    def imported(self, graph: BaseGraph, ops: list[BaseOperation], definitions: Iterable[Any]) -> None:
        """Adds the gradient functions that imported operations and functions call to the library."""
        for definition in definitions:
            _derive_within(graph, definition)
        for op in ops:
            if op._spec.derives:
                self.derived(op)
