"""Imports between parts of the Python package go in one direction only, among subpackages and among the files of each.

An import inside a function counts like one at module level. Imports for type checkers (`if TYPE_CHECKING`) count only
within `framework`, and where the circles of types are bounded.
"""

import ast
import types

import pytest
from python_imports import circles, imports, module_of, package_imports, room_of

import tinytf as tf
from tinytf._src.tools.public_stubs import public_names

# Maps each room to the rooms it may import; `test_no_edge_is_declared_in_vain` keeps the lists minimal.
SEES = {
    "datasets": set(),
    "framework": set(),
    "_gen": {"framework"},
    "platform": {"framework"},
    "profiler": {"framework"},
    "debug": {"framework", "profiler"},
    "ops": {"framework", "_gen"},
    "autograph": {"framework", "_gen", "ops"},
    "session": {"framework", "profiler", "debug"},
    "variables": {"framework", "_gen", "ops"},
    "functional_ops": {"framework", "ops", "variables"},
    "gradients": {"framework", "_gen", "ops", "variables"},
    "layers": {"framework", "_gen", "ops", "variables", "trackable"},
    "metrics": {"framework", "_gen", "ops", "variables"},
    "trackable": {"framework", "variables"},
    "checkpoint": {"framework", "_gen", "platform", "ops", "session", "variables", "trackable"},
    "eager": {"framework", "_gen", "ops", "autograph", "session", "variables", "gradients"},
    "data": {
        "framework",
        "_gen",
        "platform",
        "ops",
        "autograph",
        "checkpoint",
        "eager",
        "training",
        "monitored_session",
    },
    "saved_model": {"framework", "platform", "ops", "session", "variables", "checkpoint"},
    "summary": {"framework", "platform", "checkpoint"},
    "training": {"framework", "_gen", "platform", "ops", "variables", "gradients", "eager"},
    "monitored_session": {
        "framework",
        "platform",
        "profiler",
        "ops",
        "session",
        "variables",
        "checkpoint",
        "summary",
        "training",
    },
    "estimator": {
        "framework",
        "_gen",
        "platform",
        "ops",
        "data",
        "session",
        "variables",
        "metrics",
        "checkpoint",
        "saved_model",
        "summary",
        "training",
        "monitored_session",
    },
}
# Maps each room of `framework` to the rooms of `framework` it may import, in layers: a room sees rooms of earlier lines.
FRAMEWORK_SEES = {
    "context": set(),
    "logs": set(),
    "sites": set(),
    "errors": {"sites"},
    "values": {"sites", "errors"},
    "declarations": {"context", "values"},
    "graph": {"context", "sites", "errors", "values", "declarations"},
    "tensors": {"context", "errors", "values", "declarations", "graph"},
    "scopes": {"context", "errors", "values", "graph"},
    "composites": {"errors", "values", "declarations", "graph", "tensors", "scopes"},
    "nest": {"errors", "graph", "composites"},
    "graph_defs": {"logs", "sites", "errors", "values", "declarations", "graph", "tensors", "scopes"},
    "registries": {"graph_defs"},
    "apply": {
        "context",
        "logs",
        "sites",
        "errors",
        "values",
        "declarations",
        "graph",
        "tensors",
        "scopes",
        "composites",
    },
    "resources": {"context", "errors", "values", "declarations", "graph", "scopes", "apply"},
}
# Files of `framework` outside its rooms, which all of them may import, and which import nothing of the package but
# `exports`.
FRAMEWORK_GROUND = {"__init__", "fork_lock", "graph_keys", "process_end"}
# Modules that import nothing of the package and that every module may use.
GROUND = {"_main_interpreter", "_core", "version", "protos", "exports"}
# The face itself (`__init__.py`, and `api` for its namespaces) and TensorFlow's module paths: they lead inside, and nothing
# inside leads to them.
FACE = {"__init__", "_src", "api", "core", "python"}
# Programs on top of the package; nothing in the package uses them. The first see the face, as any program does, the others
# may look behind it.
PROGRAMS = {"contrib", "demos", "examples"}
ON_TOP = {"__main__", "as_tensorflow", "testing", "tools"}
# Internals that programs of the package import, with the reason. May only shrink.
BESIDE_THE_FACE = {
    ("tinytf.contrib.framework.arg_scope", "tinytf._src.framework.context.context_variable.ContextVariable"): (
        "the one way to a variable of the context, which TensorFlow has no name for"
    ),
}

