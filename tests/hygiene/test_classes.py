"""A class has at most one base class with state; shared attributes otherwise belong in a member object."""

import ast

import pytest
from repository import PACKAGE, python_files


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
    return own or any(_has_state(base, classes) for base in bases)


def _of_several(classes):
    """Classes with several stateful bases, none of which derives from another."""
    return sorted(name for name, (bases, _) in classes.items() if sum(_has_state(base, classes) for base in bases) > 1)


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
