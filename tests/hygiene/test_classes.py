"""A class has one responsibility: few lines of code, and at most one base class with state. Shared attributes otherwise
belong in a member object."""

import ast
import io
import tokenize

import pytest
from repository import PACKAGE, ROOT, python_files

_MOST_LINES, _MOST_LONG = 200, 5
_REASONS = ROOT / "tests/hygiene/long_classes.txt"
_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _classes(trees):
    """Maps each class to the names of its bases and whether its `__init__` sets attributes of `self`."""
    found = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                texts = {ast.unparse(base) for base in node.bases}
                own = {text for text in texts if not text.startswith("unittest.")}  # unittest.TestCase is not ours
                bases = {text.rpartition(".")[2].partition("[")[0] for text in own}
                found[node.name] = (bases, any(_sets_state(item) for item in node.body))
    return found


def _sets_state(item):
    if not (isinstance(item, ast.FunctionDef) and item.name == "__init__"):
        return False
    targets = [node for node in ast.walk(item) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return any(isinstance(target.value, ast.Name) and target.value.id == "self" for target in targets)


def _has_state(name, classes):
    bases, own = classes.get(name, ((), False))
    return own or any(_has_state(base, classes) for base in bases if base != name)  # contrib's may have the same name


def _of_several(classes):
    """Classes with several stateful bases, none of which derives from another."""
    return sorted(name for name, (bases, _) in classes.items() if sum(_has_state(base, classes) for base in bases) > 1)


def _lines_of_code(text):
    """Yields (name, number of lines) of the classes of a file, without docstrings, comments and blank lines."""
    tree, code = ast.parse(text), set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NOT_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, _DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
            code.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            first = min(part.lineno for part in [node, *node.decorator_list])
            yield node.name, len(code.intersection(range(first, node.end_lineno + 1)))


def _long_classes():
    """The classes of the package with too many lines of code, as `module.Class`."""
    files = [path for path in python_files(PACKAGE) if "_gen" not in path.parts]
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text() for path in files}
    found = [(f"{module}.{name}", n) for module, text in named.items() for name, n in _lines_of_code(text)]
    return {name: n for name, n in found if n > _MOST_LINES}


def _reasons():
    """The reasons by class; a line reads `module.Class: reason`."""
    lines = [line for line in _REASONS.read_text().splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(":") for line in lines)}


def test_long_classes_are_few():
    long, reasons = _long_classes(), _reasons()
    wrong = {name: n for name, n in long.items() if not reasons.get(name)}
    assert not wrong, f"cut them, or give a reason in {_REASONS.name}: {wrong}"
    assert len(reasons) <= _MOST_LONG
    stale = sorted(reasons.keys() - long.keys())
    assert not stale, f"not long any more: {stale}"


def test_states_have_one_ancestor():
    assert _of_several(_classes(ast.parse(path.read_text()) for path in python_files(PACKAGE))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("class A:\n def __init__(self):\n  self.a = 1\nclass B:\n pass\nclass C(A, B):\n pass\n", []),
        (
            "class A:\n def __init__(self):\n  self.a = 1\nclass B:\n def __init__(self):\n  self.b: int = 1\n"
            "class D(B):\n pass\nclass C(A, m.D):\n pass\n",
            ["C"],
        ),
    ],
)
def test_the_check_itself_finds(text, found):
    assert _of_several(_classes([ast.parse(text)])) == found


def test_only_lines_of_code_count():
    text = '''
@final
class A:
    """Two
    lines."""

    # comment
    def f(self):
        """Docstring."""
        return """not a
        docstring"""  # comment

    class B:
        b = 1
'''
    assert dict(_lines_of_code(text)) == {"A": 7, "B": 2}