# Classes whose public members return each other: the only files that import each other for type checkers.
TYPES_OF_EACH_OTHER = {f"tinytf._src.framework.graph.{name}" for name in ("graph", "operation", "tensor")}

IMPORTS = package_imports()
IMPORTS_AND_TYPES = package_imports(type_only=True)


def _inside(name):
    return room_of(name) in SEES or room_of(name) in GROUND


def _bad_edge(module, target):
    """What is wrong with an import, as a sentence; None if nothing is."""
    room, other = room_of(module), room_of(target)
    if (
        target.split(".")[0] != "tinytf"
        or room == other
        or room in FACE | ON_TOP
        or (other in GROUND and "." in target)
    ):
        return None
    if room in PROGRAMS:
        seen = other in PROGRAMS | {"python"} or (module, target) in BESIDE_THE_FACE or _is_public(target)
        return None if seen else f"{module} imports {target}, which is no public name"
    return None if other in SEES.get(room, ()) else f"{module} imports {target}: {room} may not see {other}"


def _is_public(name):
    value = tf
    for part in name.split(".")[1:]:
        if not isinstance(value, types.ModuleType) or part not in public_names(value):
            return False
        value = getattr(value, part)
    return True


def test_rooms_are_known():
    assert {room_of(module) for module in IMPORTS} - {"_core"} <= set(SEES) | GROUND | FACE | PROGRAMS | ON_TOP


def test_imports_run_one_way():
    wrong = [_bad_edge(module, target) for module, targets in IMPORTS.items() for target in sorted(targets)]
    assert not any(wrong), "\n".join(filter(None, wrong))


def test_no_edge_is_declared_in_vain():
    used = {(room_of(module), room_of(target)) for module, targets in IMPORTS.items() for target in targets}
    assert {(room, other) for room, others in SEES.items() for other in others} <= used
    assert {edge for edge in BESIDE_THE_FACE if edge[1] not in IMPORTS[edge[0]]} == set()


def _framework_room(name):
    """The room of `framework` to which a module belongs; None for other modules."""
    parts = name.split(".")
    return (parts[3] if len(parts) > 3 else "__init__") if parts[:3] == ["tinytf", "_src", "framework"] else None


def _bad_framework_edge(module, target):
    """What is wrong with an import between rooms of `framework`, as a sentence; None if nothing is."""
    room, other = _framework_room(module), _framework_room(target)
    if None in (room, other) or room == other or other in FRAMEWORK_GROUND or other in FRAMEWORK_SEES.get(room, ()):
        return None
    return f"{module} imports {target}: framework's {room} may not see {other}"


def _framework_edges():
    """The imports within `framework`, those for type checkers included, as pairs (module, imported module)."""
    imported = IMPORTS_AND_TYPES.items()
    pairs = [(module, module_of(target, IMPORTS)) for module, targets in imported for target in targets]
    return [
        (module, target) for module, target in pairs if target and _framework_room(module) and _framework_room(target)
    ]


def test_imports_within_framework_run_one_way():
    wrong = [_bad_framework_edge(*edge) for edge in _framework_edges()]
    assert not any(wrong), "\n".join(sorted(filter(None, wrong)))


def test_no_edge_within_framework_is_declared_in_vain():
    used = {(_framework_room(module), _framework_room(target)) for module, target in _framework_edges()}
    assert {(room, other) for room, others in FRAMEWORK_SEES.items() for other in others} <= used


def test_rooms_of_framework_are_in_layers():
    seen = set()
    for room, others in FRAMEWORK_SEES.items():
        assert others <= seen, f"{room} sees {others - seen}, which the table lists later"
        seen.add(room)


def test_files_of_framework_are_in_rooms():
    rooms = {_framework_room(module) for module in IMPORTS} - {None}
    assert rooms == FRAMEWORK_SEES.keys() | FRAMEWORK_GROUND


