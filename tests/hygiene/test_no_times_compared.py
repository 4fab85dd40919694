"""No assertion depends on how long something took: a busy machine would make it fail by chance.

An expression is a time if it reads a clock, or contains a variable, attribute or function of its file that gets or
returns a time. Loops that wait for an event with a time limit are not assertions, and so are allowed.
"""

import ast

import pytest
from repository import ROOT, python_files

_TESTS = ROOT / "tests"
_CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime", "time", "times", "getrusage"}
_MODULES = {"time", "os", "resource"}
_BYTES = {"ru_maxrss"}  # of getrusage, but no time

# "file: function" of assertions that need a time -> the reason.
_ALLOWED = {
    "session/test_plan_growth.py: test_ten_times_as_many_do_not_take_a_hundred_times_as_long": (
        "nothing but time shows that planning is quadratic; it fails only if ten measurements in a row say so"
    ),
}


def _reads_clock(node, from_imports):
    """Whether this is `time.monotonic()` and the like, or `monotonic_ns()` after an import of the function."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Attribute):
        of_module = isinstance(function.value, ast.Name) and function.value.id in _MODULES
        return of_module and function.attr.removesuffix("_ns") in _CLOCKS
    return isinstance(function, ast.Name) and function.id in from_imports


class _Times:
    """The times of one file, by name. A name that is local to a function is only known in there."""

    def __init__(self, tree):
        self.functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self._clocks = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in _MODULES
            for alias in node.names
            if alias.name.removesuffix("_ns") in _CLOCKS
        }
        self._names = set()  # of functions and attributes of the file, and of (function, variable)
        before = -1
        while before < len(self._names):  # until nothing is added: a time may pass through several names
            before = len(self._names)
            for function in self.functions:
                self._add_those_of(function)

    def _add_those_of(self, function):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                self._add(function, node.targets, node.value)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value:
                self._add(function, [node.target], node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                self._add(function, [node.func.value], node.args[0])
            elif isinstance(node, ast.Return) and node.value and self.is_time(function, node.value):
                self._names.add(function.name)

    def _add(self, function, targets, value):
        pairs = [(target, value) for target in targets]
        if isinstance(value, ast.Tuple) and isinstance(targets[0], ast.Tuple):
            pairs = zip(targets[0].elts, value.elts, strict=False)
        for target, each in pairs:
            if self.is_time(function, each):
                self._names |= {
                    (function.name, node.id) if isinstance(node, ast.Name) else node.attr
                    for node in ast.walk(target)
                    if isinstance(node, (ast.Name, ast.Attribute)) and getattr(node, "id", None) != "self"
                }

    def is_time(self, function, expression):
        if any(isinstance(node, ast.Attribute) and node.attr in _BYTES for node in ast.walk(expression)):
            return False
        return any(
            _reads_clock(node, self._clocks)
            or (isinstance(node, ast.Name) and ((function.name, node.id) in self._names or node.id in self._names))
            or (isinstance(node, ast.Attribute) and node.attr in self._names)
            for node in ast.walk(expression)
        )


def _compared(source):
    """The functions with an assertion that depends on a time."""
    times = _Times(ast.parse(source))
    return [
        function.name
        for function in times.functions
        if any(isinstance(node, ast.Assert) and times.is_time(function, node.test) for node in ast.walk(function))
    ]


def test_no_assertion_compares_times():
    found = {
        f"{path.relative_to(_TESTS)}: {name}" for path in python_files(_TESTS) for name in _compared(path.read_text())
    }
    assert found == set(_ALLOWED)


@pytest.mark.parametrize(
    "body",
    [
        "begin = time.monotonic(); act(); assert time.monotonic() - begin < 5",
        "begin, other = time.monotonic_ns(), 0; took = clock() - begin; assert took < 5",
        "took = []; took.append(seconds()); assert took[0] < 5",
        "self.used = time.process_time(); assert self.used < 5",
        "assert min(seconds() for _ in range(3)) < 5",
        "assert is_fast()",
    ],
)
def test_comparisons_that_are_found(body):
    body = body.replace("; ", "\n    ")
    helpers = "from time import perf_counter as clock\ndef seconds():\n    return clock()\n"
    helpers += "def is_fast():\n    return seconds() < 5\n"
    assert _compared(f"{helpers}def test(self):\n    {body}\n") == ["test"]


def test_waiting_with_a_limit_is_allowed():
    body = (
        "end = time.monotonic() + 30\n    while busy() and time.monotonic() < end:\n        pass\n    assert not busy()"
    )
    assert _compared(f"def test():\n    {body}\n") == []
