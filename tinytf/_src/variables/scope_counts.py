"""Counts how often variable scopes were opened, to make the names of `variable_scope(None, default_name)` unique."""

from __future__ import annotations


class _Node:
    """A scope: how often it was opened, and its inner scopes by the last part of their names."""

    __slots__ = ("children", "count")

    def __init__(self) -> None:
        self.count = 0
        self.children: dict[str, _Node] = {}


class ScopeCounts:
    """Counts by scope name, stored as a tree so that resetting all counts inside a scope is cheap.

    Leaving a scope that was entered as an object restores the counts at its entry; while such a scope is open, changes
    are logged. Not thread-safe: each thread has its own counts.
    """

    def __init__(self) -> None:
        self._root = _Node()
        self._log: list[tuple[_Node, int, dict[str, _Node]]] = []
        self._marks = 0

    def count(self, name: str) -> int:
        """How often the scope was opened since its outer scope was left."""
        node = self._find(name)
        return 0 if node is None else node.count

    def open(self, name: str) -> None:
        """Increments the count of the scope."""
        node = self._root
        for part in name.split("/"):
            child = node.children.get(part)
            if child is None:
                child = node.children[part] = _Node()
            node = child
        self._remember(node)
        node.count += 1

    def forget_inside(self, name: str) -> None:
        """Resets the counts of all scopes inside `name`."""
        node = self._find(name)
        if node is not None and node.children:
            self._remember(node)
            node.children = {}

    def mark(self) -> int:
        """A position in the log for `restore`; each mark must be restored once, latest first."""
        self._marks += 1
        return len(self._log)

    def restore(self, mark: int) -> None:
        """Restores the counts at the mark."""
        while len(self._log) > mark:
            node, count, children = self._log.pop()
            node.count, node.children = count, children
        self._marks -= 1

    def unique(self, outer: str, name: str) -> str:
        """`name`, or the first of `name_1`, `name_2`, … that was not opened inside the scope `outer`."""
        full = f"{outer}/{name}" if outer else name
        if self.count(full) == 0:
            return name
        around, _, last = full.rpartition("/")
        parent = self._find(around) if around else self._root
        siblings = parent.children if parent is not None else {}
        i = 1
        while (sibling := siblings.get(f"{last}_{i}")) is not None and sibling.count:
            i += 1
        return f"{name}_{i}"

    def _find(self, name: str) -> _Node | None:
        node: _Node | None = self._root
        for part in name.split("/"):
            if node is None:
                break
            node = node.children.get(part)
        return node

    def _remember(self, node: _Node) -> None:
        if self._marks:
            self._log.append((node, node.count, node.children))
