"""Finds the names of TensorFlow that a program uses and tinytf lacks, without running the program."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from tinytf._src.api.missing import why_missing

_ROOTS = ("tensorflow", "tinytf")


class Missing(NamedTuple):
    """A use of a missing name."""

    line: int
    name: str  # for example tf.layers.dense
    reason: str


def missing_in(program: str, tf: Any) -> list[Missing]:
    """The uses of missing names in a program, sorted by line, each name once per line.

    The program's import statements determine which of its names refer to `tf`. Raises SyntaxError if `program` is not
    valid Python.

    Args:
      program: str, the text of the program.
      tf: the module in which names are looked up.
    """
    tree = ast.parse(program)
    imported = dict(_imports(tree))
    found: dict[tuple[int, str], Missing] = {}
    for line, path in [*_imported_paths(tree), *_used_paths(tree, imported)]:
        reason = _why_missing(path, tf)
        if reason is not None:
            name = ".".join(["tf", *path])
            found.setdefault((line, name), Missing(line, name, reason))
    return [found[key] for key in sorted(found)]


def _path(dotted: str) -> list[str] | None:
    """The components of a dotted name below the package; None for names of other packages."""
    root, *path = dotted.split(".")
    if path[:2] == ["compat", "v1"]:
        path = path[2:]
    return path if root in _ROOTS else None


def _imports(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Pairs of a name that the program binds by an import, and its path below the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = _path(alias.name)
                if path is not None:
                    yield (alias.asname, path) if alias.asname else (alias.name.split(".")[0], [])
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                path = _path(f"{node.module}.{alias.name}")
                if path is not None and alias.name != "*":
                    yield alias.asname or alias.name, path


def _imported_paths(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            dotted = [node.module if alias.name == "*" else f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for path in map(_path, dotted):
            if path:
                yield node.lineno, path


def _used_paths(tree: ast.AST, imported: dict[str, list[str]]) -> Iterator[tuple[int, list[str]]]:
    """The longest attribute chains: for `tf.nn.relu` not also `tf.nn`."""
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        parts: list[str] = []
        value: ast.expr = node
        while isinstance(value, ast.Attribute):
            parts.insert(0, value.attr)
            value = value.value
        if isinstance(value, ast.Name) and value.id in imported:
            yield node.lineno, _path(".".join(["tensorflow", *imported[value.id], *parts])) or []


def _why_missing(path: list[str], tf: Any) -> str | None:
    """The reason why a name is missing, or None if it exists; attributes of values other than modules and classes are
    not checked."""
    value, name = tf, "tf"
    for part in path:
        if not (isinstance(value, types.ModuleType) or inspect.isclass(value)):
            return None
        name = f"{name}.{part}"
        try:
            value = getattr(value, part)
        except AttributeError:
            if not isinstance(value, types.ModuleType) or not _is_module(f"{value.__name__}.{part}"):
                return why_missing(name)
            value = importlib.import_module(f"{value.__name__}.{part}")
    return None


def _is_module(fullname: str) -> bool:
    """Whether there is a module that becomes an attribute of its package only when it is imported, as modules below
    `tf.python` do."""
    try:
        return importlib.util.find_spec(fullname) is not None
    except ModuleNotFoundError:  # the parent is not a package
        return False
