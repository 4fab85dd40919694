"""Which part of the Python package may import which: one direction only."""

import ast

import pytest
from repository import PACKAGE, python_files

ALLOWED = {
    "framework": set(),
    "_gen": {"framework"},
    "ops": {"framework", "_gen"},
    "variables": {"framework", "_gen", "ops"},
    "gradients": {"framework", "_gen", "ops", "variables"},
    "client": {"framework", "insight"},
    "insight": {"framework"},
    "eager": {"framework", "_gen", "ops", "variables", "gradients"},
    "protos": set(),
    "platform": {"framework"},
    "data": {"framework", "_gen", "ops"},
    "training": {"framework", "_gen", "ops", "variables", "gradients", "client", "eager", "platform"},
    "datasets": set(),
}
# Programs on top of the package: they use its public face, and nothing in the package uses them.
ON_TOP = {"__main__", "as_tensorflow", "demos", "examples", "testing", "tools"}
# The face itself (`__init__.py`, and `api` for its namespaces) and TensorFlow's module paths that lead to it.
FACE = {"__init__", "api", "contrib", "python"}
# Modules that import nothing of the package and that everything may use.
SHARED = {"_main_interpreter", "_core", "version"}
MESSAGES = "tinytf.protos"  # TensorFlow's protobuf messages, loaded when first used


def _is_type_checking(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _imports(tree, module):
    """Names of the modules that a module imports anywhere but under TYPE_CHECKING; relative ones made absolute."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: -node.level] if node.level else []
            base = ".".join(base + ([node.module] if node.module else []))
            yield from (f"{base}.{alias.name}" for alias in node.names)
        children = node.orelse if _is_type_checking(node) else ast.iter_child_nodes(node)
        pending.extend(children)


def _bad_edges(module, imports):
    """What is wrong with the imports of the module `tinytf.X…`, as sentences."""
    part = module.split(".")[1] if "." in module else "__init__"
    for target in imports:
        if target.split(".")[0] != "tinytf":
            continue
        other = target.split(".")[1] if "." in target else "__init__"
        if f"{target}.".startswith(f"{MESSAGES}.") and not module.startswith(MESSAGES):
            continue
        if part in FACE | ON_TOP or other in SHARED | {part}:
            continue
        if other not in ALLOWED[part] or module.startswith(MESSAGES):
            yield f"{module} imports {target}: {part} may not see {other}"


def _module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts)


def test_parts_are_known():
    parts = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in python_files()}
    assert parts <= set(ALLOWED) | ON_TOP | FACE | SHARED, parts


def test_imports_run_one_way():
    wrong = []
    for path in python_files():
        module = _module_name(path)
        wrong += _bad_edges(module.removesuffix(".__init__"), _imports(ast.parse(path.read_text()), module))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("tinytf.framework.ops", "from tinytf.client import session"),
        ("tinytf.framework.ops", "import tinytf"),
        ("tinytf.client.session", "def f():\n    from tinytf.training import saver"),
        ("tinytf.ops.math_ops", "from tinytf.gradients.math import add"),
        ("tinytf.ops.math_ops", "from ..client import session"),
        ("tinytf.ops.math_ops", "from tinytf import tools"),
    ],
)
def test_the_check_itself_finds(module, line):
    assert list(_bad_edges(module, _imports(ast.parse(line), module)))
