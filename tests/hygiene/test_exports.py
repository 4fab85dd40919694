"""Public names are declared once, where the objects are defined; the generated table leads to each of them, and
importing the package loads a fixed set of modules.
"""

import json
import re
import subprocess
import sys
import textwrap
from importlib import import_module

import pytest
from python_imports import module_name, room_of
from repository import IMPLEMENTATION, PACKAGE, python_files

import tinytf as tf
from tinytf._gen.namespaces import NAMESPACES
from tinytf._gen.public_names import PLACES
from tinytf._src.tools import public_names


def _find(name):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


def test_every_name_leads_to_its_place():
    for name, place in PLACES.items():
        home, _, attribute = place.partition(":")
        module = import_module(home, "tinytf")
        assert _find(name) is (getattr(module, attribute) if attribute else module), name


def test_every_namespace_is_declared():
    assert {name.rpartition(".")[0] for name in (*PLACES, *NAMESPACES)} == {"", *NAMESPACES}
    assert not set(PLACES) & set(NAMESPACES)
    assert all(NAMESPACES.values())


def test_rooms_and_names_do_not_meet():
    """A submodule becomes an attribute of the package when it is loaded, and must not shadow a public name."""
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert not {name for name in parts & set(PLACES) if PLACES[name] != f".{name}:"}
    assert not parts & set(NAMESPACES)


# Names that op modules offer to other modules and that TensorFlow has in its modules but not publicly.
_OF_MODULES = {
    "tinytf._src.ops.control_flow.cases.case_by",
    "tinytf._src.ops.control_flow.cond_context.CondContext",
    "tinytf._src.ops.control_flow.context.ControlFlowContext",
    "tinytf._src.ops.control_flow.dependencies.with_dependencies",
    "tinytf._src.ops.control_flow.primitives.exit",
    "tinytf._src.ops.control_flow.primitives.merge",
    "tinytf._src.ops.control_flow.primitives.switch",
    "tinytf._src.ops.control_flow.while_context.WhileContext",
    "tinytf._src.ops.nn.confusion_matrix.remove_squeezable_dimensions",
    "tinytf._src.ops.nn.weights_broadcast_ops.assert_broadcastable",
    "tinytf._src.ops.nn.weights_broadcast_ops.broadcast_weights",
}
# A module of TensorFlow's of which nothing is public.
_PRIVATE = "tinytf._src.ops.data_flow.list_ops"


def test_what_families_of_ops_offer_is_declared():
    """Every function in `__all__` of the op modules is declared public."""
    public = {id(_find(name)) for name in PLACES}
    offered = {}
    for name in set(map(module_name, python_files(IMPLEMENTATION / "ops"))) - {_PRIVATE}:
        for attribute in getattr(import_module(name), "__all__", ()):
            value = getattr(import_module(name), attribute)
            offered[id(value)] = f"{getattr(value, '__module__', name)}.{attribute}"
    assert len(offered) > 100
    assert {name for key, name in offered.items() if key not in public} == _OF_MODULES


def _run(program, folder):
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Forks once per module, so that only the package itself is loaded before.
_FIRST = """
import os, sys
import tinytf
from importlib import import_module
failed = False
for home in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            import_module(home, "tinytf")
        except BaseException as e:
            print(home, repr(e), flush=True)
            os._exit(1)
        os._exit(0)
    failed |= os.waitpid(child, 0)[1] != 0
sys.exit(failed)
"""


_PARTS = 8  # one test of all modules takes minutes on a busy machine


@pytest.mark.parametrize("part", range(_PARTS))
def test_every_module_may_be_the_first(tmp_path, part):
    """Every module, public or not, can be imported first."""
    modules = sorted(map(module_name, python_files()))
    modules = [
        name for name in modules if not name.startswith(("tinytf.__main__", "tinytf._src.tools", "tinytf.demos"))
    ]
    assert len(modules) > 250
    command = [sys.executable, "-W", "ignore", "-c", _FIRST, *modules[part::_PARTS]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_importing_loads_no_op(tmp_path):
    """Importing the package loads no op; subpackages that a program may not need are loaded by their first name."""
    found = _run("import sys, json, tinytf; print(json.dumps(list(sys.modules)))", tmp_path)
    loaded = {name for name in json.loads(found) if name.startswith("tinytf.")}
    rooms = {room_of(name) for name in loaded} - set(NAMESPACES)
    assert rooms <= set(
        "_core _gen _main_interpreter _src api compat exports framework gradients ops protos variables version".split()
    )
    assert {name for name in loaded if name.startswith("tinytf._src.gradients")} == {
        "tinytf._src.gradients",
        "tinytf._src.gradients.registry",
    }
    families = {name.split(".")[3] for name in loaded if name.startswith("tinytf._src.ops.")}
    assert families <= {"arguments", "array", "linalg", "math", "operators", "script", "state"}
    assert {name for name in loaded if name.startswith("tinytf._gen.")} == {
        "tinytf._gen.gen_ops",
        "tinytf._gen.namespaces",
    }


def test_functions_of_ops_are_loaded_by_family(tmp_path):
    program = "import sys, json, tinytf as tf; tf.math.tanh, tf.raw_ops.Any; print(json.dumps(list(sys.modules)))"
    loaded = {name for name in json.loads(_run(program, tmp_path)) if name.startswith("tinytf._gen.")}
    assert {name for name in loaded if name.endswith("_ops")} == {
        f"tinytf._gen.{name}_ops" for name in ("gen", "raw", "math")
    }


def _package(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    return public_names.table(folder, {"abs": "._gen.math_ops:abs", "math.neg": "._gen.math_ops:neg"})


def test_what_declarations_say(tmp_path):
    places, namespaces = _package(
        tmp_path,
        first='''
            """What it holds."""
            __all__ = ["x", "y"]
            @called_by_users
            @tf_export("math.abs", "abs")
            def absolute(): ...
            @tf_export("Kind")
            class Kind: ...
            tf_export("nothing").constant(__name__, "none")
            tf_export("*", "types.*").constants("other.place", "int8", "int16")
            tf_export("list.*").constants(__name__, *__all__)
            tf_export("mock").module("unittest.mock")
            tf_export("math").namespace(__doc__)
            tf_export("types").namespace("Types.")
        ''',
        second="def tf_exported(): ...",
    )
    own = ".first:"
    assert {name: place.replace(tmp_path.name, "") for name, place in places.items()} == {
        "math.abs": f"{own}absolute",
        "abs": f"{own}absolute",
        "Kind": f"{own}Kind",
        "nothing": f"{own}none",
        "int8": "other.place:int8",
        "int16": "other.place:int16",
        "types.int8": "other.place:int8",
        "types.int16": "other.place:int16",
        "list.x": f"{own}x",
        "list.y": f"{own}y",
        "mock": "unittest.mock:",
        "math.neg": "._gen.math_ops:neg",
    }
    assert namespaces == {"math": "What it holds.", "types": "Types."}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '@tf_export("a")\ndef f(): ...\n@tf_export("a")\ndef g(): ...',
            "tf.a is declared twice: .first:f and .first:g",
        ),
        ("@tf_export(NAME)\ndef f(): ...", "first, line 1: the arguments of tf_export must be string literals"),
        ('tf_export("*").constants(__name__, *__all__)', "has no list __all__"),
    ],
)
def test_wrong_declarations(tmp_path, text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        _package(tmp_path, first=text)
