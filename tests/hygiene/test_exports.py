"""Public names are declared once, where things are defined; the table that is written from that leads to each of them; and
what importing loads does not depend on how many there are."""

import json
import re
import subprocess
import sys
import textwrap
from importlib import import_module

import pytest
from python_imports import module_name
from repository import PACKAGE, python_files

import tinytf as tf
from tinytf._gen.namespaces import NAMESPACES
from tinytf._gen.public_names import PLACES
from tinytf.tools import public_names

# Public names that a room of the package has as well: the room is loaded with the package, before the name is settled.
_ALSO_ROOMS = {"gradients"}


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
    """A module of the package becomes an attribute of it when it is first loaded, and must not take a name's place."""
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    others = {name for name in parts & set(PLACES) if PLACES[name] != f".{name}:"}
    assert others == _ALSO_ROOMS
    assert not parts & set(NAMESPACES)


# What families of ops offer other modules under TensorFlow's names, and TensorFlow has in its modules only.
_OF_MODULES = {
    "tinytf.ops.control_flow.cases.case_by",
    "tinytf.ops.control_flow.cond_context.CondContext",
    "tinytf.ops.control_flow.context.ControlFlowContext",
    "tinytf.ops.control_flow.dependencies.with_dependencies",
    "tinytf.ops.control_flow.primitives.exit",
    "tinytf.ops.control_flow.primitives.merge",
    "tinytf.ops.control_flow.primitives.switch",
    "tinytf.ops.control_flow.while_context.WhileContext",
    "tinytf.ops.nn.confusion_matrix.remove_squeezable_dimensions",
    "tinytf.ops.nn.weights_broadcast_ops.assert_broadcastable",
    "tinytf.ops.nn.weights_broadcast_ops.broadcast_weights",
}
# A module of TensorFlow's of which nothing is public.
_PRIVATE = "tinytf.ops.data_flow.list_ops"


def test_what_families_of_ops_offer_is_declared():
    """Nobody adds a function to a list and forgets to make it public."""
    public = {id(_find(name)) for name in PLACES}
    offered = {}
    for name in set(map(module_name, python_files(PACKAGE / "ops"))) - {_PRIVATE}:
        for attribute in getattr(import_module(name), "__all__", ()):
            value = getattr(import_module(name), attribute)
            offered[id(value)] = f"{getattr(value, '__module__', name)}.{attribute}"
    assert len(offered) > 100
    assert {name for key, name in offered.items() if key not in public} == _OF_MODULES


def _run(program, folder):
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Forks once for each place, so that nothing but the package itself is loaded before.
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


def test_every_module_may_be_the_first(tmp_path):
    """Public or not: none needs another one to be loaded before it."""
    modules = sorted(map(module_name, python_files()))
    modules = [name for name in modules if not name.startswith(("tinytf.__main__", "tinytf.tools", "tinytf.demos"))]
    assert len(modules) > 250
    command = [sys.executable, "-W", "ignore", "-c", _FIRST, *modules]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_importing_loads_no_op(tmp_path):
    """Nor what a program may not need: those rooms and families are loaded with the first name that leads there."""
    found = _run("import sys, json, tinytf; print(json.dumps(list(sys.modules)))", tmp_path)
    loaded = {name for name in json.loads(found) if name.startswith("tinytf.")}
    rooms = {name.split(".")[1] for name in loaded} - set(NAMESPACES)
    assert rooms <= set(
        "_core _gen _main_interpreter api compat exports framework gradients ops protos variables version".split()
    )
    assert {name for name in loaded if name.startswith("tinytf.gradients")} == {
        "tinytf.gradients",
        "tinytf.gradients.registry",
    }
    families = {".".join(name.split(".")[2:3]) for name in loaded if name.startswith("tinytf.ops.")}
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
