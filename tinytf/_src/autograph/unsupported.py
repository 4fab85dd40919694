"""Detects functions that cannot be converted."""

from __future__ import annotations

import ast


class Unsupported(NotImplementedError):
    """Raised if a function cannot be converted; the text is the reason."""


def check_supported(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
    """Raises Unsupported for coroutines, generators and jumps out of `finally`, which discard a pending exception."""
    if isinstance(function, ast.AsyncFunctionDef):
        raise Unsupported("Coroutines are not supported by AutoGraph")
    body = function.body if isinstance(function, ast.FunctionDef) else [function.body]
    for node in [n for part in body for n in own_nodes(part)]:
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            raise Unsupported("Generators are not supported by AutoGraph")
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            if any(_jumps(part, in_loop=False) for part in node.finalbody):  # type: ignore[attr-defined]
                raise Unsupported("return, break and continue in a finally block are not supported by AutoGraph")


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Returns a node and its descendants, without the contents of functions, classes and lambdas."""
    found = [node]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            found += own_nodes(child)
    return found


def _jumps(node: ast.AST, in_loop: bool) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return False
    if isinstance(node, (ast.Break, ast.Continue)):
        return not in_loop
    if isinstance(node, ast.Return):
        return True
    in_loop = in_loop or isinstance(node, (ast.For, ast.While))
    return any(_jumps(child, in_loop) for child in ast.iter_child_nodes(node))
