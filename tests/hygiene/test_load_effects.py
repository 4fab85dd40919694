"""Registrations that a module makes for others happen in time: because names are loaded on first use, such a module
is loaded with the package, or only registers things of its own.
"""

import ast
import json
import subprocess
import sys

import pytest
from python_imports import module_name, room_of
from repository import python_files

# Modules that are loaded later and have effects, and why that is early enough. The list may only shrink.
IN_TIME = {
    "tinytf._src.eager.session": "for eager sessions",
    "tinytf._src.framework.logs.tf_logging": "for messages through `tf.logging`",
    "tinytf._src.platform.flags": "for flags that are defined through it",
    "tinytf._src.checkpoint.saver": "for its own class",
    "tinytf._src.variables.partitioned_variable": "for its own class",
    "tinytf._src.variables.scope": "for its own class",
}
# Parts of the package that no other module depends on: programs, module paths and tools.
_NOT_INSIDE = {
    "__init__",
    "__main__",
    "_gen",
    "api",
    "as_tensorflow",
    "contrib",
    "core",
    "demos",
    "examples",
    "python",
    "testing",
    "tools",
}


def effects(tree):
    """Line numbers of module-level statements with possible side effects: calls with an unused result and
    assignments to attributes, also in loops and conditions.
    """
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.For, ast.While, ast.With, ast.If)):
            type_checking = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            pending += getattr(node, "orelse", []) + ([] if type_checking else node.body)
        elif isinstance(node, ast.Try):
            pending += [*node.body, *node.orelse, *node.finalbody]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if not ast.unparse(node).startswith("tf_export("):
                yield node.lineno
        elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Attribute) for target in node.targets):
            yield node.lineno


def _loaded_with_the_package(folder):
    command = [sys.executable, "-c", "import sys, json, tinytf; print(json.dumps(list(sys.modules)))"]
    return set(json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout))


def _is_loaded_with_gradients(name):
    """Whether `load_all` must load the module, which the test below asks for: families, and the ops where gradients stop."""
    return name.startswith("tinytf._src.gradients.") and (
        name.endswith("_grad") or name == "tinytf._src.gradients.stops"
    )


def test_effects_are_there_in_time(tmp_path):
    there = _loaded_with_the_package(tmp_path)
    late = {}
    for path in python_files():
        name = module_name(path)
        room = room_of(name)
        lines = [] if room in _NOT_INSIDE or name in there else sorted(effects(ast.parse(path.read_text())))
        if lines and not _is_loaded_with_gradients(name):
            late[name] = lines
    assert set(late) == set(IN_TIME), late


def test_all_gradient_functions_are_loaded_together(tmp_path):
    program = (
        "import sys, tinytf._src.gradients as g; sys.modules['tinytf._src.gradients'].load_all(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    families = {name for path in python_files() if _is_loaded_with_gradients(name := module_name(path))}
    assert len(families) > 20 and families <= set(done.stdout.split())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = f()\ndef g(): h()\nclass C:\n    f()\n", []),
        ("tf_export('a').constant(__name__, 'a')\n", []),
        ("register(C, f)\n", [1]),
        ("C.attribute = f\n", [1]),
        ("for name in names:\n    setattr(C, name, f)\nif x:\n    pass\nelse:\n    f()\n", [2, 6]),
        ("if TYPE_CHECKING:\n    f()\ntry:\n    f()\nfinally:\n    pass\n", [4]),
    ],
)
def test_the_check_itself(text, lines):
    assert sorted(effects(ast.parse(text))) == lines
