"""The names that a part of a function reads and writes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Names:
    """Names of one scope. Names that inner functions use count as read at their definition, and as `captured`."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)  # declared `global` or `nonlocal`
    globals: set[str] = field(default_factory=set)
    inner_writes: set[str] = field(default_factory=set)  # written by inner functions through `nonlocal`
    places: dict[str, ast.expr] = field(default_factory=dict)  # assigned attributes and items by their source text
    calls: bool = False

    def add(self, other: Names) -> None:
        """Merges the names of another part of the scope."""
        for name in ("reads", "writes", "captured", "outer", "globals", "inner_writes"):
            getattr(self, name).update(getattr(other, name))
        self.places.update(other.places)
        self.calls = self.calls or other.calls


def names_of(nodes: ast.AST | Iterable[ast.AST]) -> Names:
    """Returns the names in parts of a function."""
    names = Names()
    for node in [nodes] if isinstance(nodes, ast.AST) else nodes:
        _visit(node, names)
    return names


def parameters(args: ast.arguments) -> set[str]:
    """Returns the names of a function's parameters."""
    rest = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *rest)}


def first_parameter(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str | None:
    """Returns the first positional parameter, `self` in a method, or None."""
    positional = [*function.args.posonlyargs, *function.args.args]
    return positional[0].arg if positional else None


def local_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """Returns the local variables of a function, including its parameters."""
    body = names_of(_body(function))
    return (body.writes | parameters(function.args)) - body.outer


def _body(function: ast.AST) -> list[ast.AST]:
    body = function.body  # type: ignore[attr-defined]
    return body if isinstance(body, list) else [body]


def _visit(node: ast.AST, names: Names) -> None:
    if isinstance(node, _FUNCTIONS):
        _visit_function(node, names)
    elif isinstance(node, ast.ClassDef):
        _visit_class(node, names)
    elif isinstance(node, _COMPREHENSIONS):
        _visit_comprehension(node, names)
    else:
        _note(node, names)
        for child in ast.iter_child_nodes(node):
            _visit(child, names)


def _note(node: ast.AST, names: Names) -> None:
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Store):  # a deleted name must have a value, so it is read, too
            names.reads.add(node.id)
        if not isinstance(node.ctx, ast.Load):
            names.writes.add(node.id)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        names.reads.add(node.target.id)
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        if not isinstance(node.ctx, ast.Load) and _is_place(node):
            names.places.setdefault(ast.unparse(node), node)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        names.writes.add(node.name)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        names.writes.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        names.writes.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        names.writes.add(node.rest)
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        names.outer.update(node.names)
        if isinstance(node, ast.Global):
            names.globals.update(node.names)
    elif isinstance(node, ast.Call):
        names.calls = True


def _is_place(node: ast.expr) -> bool:
    """Whether a node is an attribute, or an item with a constant or variable key, in a chain that starts at a name."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, (ast.Constant, ast.Name)) and _is_place(node.value)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_place(node.value))


def _visit_function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: Names) -> None:
    if not isinstance(node, ast.Lambda):
        names.writes.add(node.name)
        annotations = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
        for part in (*node.decorator_list, node.returns, *annotations):
            if part is not None:
                _visit(part, names)
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            _visit(default, names)
    inner = names_of(_body(node))
    own = (inner.writes | parameters(node.args)) - inner.outer
    free = (inner.reads | inner.captured | inner.outer) - own - inner.globals
    names.reads |= free
    names.captured |= free
    names.inner_writes |= (inner.outer - inner.globals) | (inner.inner_writes - own)


def _visit_class(node: ast.ClassDef, names: Names) -> None:
    names.writes.add(node.name)
    for part in (*node.decorator_list, *node.bases, *node.keywords):
        _visit(part, names)
    inner = names_of(node.body)
    names.reads |= inner.reads
    names.captured |= inner.captured
    names.inner_writes |= inner.inner_writes | (inner.outer - inner.globals)


def _visit_comprehension(node: ast.AST, names: Names) -> None:
    """Loop variables belong to the comprehension; targets of `:=` belong to the enclosing function."""
    inner = Names()
    targets = Names()
    for generator in node.generators:  # type: ignore[attr-defined]
        _visit(generator.target, targets)
        for part in (generator.iter, *generator.ifs):
            _visit(part, inner)
    for part in ("elt", "key", "value"):
        if hasattr(node, part):
            _visit(getattr(node, part), inner)
    names.reads |= (inner.reads | targets.reads) - targets.writes
    names.writes |= inner.writes
    names.captured |= inner.captured - targets.writes
    names.inner_writes |= inner.inner_writes
    names.calls = names.calls or inner.calls
    if isinstance(node, ast.GeneratorExp):  # it may run later
        names.captured |= inner.reads - targets.writes
