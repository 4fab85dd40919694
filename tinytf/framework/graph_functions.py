"""`GraphFunctions`: the functions of a graph, by their names in its library, and what operations that call them are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tinytf import _core, protos
from tinytf.framework import errors_impl
from tinytf.framework.function_spec import FunctionSpec
from tinytf.framework.op_spec import OpSpec, declared_ops, op_spec
from tinytf.framework.unknown_ops import UnknownOpSpec

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph
    from tinytf.framework.operation import Operation

GRADIENT_OF = ";gradient"  # what the engine adds to the name of a function for that of its gradient

_derive: Callable[[Any, str, dict[str, bytes]], None]
_derive_within: Callable[[Any, Any], None]


def derive_by(derive: Callable[[Any, str, dict[str, bytes]], None], within: Callable[[Any, Any], None]) -> None:
    """`derive(graph, name, attrs)` finds the gradient of a function of a graph; `within(graph, definition)` those that the
    nodes of a FunctionDef ask for. They are told here, as gradients stand above graphs."""
    global _derive, _derive_within
    _derive, _derive_within = derive, within


def derivation_key(name: str, attrs: dict[str, bytes]) -> Any:
    """By what `GraphFunctions.derivations` has the gradient of a function that is called with these attrs."""
    return (name, *sorted(attrs.items()))


def name_attr_list(op: Operation, name: str) -> Any:
    """The function that an attr of an operation names, as a `NameAttrList`."""
    found = _core.func_attr(op.graph._core, op._id, name)
    assert found is not None
    function, attrs = found
    message = protos.NameAttrList(name=function)
    for attr, value in attrs.items():
        message.attr[attr].MergeFromString(value)
    return message


class GraphFunctions(dict[str, Any]):
    """The functions of Python's that a graph calls, by their names in its library; and what is called by its name there."""

    def __init__(self, core: Any) -> None:
        super().__init__()
        self._core = core
        self.specs: dict[str, OpSpec] = {}  # of functions that were defined, by name
        # Of ops of imported operations that are not declared: what their producer's `OpDef` is, if it gave one.
        self.unknown: dict[str, UnknownOpSpec] = {}
        self.producers_ops: dict[str, Any] = {}
        # By name and attrs: gradients that were derived, and the functions for whose gradients the graph is being extended.
        self.derivations: dict[Any, Any] = {}
        self.deriving: frozenset[Any] = frozenset()
        # What was made of definitions, by name: parts of branches and loops, and what calls in those call.
        self.parts: dict[str, Any] = {}
        self.called: dict[str, Any] = {}
        self.traces: dict[Any, Any] = {}  # of functions that use tensors of the graph

    def find(self, name: str) -> Any:
        """The function of that name; None if there is none. Functions grow on in their graphs, so that those may call what
        this graph has not been told of: it then becomes one of this graph's, too."""
        for known in self._reachable():
            if name in known:
                return self.setdefault(name, known[name])
        return None

    def find_derivation(self, key: Any) -> Any:
        """What the gradient of a function was derived as, by its `derivation_key`; None if it was not. Found as `find` does."""
        for known in self._reachable():
            if key in known.derivations:
                return self.derivations.setdefault(key, known.derivations[key])
        return None

    def _reachable(self) -> Iterator[GraphFunctions]:
        """This, and the same of the graphs of functions and of derived gradients, each once."""
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
        """The declaration of an op, or of what calls the function of that name. NotFoundError if there is neither."""
        spec = self.specs.get(op_type)
        if spec is None:
            _core.check_registered(op_type)
            spec = op_spec(op_type)
        return spec

    def spec_of_node(self, op_type: str) -> OpSpec:
        """The same for an operation that the engine has made, whose op need not be declared."""
        spec = self.specs.get(op_type) or self.unknown.get(op_type)
        if spec is None:
            if op_type in declared_ops():
                return op_spec(op_type)
            spec = self.unknown[op_type] = UnknownOpSpec(op_type)
        return spec

    def declare(self, definitions: Iterable[Any]) -> None:
        """Operations may be calls of functions of the library by name: their FunctionDefs."""
        for definition in definitions:
            name = definition.signature.name
            if name not in self.specs and _core.op_def(name) is None:
                self.specs[name] = FunctionSpec(definition.signature)

    def define(self, graph: Graph, name: str, function: Any) -> None:
        """Adds a function that has a `definition`, a FunctionDef, and a `graph`, with those that this graph has. ValueError if
        there are others of their names."""
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
        for key, derivation in function.graph._functions.derivations.items():  # which have come with them
            self.derivations.setdefault(key, derivation)
        graph._graph_def_versions = graph._graph_def_versions.with_functions()
        _derive_within(graph, definition)

    def take(self, graph: Graph, name: str) -> None:
        """Has the library of this graph have a function of another one's, for gradients of its calls there. ValueError if it has
        another function of that name."""
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

    def derivation(self, graph: Graph, name: str, attrs: dict[str, bytes]) -> Any:
        """What the gradient of a function of the library of `graph`, whose functions these are, was derived as, which is done
        now if it was not. None if it has none that is derived, or is being derived."""
        key = derivation_key(name, attrs)
        given = getattr(self.find(name), "grad_func_name", None)
        found = self.find_derivation(key)
        if found is None and given is None:
            _derive(graph, name, attrs)
            found = self.derivations.get(key)
        return found

    def derived(self, op: Operation) -> None:
        """Has the library have the gradient that a new operation yields."""
        found = _core.func_attr(self._core, op._id, "f")
        assert found is not None
        name, attrs = found
        if not _core.has_gradient(self._core, name, attrs):
            _derive(op.graph, name, attrs)

    def imported(self, graph: Graph, ops: list[Operation], definitions: Iterable[Any]) -> None:
        """Has the library have the gradients that operations and functions of a GraphDef yield."""
        for definition in definitions:
            _derive_within(graph, definition)
        for op in ops:
            if op._spec.derives:
                self.derived(op)