def test_the_ground_floor_imports_nothing():
    assert not [
        (module, target)
        for module, targets in IMPORTS.items()
        for target in targets
        if room_of(module) in GROUND and target.split(".")[0] == "tinytf"
    ]


def _modules_seen(imported=IMPORTS):
    """Maps each module to the modules it imports. The public interface loads its targets lazily by name and is not
    included.
    """
    return {
        module: {module_of(target, imported) for target in targets} - {None, module, "tinytf"}
        for module, targets in imported.items()
    }


def test_no_file_leads_back_to_itself():
    assert circles(_modules_seen()) == []


def test_types_of_three_files_lead_back_to_themselves():
    """Parts of a graph know the base classes of its file `bases`, other parts protocols of what they use."""
    seen = _modules_seen(IMPORTS_AND_TYPES)
    own = {module: others for module, others in seen.items() if module.startswith("tinytf._src.")}
    assert circles(own) == [TYPES_OF_EACH_OTHER]


def _part(module):
    """The room of a module; for op modules, the family."""
    parts = module.split(".")
    return ".".join(parts[2:4]) if parts[2:3] == ["ops"] and len(parts) > 3 else room_of(module)


def test_no_room_leads_back_to_itself():
    """There are no import cycles between rooms or op families."""
    parts = {}
    for module, seen in _modules_seen().items():
        parts.setdefault(_part(module), set()).update(_part(other) for other in seen)
    assert circles({part: seen - {part} for part, seen in parts.items() if part not in FACE}) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("tinytf._src.framework.ops", "from tinytf._src.session import session"),
        ("tinytf._src.framework.ops", "import tinytf"),
        ("tinytf._src.framework.ops", "import tinytf as tf"),
        ("tinytf._src.session.session", "def f():\n    from tinytf._src.training import saver"),
        ("tinytf._src.ops.math_ops", "from tinytf._src.gradients.math import add"),
        ("tinytf._src.ops.math_ops", "from ..client import session"),
        ("tinytf._src.ops.math.casting", "from ...client import session"),
        ("tinytf._src.ops.math_ops", "from tinytf import tools"),
        ("tinytf._src.profiler.trace", "from tinytf._src.session.session import Session"),
        ("tinytf.contrib.util", "from tinytf._src.framework.graph.graph import Graph"),
        ("tinytf.contrib.util", "from tinytf import framework"),
        ("tinytf.contrib.util", "from tinytf._src.eager.session import EagerSession"),
        ("tinytf._src.eager.mode", "from tinytf.python.eager import context"),
    ],
)
def test_the_check_itself_finds(module, line):
    assert any(_bad_edge(module, target) for target in imports(ast.parse(line), module.rpartition(".")[0]))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("errors.error_traceback", "from tinytf._src.framework.graph.graph import Graph"),
        ("graph.tensor", "from tinytf._src.framework.tensors import conversion"),
        ("graph.tensor", "def f():\n    import tinytf._src.framework.nest.nest"),
        ("fork_lock", "from tinytf._src.framework.values import dtypes"),
    ],
)
def test_the_check_of_framework_itself_finds(module, line):
    module = f"tinytf._src.framework.{module}"
    targets = imports(ast.parse(line), module.rpartition(".")[0])
    assert any(_bad_framework_edge(module, target) for target in targets)


@pytest.mark.parametrize(
    "line", ["import tinytf as tf", "from tinytf import Graph", "from tinytf.eager import EagerSession"]
)
def test_the_check_itself_lets_pass(line):
    assert not any(_bad_edge("tinytf.contrib.util", target) for target in imports(ast.parse(line), "tinytf.contrib"))


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}}, [{"a", "b"}]),
        ({"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": {"c"}}, [{"a", "b", "c", "d"}]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d", "a"}, "d": {"c"}, "e": {"a"}}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_circles_are_found(graph, found):
    assert circles(graph) == found


def test_an_import_within_a_function_is_one():
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef f():\n    import c\n"
    assert sorted(imports(ast.parse(text), "")) == ["b", "c", "typing.TYPE_CHECKING"]
    assert sorted(imports(ast.parse(text), "", type_only=True)) == ["a", "b", "c", "typing.TYPE_CHECKING"]
