"""Replaces `if`, `while` and `for` by calls of operators that take the branches and loop bodies as nested functions.

These functions share the variables of the enclosing function through `nonlocal`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.autograph.liveness import Facts
from tinytf._src.autograph.names import names_of
from tinytf._src.autograph.nodes import at, constant, function, later, load, operator, statement, texts, variables
from tinytf._src.autograph.syntax import parsed

_DIRECTIVE = "set_loop_options"
_MADE = ("ag__if_body_", "ag__else_body_", "ag__test_", "ag__loop_body_")  # prefixes of generated function names


class ControlFlow:
    """Rewrites the statements of one function.

    Args:
      facts: liveness facts of each branch and loop.
      exits: the flags that end each loop.
      globals: the names that the function declares `global`.
      class_name: name of the enclosing class, or None.
      inner: callable that rewrites a nested function.
    """

    def __init__(
        self,
        facts: dict[ast.stmt, Facts],
        exits: dict[ast.stmt, list[str]],
        globals: set[str],
        class_name: str | None,
        inner: Callable[[ast.FunctionDef], None],
    ) -> None:
        self.shared: set[str] = set()  # variables that generated functions assign
        self._facts = facts
        self._exits = exits
        self._globals = globals
        self._class_name = class_name
        self._inner = inner
        self._count = 0

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Returns the rewritten statements."""
        return [made for node in body for made in self._statement(node)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While):
            return self._while(node)
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return []  # declared once at the start of the function instead
        if isinstance(node, ast.FunctionDef):
            self._inner(node)
        elif not isinstance(node, (ast.AsyncFunctionDef, ast.ClassDef)):
            for name in ("body", "orelse", "finalbody"):
                if hasattr(node, name):
                    setattr(node, name, self.block(getattr(node, name)))
            for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
                part.body = self.block(part.body)
        return [node]

    def _if(self, node: ast.If) -> list[ast.stmt]:
        facts = self._facts[node]
        body, orelse = self._new_name("if_body"), self._new_name("else_body")
        made: list[ast.stmt] = [self._part(body, node.body, node)]
        if node.orelse:
            made.append(self._part(orelse, node.orelse, node))
        needed = facts.written & facts.after
        other = load(orelse) if node.orelse else constant(None)
        call = operator("if_stmt", node.test, load(body), other, *self._state(facts, needed))
        return [*(at(part, node) for part in made), at(statement(call), node.test)]

    def _while(self, node: ast.While) -> list[ast.stmt]:
        facts = self._facts[node]
        options = _directive(node.body)
        test, body = self._new_name("test"), self._new_name("loop_body")
        made = [
            self._part(test, [at(ast.Return(node.test), node.test)], node),
            self._part(body, node.body, node),
        ]
        end = self._end(node)
        call = operator(
            "while_stmt", load(test), load(body), *self._state(facts, facts.written & facts.start), end, options
        )
        return [*(at(part, node) for part in made), at(statement(call), node.test)]

    def _for(self, node: ast.For) -> list[ast.stmt]:
        facts = self._facts[node]
        options = _directive(node.body)
        body, item = self._new_name("loop_body"), "ag__item"
        target = at(ast.Assign([node.target], load(item)), node.target)
        made = self._part(body, [target, *node.body], node, item)
        call = operator(
            "for_stmt",
            node.iter,
            load(body),
            *self._state(facts, facts.written & facts.start),
            self._end(node),
            options,
        )
        return [at(made, node), at(statement(call), node.iter)]

    def _part(self, name: str, body: list[ast.stmt], place: ast.stmt, parameter: str | None = None) -> ast.FunctionDef:
        """Returns a function made of statements of the enclosing function; it declares the variables that
        they assign."""
        body = self.block(body)
        names = names_of(body)
        assigned = {n for n in names.writes | names.inner_writes if not n.startswith(_MADE)}
        declarations: list[ast.stmt] = []
        if assigned & self._globals:
            declarations.append(ast.Global(sorted(assigned & self._globals)))
        if assigned - self._globals:
            declarations.append(ast.Nonlocal(sorted(assigned - self._globals)))
        self.shared |= assigned - self._globals
        return at(function(name, [*declarations, *body], parameter), place)

    def _state(self, facts: Facts, needed: set[str]) -> list[ast.expr]:
        """Returns the operator arguments that describe variables: accessors of the written ones, and the names of the
        live ones."""
        local = sorted(facts.written - self._globals)
        places = [self._place(text, place) for text, place in sorted(facts.places.items())]
        for name in sorted(facts.written & self._globals):
            everything = later(ast.Call(load("globals"), [], []))
            places.append(operator("item", constant(name), everything, later(constant(self._mangled(name)))))
        names = [
            texts(map(self._mangled, sorted(some))) for some in (needed, facts.written & facts.after_error - needed)
        ]
        return [variables(local), *names, ast.Tuple(places, ast.Load())]

    def _place(self, text: str, node: ast.expr) -> ast.expr:
        """Returns an operator call that accesses an attribute or an item, `text` in the source."""
        if isinstance(node, ast.Attribute):
            return operator("attribute", constant(text), later(_read(node.value)), constant(self._mangled(node.attr)))
        assert isinstance(node, ast.Subscript)
        return operator("item", constant(text), later(_read(node.value)), later(_read(node.slice)))

    def _mangled(self, name: str) -> str:
        """Returns the name after Python's mangling of private names in a class."""
        owner = (self._class_name or "").lstrip("_")
        private = owner and name.startswith("__") and not name.endswith("__")
        return f"_{owner}{name}" if private else name

    def _end(self, node: ast.stmt) -> ast.expr:
        """Returns a lambda that yields the flags that end a loop, or None if there are none."""
        flags = self._exits[node]
        return later(ast.Tuple([load(flag) for flag in flags], ast.Load())) if flags else constant(None)

    def _new_name(self, kind: str) -> str:
        self._count += 1
        return f"ag__{kind}_{self._count}"


def _read(node: ast.expr) -> ast.expr:
    """Returns a copy of the expression in a read context."""
    return parsed(ast.unparse(node), mode="eval").body


def _directive(body: list[ast.stmt]) -> ast.expr:
    """Returns a lambda that yields the options that a loop body sets with `set_loop_options`, or None without such a
    call."""
    calls: list[Any] = [s.value for s in body if isinstance(s, ast.Expr) and _is_directive(s.value)]
    if not calls:
        return constant(None)
    given = later(ast.Call(load("ag__given"), *copy.deepcopy((calls[0].args, calls[0].keywords))))
    given.args.args.append(ast.arg("ag__given"))
    return later(operator("loop_options", copy.deepcopy(_called(calls[0])), given))


def _is_directive(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = _called(node)
    return getattr(name, "attr", getattr(name, "id", None)) == _DIRECTIVE


def _called(node: ast.Call) -> ast.expr:
    """Returns the function of a call that may have been rewritten to `ag__.converted(function)(…)`."""
    made = node.func
    return made.args[0] if isinstance(made, ast.Call) and made.args else made
