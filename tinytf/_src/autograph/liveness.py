"""Liveness analysis: the variables that are live after each branch and loop, and the names that each writes.

The body must have no jumps (see `jumps`). A caught exception may occur anywhere in its `try`, so a variable that is
live only along exception edges is needed only if it has a value.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tinytf._src.autograph.names import Names, names_of

_Set = frozenset[str]
_NONE: _Set = frozenset()


@dataclass
class Facts:
    """Analysis results of one `if` or loop."""

    written: set[str]  # names that it writes
    places: dict[str, ast.expr]  # attributes and items that it writes, unless it also rebinds a name in them
    after: _Set  # variables that are live after it
    start: _Set = field(default=_NONE)  # for a loop: variables that are live at the start of an iteration
    after_error: _Set = field(default=_NONE)  # variables that are live, in addition, only along exception edges


def facts_of(body: list[ast.stmt], exits: dict[ast.stmt, list[str]]) -> dict[ast.stmt, Facts]:
    """Returns the facts of all branches and loops of a function body. `exits` are the flags that end each loop."""
    found = _Liveness(body, exits, errors=False).facts
    if any(_is_try(node) for statement in body for node in ast.walk(statement)):
        for node, facts in _Liveness(body, exits, errors=True).facts.items():
            found[node].after_error = (facts.after - found[node].after) | (facts.start - found[node].start)
    return found


class _Liveness:
    """Backward liveness analysis, with or without the edges from a `try` body to its handlers."""

    def __init__(self, body: list[ast.stmt], exits: dict[ast.stmt, list[str]], errors: bool) -> None:
        self._errors = errors
        self.facts: dict[ast.stmt, Facts] = {}
        self._exits = exits
        self._known: dict[ast.AST, Names] = {}
        whole = names_of(body)
        self._always = frozenset(whole.outer)  # other code may read them at any time
        self._by_call = whole.inner_writes - whole.outer
        self._block(body, _NONE, _NONE)
        self._add_captured(body, set())

    def _names_of(self, *nodes: ast.AST | None) -> Names:
        """Returns the merged names in parts of the function; each part is analyzed once."""
        whole = Names()
        for node in nodes:
            if node is not None:
                if node not in self._known:
                    self._known[node] = names_of(node)
                whole.add(self._known[node])
        return whole

    def _block(self, body: Sequence[ast.stmt], live: _Set, caught: _Set) -> _Set:
        """Returns the variables that are live before statements, given the ones live after them and at
        their handlers."""
        for statement in reversed(body):
            live = self._statement(statement, live, caught) | caught
        return live

    def _statement(self, node: ast.stmt, live: _Set, caught: _Set) -> _Set:
        if isinstance(node, ast.If):
            self._note(node, [*node.body, *node.orelse], live)
            needed = self._block(node.body, live, caught) | self._block(node.orelse, live, caught)
            return (needed - self._names_of(node.test).writes) | self._names_of(node.test).reads
        if isinstance(node, (ast.While, ast.For)):
            return self._loop(node, live, caught)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            # A context manager may suppress an exception, but few do, so that edge is ignored here. Code after it that
            # reads a variable that was not considered live finds it unbound (see `Variables.forget_others`).
            items = self._names_of(*node.items)
            return (self._block(node.body, live, caught) - items.writes) | items.reads
        if _is_try(node):
            return self._try(node, live, caught)  # type: ignore[arg-type]
        if isinstance(node, ast.Match):
            needed = live | self._names_of(node.subject).reads
            for case in node.cases:
                parts = self._names_of(case.pattern, case.guard)
                needed |= self._block(case.body, live, caught) | parts.reads
            return needed
        names = self._names_of(node)
        if isinstance(node, (ast.Return, ast.Raise)):
            return frozenset(names.reads)
        return (live - _certain_writes(node)) | names.reads

    def _loop(self, node: ast.While | ast.For, live: _Set, caught: _Set) -> _Set:
        if isinstance(node, ast.While):
            head, target = self._names_of(node.test), Names()
            before: set[str] = set()
        else:
            head, target = Names(), self._names_of(node.target)
            before = self._names_of(node.iter).reads
        before_now = self.facts[node].start if node in self.facts else _NONE
        start = live | before_now | head.reads | frozenset(self._exits[node])
        while True:
            inner = self._block(node.body, start, caught)
            grown = start | ((inner - target.writes) | target.reads) - head.writes
            if grown == start:
                break
            start = grown
        facts = self._note(node, [*node.body, node.target if isinstance(node, ast.For) else node.test], live)
        facts.start |= start | self._always
        return start | before

    def _try(self, node: ast.Try, live: _Set, caught: _Set) -> _Set:
        end = self._block(node.finalbody, live, caught)
        failed = self._block(node.finalbody, caught, caught)
        after_error = failed
        for handler in node.handlers:
            after_error |= self._names_of(handler.type).reads | self._block(handler.body, end, failed)
        orelse = self._block(node.orelse, end, failed)
        return self._block(node.body, orelse, after_error if self._errors else _NONE)

    def _note(self, node: ast.stmt, parts: Sequence[ast.AST], live: _Set) -> Facts:
        """Records the facts of a branch or loop, or adds variables that are live after it on a further visit."""
        if node in self.facts:
            self.facts[node].after |= live
            return self.facts[node]
        names = self._names_of(*parts)
        written = names.writes | (self._by_call if names.calls else set())
        places = {
            text: place
            for text, place in names.places.items()
            if not written & {n.id for n in ast.walk(place) if isinstance(n, ast.Name)}
        }
        facts = self.facts[node] = Facts(written, places, live | self._always)
        return facts

    def _add_captured(self, body: Sequence[ast.stmt], captured: set[str]) -> None:
        """Marks variables as live that functions defined earlier capture, because those may be called at any time."""
        for statement in body:
            if statement in self.facts:
                facts = self.facts[statement]
                facts.after |= captured
                facts.start |= captured
            for name in ("body", "orelse", "finalbody"):
                if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    self._add_captured(getattr(statement, name, []), captured)
            for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
                self._add_captured(part.body, captured)
            captured |= self._names_of(statement).captured


def _is_try(node: ast.AST) -> bool:
    return isinstance(node, ast.Try) or type(node).__name__ == "TryStar"


def _certain_writes(node: ast.stmt) -> set[str]:
    """Names that a simple statement always assigns, or deletes."""
    if isinstance(node, ast.Assign):
        return names_of(node.targets).writes
    if isinstance(node, ast.AnnAssign):
        return names_of(node.target).writes if node.value is not None else set()
    if isinstance(node, (ast.AugAssign, ast.Delete, ast.Import, ast.ImportFrom)):
        return names_of(node).writes
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    return set()
