"""Core sessions are behind the interface `Engine`: one file makes them, and no other sees them."""

import ast

from python_imports import circles
from repository import ROOT, python_files

DOOR = "tinytf/_src/session/local_engine.py"
BEHIND = {"Session", "prepare", "PartialRun"}


def _uses(tree):
    """Names of `_core` behind the door that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_core":
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and node.module == "tinytf._core":
            yield from (name.name for name in node.names)


def test_one_file_makes_core_sessions():
    users = {path for path in python_files() if BEHIND & set(_uses(ast.parse(path.read_text())))}
    assert {str(path.relative_to(ROOT)) for path in users} == {DOOR}


def test_parts_of_sessions_are_known_in_one_direction():
    """Imports for type checkers count: parts get the objects they use, not the session that they are parts of."""
    folder, package = ROOT / "tinytf/_src/session", "tinytf._src.session"
    seen = {}
    for path in python_files(folder):
        found = seen[path.stem] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == package:
                found.update(name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
                found.add(node.module.rpartition(".")[2])
    assert seen["session"] and circles(seen) == []
