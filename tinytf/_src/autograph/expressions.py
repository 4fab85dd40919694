"""Replaces expressions that depend on truth values, and calls, by calls of operators.

Operands that may not be evaluated become lambdas. Expressions with `:=` are left, because a lambda would change the
scope of the assignment.
"""

from __future__ import annotations

import ast
from typing import Any

from tinytf._src.autograph.features import Feature, Options
from tinytf._src.autograph.names import first_parameter, local_names, names_of
from tinytf._src.autograph.nodes import OPERATORS, at, constant, later, load, operator, store, variables
from tinytf._src.autograph.unsupported import own_nodes

_COMPARISONS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_SHOWS_NAMES, _RUNS_TEXT = ("locals", "vars", "dir"), ("eval", "exec")  # they inspect the frame of the caller


class Expressions(ast.NodeTransformer):
    """Rewrites the expressions in a function's statements in place, except in nested functions and classes.

    `names` are the local variables, `free` the used variables of enclosing functions. `first` is the first parameter,
    which `super()` needs, or None outside classes.
    """

    def __init__(self, options: Options, names: set[str], free: set[str], first: str | None) -> None:
        self._options = options
        self._names = names
        self._free = free
        self._first = first

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        node.args = self.visit(node.args)
        if not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(node.body)):
            free = (self._names | self._free) & names_of(node.body).reads
            first = first_parameter(node) if self._first else None
            node.body = Expressions(self._options, local_names(node), free, first).visit(node.body)
        return node

    def visit_match_case(self, node: Any) -> ast.AST:
        """Skips the pattern, which is not an expression."""
        node.guard = node.guard and self.visit(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.value.id == OPERATORS:
                return self.generic_visit(node)
        name = function.id if isinstance(function, ast.Name) and function.id not in self._names else ""
        self.generic_visit(node)
        if name == "super" and not node.args:
            if self._first:
                node.args = [at(load("__class__"), node), at(load(self._first), node)]
            return node
        visible = variables(sorted(self._names | self._free))
        if name in _SHOWS_NAMES and not node.args and not node.keywords:
            return at(operator("names_in", node.func, visible), node)
        if name in _RUNS_TEXT and len(node.args) == 1 and not node.keywords:
            scope = ast.Starred(operator("scope_for", node.func, visible), ast.Load())
            node.args.append(at(scope, node))
            return node
        node.func = at(operator("converted", node.func), node.func)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if any(map(_assigns, node.values[1:])):
            return node
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return at(operator(name, node.values[0], *map(later, node.values[1:])), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return at(operator("not_", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        text = constant(ast.unparse(node))
        self.generic_visit(node)
        if _assigns(node.body) or _assigns(node.orelse):
            return node
        return at(operator("if_exp", node.test, later(node.body), later(node.orelse), text), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return self._comparison(node)
        if any(map(_assigns, node.comparators[1:])):
            return node
        chain: list[ast.expr] = [node.left]
        for kind, right in zip(node.ops, node.comparators, strict=True):
            chain += [constant(_COMPARISONS[type(kind)]), later(right) if len(chain) > 1 else right]
        return at(operator("chain", *chain), node)

    def _comparison(self, node: ast.Compare) -> ast.AST:
        if not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            return node
        return at(operator("eq" if isinstance(node.ops[0], ast.Eq) else "not_eq", node.left, *node.comparators), node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        if _assigns(node.test) or (node.msg is not None and _assigns(node.msg)):
            return node
        message = [later(node.msg)] if node.msg is not None else []
        node.test = at(operator("checked", node.test, *message), node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """With the feature `LISTS`, replaces an item assignment by an assignment of a new tensor to the variable."""
        self.generic_visit(node)
        target = node.targets[0]
        if not self._options.uses(Feature.LISTS) or len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        owner = target.value
        if isinstance(target.slice, ast.Slice) or not isinstance(owner, ast.Name) or owner.id not in self._names:
            return node
        value = operator("set_item", node.value, load(owner.id), target.slice)
        return at(ast.Assign([store(owner.id)], value), node)


def _assigns(node: ast.AST) -> bool:
    """Whether an expression contains `:=` in its own scope."""
    return any(isinstance(part, ast.NamedExpr) for part in own_nodes(node))
