"""Lowers jumps to flags: `return`, `break` and `continue` become assignments, and the code they skip is guarded by an
`if`.

Only a `return` that is the last statement of a function is kept. If one branch of an `if` always jumps, the following
statements move to the other branch instead of being guarded.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tinytf._src.autograph.nodes import assign, at, constant, is_own, load, operator, variables
from tinytf._src.autograph.unsupported import own_nodes

RETURNED = "ag__returned"  # flag: whether the function has returned
VALUE = "ag__value"  # return value of a function that may also end without `return`
RESULT = "ag__result"  # return value of a function that always ends with `return`


@dataclass
class _Block:
    """Lowered statements, the flags that they may set, and whether they always set one."""

    statements: list[ast.stmt] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    always: bool = False

    def add_flags(self, flags: Sequence[str]) -> None:
        self.flags += [flag for flag in flags if flag not in self.flags]


class Jumps:
    """Lowers the jumps in one function body. `exits` maps each loop to the flags that end it."""

    def __init__(self) -> None:
        self.exits: dict[ast.stmt, list[str]] = {}
        self._count = 0
        self._loop: tuple[str, str] | None = None  # the `break` and `continue` flags of the innermost loop

    def lower(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Returns the lowered body; modifies its statements in place."""
        last = body[-1] if isinstance(body[-1], ast.Return) else None
        has_returns = any(isinstance(n, ast.Return) and n is not last for s in body for n in own_nodes(s))
        if not has_returns:
            block = self._block(body[:-1] if last else body)
            return _without_unread(block.statements, self.exits) + ([last] if last else [])
        block = self._block(body)
        if block.always:
            value: ast.expr = load(RESULT)
            for name in [
                n for s in block.statements for n in own_nodes(s) if isinstance(n, ast.Name) and n.id == VALUE
            ]:
                name.id = RESULT
        else:
            value = operator("returned", variables([VALUE]))
        end = at(ast.Return(value), body[-1])
        start = at(assign(RETURNED, constant(False)), body[0])
        return _without_unread([start, *block.statements], self.exits) + [end]

    def _block(self, body: list[ast.stmt]) -> _Block:
        result = _Block()
        rest = list(body)
        while rest:
            statement = rest.pop(0)
            if isinstance(statement, ast.If) and rest:
                if _always_jumps(statement.body):
                    statement.orelse, rest = statement.orelse + rest, []
                elif _always_jumps(statement.orelse):
                    statement.body, rest = statement.body + rest, []
            done = self._statement(statement)
            result.statements += done.statements
            result.add_flags(done.flags)
            if done.always:
                result.always = True
                return result
            if done.flags and rest:
                after = self._block(rest)
                result.statements.append(_guard(done.flags, after.statements, rest[0]))
                result.add_flags(after.flags)
                result.always = after.always
                return result
        return result

    def _statement(self, node: ast.stmt) -> _Block:
        if isinstance(node, ast.Return):
            value = node.value or constant(None)
            returned = [assign(VALUE, value), assign(RETURNED, constant(True))]
            return _Block([at(part, node) for part in returned], [RETURNED], True)
        if isinstance(node, (ast.Break, ast.Continue)):
            assert self._loop is not None
            flag = self._loop[isinstance(node, ast.Continue)]
            return _Block([at(assign(flag, constant(True)), node)], [flag], True)
        if isinstance(node, ast.If):
            body, orelse = self._block(node.body), self._block(node.orelse)
            node.body, node.orelse = body.statements, orelse.statements
            body.add_flags(orelse.flags)
            return _Block([node], body.flags, body.always and orelse.always)
        if isinstance(node, (ast.For, ast.While)):
            return self._loop_statement(node)
        result = _Block([node])
        if isinstance(node, (ast.With, ast.AsyncWith)):  # it may suppress an exception, so code after it may run
            self._inner(node, "body", result)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            self._try_statement(node, result)  # type: ignore[arg-type]
        elif isinstance(node, ast.Match):
            for case in node.cases:
                self._inner(case, "body", result)
        return result

    def _inner(self, node: ast.AST, name: str, result: _Block) -> list[str]:
        """Lowers one block of a statement in place; returns the flags that the block may set."""
        block = self._block(getattr(node, name))
        setattr(node, name, block.statements)
        result.add_flags(block.flags)
        return block.flags

    def _try_statement(self, node: ast.Try, result: _Block) -> None:
        flags = self._inner(node, "body", result)
        for handler in node.handlers:
            self._inner(handler, "body", result)
        self._inner(node, "orelse", result)
        if flags and node.orelse:
            node.orelse = [_guard(flags, node.orelse, node.orelse[0])]
        self._inner(node, "finalbody", result)

    def _loop_statement(self, node: ast.For | ast.While) -> _Block:
        self._count += 1
        outer, self._loop = self._loop, (f"ag__break_{self._count}", f"ag__continue_{self._count}")
        (stop, skip), body = self._loop, self._block(node.body)
        self._loop = outer
        node.body = body.statements
        result = _Block([node])
        if skip in body.flags:
            node.body.insert(0, at(assign(skip, constant(False)), node.body[0]))
        if stop in body.flags:
            result.statements.insert(0, at(assign(stop, constant(False)), node))
        self.exits[node] = [flag for flag in (stop, RETURNED) if flag in body.flags]
        result.add_flags([RETURNED] if RETURNED in body.flags else [])
        if node.orelse:
            orelse = self._block(node.orelse)
            exits = self.exits[node]
            result.statements += [_guard(exits, orelse.statements, node.orelse[0])] if exits else orelse.statements
            result.add_flags(orelse.flags)
            node.orelse = []
        return result


def _guard(flags: Sequence[str], body: list[ast.stmt], place: ast.stmt) -> ast.If:
    """Returns an `if` that runs the statements unless one of the flags is set."""
    return at(ast.If(operator("none_of", *map(load, flags)), body, []), place)


def _always_jumps(body: Sequence[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
            return True
        if isinstance(statement, ast.If) and _always_jumps(statement.body) and _always_jumps(statement.orelse):
            return True
    return False


def _without_unread(body: list[ast.stmt], exits: dict[ast.stmt, list[str]]) -> list[ast.stmt]:
    """Removes assignments to generated flags that are never read."""
    asked = {flag for flags in exits.values() for flag in flags} | {VALUE, RESULT}
    asked |= {n.id for s in body for n in own_nodes(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return _Dropped(asked).kept(body)


class _Dropped(ast.NodeTransformer):
    def __init__(self, asked: set[str]) -> None:
        self._asked = asked

    def kept(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [statement for statement in map(self.visit, body) if statement is not None]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            return node
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and not body:
            node.body = [at(ast.Pass(), node)]  # type: ignore[attr-defined]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = node.targets[0]
        unread = isinstance(target, ast.Name) and is_own(target.id) and target.id not in self._asked
        return None if unread else node
