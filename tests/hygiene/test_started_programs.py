"""Tests start programs outside of the source folder, where Python would find a package without an engine."""

import ast
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
_STARTERS = {"run", "Popen", "check_output", "check_call"}


def _starts_python(node):
    """Whether the node is a command such as [sys.executable, "-c", …], which has the working folder on its path."""
    if not isinstance(node, ast.List):
        return False
    words = [ast.unparse(item) for item in node.elts]
    return words[:1] == ["sys.executable"] and bool({"'-c'", "'-m'"} & set(words))


def _calls(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if ast.unparse(node.func.value) == "subprocess" and node.func.attr in _STARTERS:
                yield node


def misplaced(source):
    """Lines that start such a program without setting its working folder."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return [
        call.lineno
        for function in functions
        if any(_starts_python(node) for node in ast.walk(function))
        for call in _calls(function)
        if "cwd" not in {keyword.arg for keyword in call.keywords}
    ]


def test_programs_run_elsewhere():
    found = [
        f"{file.relative_to(TESTS)}:{line}" for file in TESTS.rglob("*.py") for line in misplaced(file.read_text())
    ]
    assert not found, f"use tests/programs.py, or give a cwd: {', '.join(sorted(found))}"


def test_what_is_found():
    assert misplaced("def f():\n    command = [sys.executable, '-c', x]\n    subprocess.run(command)\n") == [3]
    assert misplaced("def f(p):\n    subprocess.run([sys.executable, '-m', x], cwd=p)\n") == []
    assert misplaced("def f():\n    subprocess.run([sys.executable, 'a.py'])\n") == []
