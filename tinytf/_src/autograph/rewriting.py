"""Rewrites the syntax tree of one function: first jumps, then expressions, then control flow."""

from __future__ import annotations

import ast

from tinytf._src.autograph.control_flow import ControlFlow
from tinytf._src.autograph.expressions import Expressions
from tinytf._src.autograph.features import Options
from tinytf._src.autograph.jumps import Jumps
from tinytf._src.autograph.liveness import facts_of
from tinytf._src.autograph.names import first_parameter, local_names, names_of, parameters
from tinytf._src.autograph.nodes import at, is_own, load, store
from tinytf._src.autograph.unsupported import Unsupported, check_supported


def rewrite(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, options: Options, free: set[str], class_name: str | None
) -> None:
    """Rewrites a function in place.

    `free` are the variables of enclosing functions that it may use, `class_name` is the name of the innermost enclosing
    class or None. Raises Unsupported if the function cannot be rewritten.
    """
    check_supported(node)
    assert not isinstance(node, ast.AsyncFunctionDef)
    names = local_names(node)
    first = first_parameter(node) if "__class__" in free else None
    expressions = Expressions(options, names, free - names - {"__class__"}, first)
    if isinstance(node, ast.Lambda):
        node.body = expressions.visit(node.body)
        return
    documentation = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
    body = node.body[len(documentation) :] or [at(ast.Pass(), node.body[0])]
    outer = names_of(body)
    jumps = Jumps()
    body = jumps.lower(body)
    facts = facts_of(body, jumps.exits)
    body = [expressions.visit(statement) for statement in body]

    def inner(function: ast.FunctionDef) -> None:
        """Rewrites a nested function. One with decorators is left: the decorated callable is converted when it is
        called."""
        if function.decorator_list:
            return
        try:
            rewrite(function, options, free | names, class_name)
        except Unsupported:
            pass  # a warning follows when the function is called

    flow = ControlFlow(facts, jumps.exits, outer.globals, class_name, inner)
    body = flow.block(body)
    own = {name for name in flow.shared if name in names or is_own(name)} - parameters(node.args) - outer.outer
    declarations: list[ast.stmt] = [at(_declaration(name), node) for name in sorted(own - names_of(body).writes)]
    if outer.globals:
        declarations.append(at(ast.Global(sorted(outer.globals)), node))
    if outer.outer - outer.globals:
        declarations.append(at(ast.Nonlocal(sorted(outer.outer - outer.globals)), node))
    node.body = [*documentation, *declarations, *(body or [at(ast.Pass(), node)])]


def _declaration(name: str) -> ast.AnnAssign:
    """`name: name`, which makes the name a local variable of the function without any effect at run time."""
    return ast.AnnAssign(store(name), load(name), None, 1)
