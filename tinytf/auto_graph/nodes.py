"""Syntax trees that the rewrite puts in, at the places of what they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

OPERATORS = "ag__"  # the name by which rewritten code finds the operators; names of its own begin so

_Node = TypeVar("_Node", bound=ast.AST)


def at(node: _Node, place: ast.AST) -> _Node:
    """The node, with what has no place yet in it at that of `place`, of a statement at its beginning."""
    line, column = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
    end_line, end_column = getattr(place, "end_lineno", line), getattr(place, "end_col_offset", column)
    if isinstance(place, ast.stmt):
        end_line, end_column = line, column + 1
    waiting: list[ast.AST] = [node]
    while waiting:
        inner = waiting.pop()
        if hasattr(inner, "lineno"):
            continue  # so has what is in it
        if "lineno" in inner._attributes:
            inner.lineno, inner.col_offset = line, column  # type: ignore[attr-defined]
            inner.end_lineno, inner.end_col_offset = end_line, end_column  # type: ignore[attr-defined]
        waiting += ast.iter_child_nodes(inner)
    return node


def is_own(name: str) -> bool:
    """Whether the rewrite made up a name."""
    return name.startswith(OPERATORS)


def load(name: str) -> ast.Name:
    """A variable that is read."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """A variable that is assigned."""
    return ast.Name(name, ast.Store())


def constant(value: Any) -> ast.Constant:
    """A literal."""
    return ast.Constant(value)


def texts(values: Iterable[str]) -> ast.expr:
    """A tuple of literals."""
    return ast.Tuple([constant(value) for value in values], ast.Load())


def operator(name: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    """A call of one of the operators."""
    function = ast.Attribute(load(OPERATORS), name, ast.Load())
    return ast.Call(function, list(args), [ast.keyword(key, value) for key, value in keywords.items()])


def assign(name: str, value: ast.expr) -> ast.Assign:
    """`name = value`."""
    return ast.Assign([store(name)], value)


def statement(value: ast.expr) -> ast.Expr:
    """An expression as a statement."""
    return ast.Expr(value)


def no_arguments() -> ast.arguments:
    """The parameters of a function that has none."""
    return ast.arguments([], [], None, [], [], None, [])


def later(value: ast.expr) -> ast.Lambda:
    """`lambda: value`."""
    return ast.Lambda(no_arguments(), value)


def variables(names: Iterable[str]) -> ast.Lambda:
    """`lambda: (names…)`, by whose closure the operators reach the variables."""
    return later(ast.Tuple([load(name) for name in names], ast.Load()))


def function(name: str, body: Sequence[ast.stmt], parameter: str | None = None) -> ast.FunctionDef:
    """A function of one parameter at most."""
    args = no_arguments()
    if parameter is not None:
        args.args.append(ast.arg(parameter))
    node = ast.FunctionDef(name, args, list(body) or [ast.Pass()], [])
    if "type_params" in node._fields:
        node.type_params = []  # type: ignore[attr-defined]
    return node
