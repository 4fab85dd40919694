"""Code that needs a property of an op asks for a trait of its declaration; op names occur only in ops, gradients
and wrappers.
"""

import ast
import re

import pytest
from repository import CSRC, PACKAGE, ROOT, cpp_files, python_files

from tinytf import _core

OPS = frozenset(_core.op_names())
_WAIVERS = ROOT / "tests/hygiene/op_names.txt"
# Rooms of wrappers, variables, gradients and what is generated: they make operations, and know which.
_AT_HOME = {"ops", "variables", "gradients", "_gen"}
# What finds an op by its name to make an operation, and what notes that one was made.
_MAKERS = frozenset(("find", "find_for_pass", "op_named", "note_site", "TINYTF_OPERATOR"))
_CPP_CALL = re.compile(r"(\w+)\(((?:[^()\"]|\"[^\"]*\")*)$")
_CPP_LITERAL = re.compile(r'"(\w+)"')
_CPP_COMPARED = re.compile(r"\bop(_name\(\)|->name|\.name)? *[!=]= *$")
_NAME = re.compile(r"[A-Z]\w*")


def names_in_cpp(text):
    """(line number, name) of each quoted op name, except in comments and arguments of makers, and of each string
    compared with an op's name.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.partition("//")[0]
        for literal in _CPP_LITERAL.finditer(code):
            before = code[: literal.start()]
            call = _CPP_CALL.search(before)
            if (literal[1] in OPS and (call is None or call[1] not in _MAKERS)) or _CPP_COMPARED.search(before):
                found.append((number, literal[1]))
    return found


def _strings(node):
    """The strings in an expression, directly or as elements or keys."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node]
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [string for element in node.elts for string in _strings(element)]
    if isinstance(node, ast.Dict):
        return [string for key in node.keys if key is not None for string in _strings(key)]
    return []


def _is_type(node):
    return isinstance(node, ast.Attribute) and node.attr in ("type", "op", "op_type")


def _exported(tree):
    """Nodes inside `__all__` lists, which contain public names that may equal op names."""
    assigned = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AugAssign))]
    return {
        id(part)
        for node in assigned
        if ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) == "__all__"
        for part in ast.walk(node.value)
    }


def names_in_python(text):
    """(line number, name) of each op name that is compared or stored in a collection, and of each string compared
    with the type of an operation. A name that is only passed as an argument creates an operation.
    """
    tree = ast.parse(text)
    exported, found = _exported(tree), set()
    for node in ast.walk(tree):
        if id(node) in exported:
            continue
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            asks_type = any(_is_type(side) for side in sides)
            for string in (string for side in sides for string in _strings(side)):
                if string.value in OPS or (asks_type and _NAME.fullmatch(string.value)):
                    found.add((string.lineno, string.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # op.type.startswith("Assign")
            if _is_type(node.func.value):
                found.update((s.lineno, s.value) for argument in node.args for s in _strings(argument))
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
            found.update((string.lineno, string.value) for string in _strings(node) if string.value in OPS)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # "A B C".split()
            words = node.value.split()
            if len(words) > 1 and all(_NAME.fullmatch(word) for word in words):
                found.update((node.lineno, word) for word in words if word in OPS)
    return sorted(found)


def _waivers():
    """The reasons by path; a line reads `path: reason`."""
    lines = [line for line in _WAIVERS.read_text().splitlines() if line and not line.startswith("#")]
    return {path.strip(): reason.strip() for path, _, reason in (line.partition(":") for line in lines)}


def _named():
    """Files outside of the op rooms that contain op names, by path: the names and their lines."""
    named = {}
    for folder, files, names_in in ((CSRC, cpp_files, names_in_cpp), (PACKAGE, python_files, names_in_python)):
        for path in files():
            if not _AT_HOME & set(path.relative_to(folder).parts[:2]):
                found = names_in(path.read_text())
                if found:
                    named[path.relative_to(ROOT).as_posix()] = found
    return named


def test_no_op_is_known_by_its_name():
    named, waivers = _named(), _waivers()
    wrong = {path: found for path, found in named.items() if not waivers.get(path)}
    assert not wrong, f"use or add a trait (csrc/op/op_def.h), or give a reason in {_WAIVERS.name}: {wrong}"
    assert not waivers.keys() - named.keys(), f"not needed any more: {sorted(waivers.keys() - named.keys())}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('if (op == "Shape" || node.op_name() != "Cast") {', ["Shape", "Cast"]),
        ('std::set<std::string>{"Neg", "no_op"}', ["Neg"]),
        ('  // is like "Shape"', []),
        ('info->op = OpRegistry::global().find("Const");', []),
        ('TINYTF_OPERATOR(Add, "AddV2", "add")', []),
        ('if (find("Const") == op && op != "Neg")', ["Neg"]),
        ('if (node.op->name == "NoSuchOp")', ["NoSuchOp"]),
    ],
)
def test_the_check_of_cpp_itself(text, names):
    assert [name for _, name in names_in_cpp(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('x = op.type == "Shape"', ["Shape"]),
        ('x = op.type not in ("Cast", "NoSuchOp")', ["Cast", "NoSuchOp"]),
        ('x = tag.type == "node"', []),
        ('KINDS = frozenset(["Neg"])', ["Neg"]),
        ('RULES = {"Neg": f, **{"Exp": g}}', ["Exp", "Neg"]),
        ('KINDS = "Neg Exp NoSuchOp".split()', ["Exp", "Neg"]),
        ('"""Neg."""', []),
        ('__all__ = ["Print"]', []),
        ('with name_scope(name, "Shape", [x]): op_spec("Shape")', []),
        ('x = op.type.startswith("Scatter")', ["Scatter"]),
        ('node.op = "NoOp"', []),
    ],
)
def test_the_check_of_python_itself(text, names):
    assert [name for _, name in names_in_python(text)] == names
