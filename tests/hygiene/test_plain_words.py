"""Comments and docstrings speak of data, threads and plans in technical nouns, not in relative clauses."""

import ast
import inspect
import io
import re
import tokenize

import pytest
from repository import CSRC, PACKAGE, ROOT, cpp_files, python_files
from test_docstrings import public_objects

import tinytf as tf

_CLAUSES = re.compile(r"\b(who|whom|nobody|somebody|those of|those that|what is|what was|what they)\b", re.IGNORECASE)
_MOST = 0.02  # share of the comment lines of a room
_DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def python_comments(text):
    """The lines of all comments and docstrings."""
    lines = text.splitlines()
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [token.string for token in tokens if token.type == tokenize.COMMENT]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
            found += lines[node.body[0].lineno - 1 : node.body[0].end_lineno]
    return [line for line in found if line.strip()]


def cpp_comments(text):
    return [line.partition("//")[2] for line in text.splitlines() if "//" in line]


def _rooms():
    """Room → the comment lines of its files."""
    rooms = {}
    tests = ROOT / "tests"
    for path in [*cpp_files(), *cpp_files(tests), *python_files(PACKAGE), *python_files(tests)]:
        parts = path.relative_to(ROOT).parent.parts
        room = "/".join(parts[: 3 if "_src" in parts else 2])
        read = python_comments if path.suffix == ".py" else cpp_comments
        if "_gen" not in parts and path.name != "test_plain_words.py":
            rooms.setdefault(room, []).extend(read(path.read_text()))
    return rooms


def test_rooms_use_technical_nouns():
    shares = {
        room: sum(map(bool, map(_CLAUSES.search, lines))) / len(lines) for room, lines in _rooms().items() if lines
    }
    assert f"{CSRC.name}/graph" in shares and len(shares) > 60
    assert not {room: round(share, 3) for room, share in shares.items() if share >= _MOST}


def _docstrings(name, value):
    """(name, docstring) of a public function or class and of the public members that the class defines."""
    yield name, inspect.getdoc(value) or ""
    if isinstance(value, type):
        for member, defined in vars(value).items():
            if not member.startswith("_"):
                yield f"{name}.{member}", inspect.getdoc(defined) or ""


def test_public_docstrings_use_technical_nouns():
    found = [entry for name, value in public_objects(tf, "tf", set()) for entry in _docstrings(name, value)]
    assert len(found) > 2000
    assert not sorted({name for name, text in found if _CLAUSES.search(text)})


@pytest.mark.parametrize(
    ("read", "text", "lines"),
    [
        (python_comments, '"""A."""\nx = 1  # b\ndef f():\n    """C\n\n    d."""\n', 4),
        (cpp_comments, "// a\nint x;  ///< b\nint y;\n", 2),
    ],
)
def test_comments_are_found(read, text, lines):
    assert len(read(text)) == lines
