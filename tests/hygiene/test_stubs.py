"""Editors and type checkers see the real public names; `test_generated.py` checks that the stubs are up to date."""

import ast
import inspect
import subprocess
import sys
import types

import pytest
from repository import PACKAGE, ROOT, installed_package

import tinytf as tf
from tinytf._gen import gen_ops, raw_ops
from tinytf._src.framework.declarations.op_spec import OpSpec
from tinytf._src.framework.values import dtypes
from tinytf._src.tools import public_stubs

_CONFIG = f"""
[mypy]
strict = True
mypy_path = {ROOT}
[mypy-tinytf.*]
ignore_errors = True
[mypy-google.protobuf.*]
ignore_missing_imports = True
"""

_PROGRAM = """
import numpy as np
import tinytf as tf
import tinytf.compat.v1 as v1
from tinytf import nn
from tinytf._src.framework.graph.type_hints import TensorLike
from tinytf.math import add
from typing_extensions import assert_type

def model(x: TensorLike) -> tf.Tensor:
    w = tf.Variable(np.ones([3, 2]), name="w", dtype=tf.float32)
    assert_type(w, tf.Variable)
    assert_type(w.op, tf.Operation)
    w.assign_add(-w * 0.5)
    return assert_type(tf.nn.relu(tf.matmul(x, w) + 1.0, name="y"), tf.Tensor)

with tf.Graph().as_default() as graph, tf.name_scope("scope") as scope:
    assert_type(graph, tf.Graph)
    assert_type(scope, str)
    x = assert_type(tf.placeholder(tf.float32, [None, 3]), tf.Tensor)
    y = model(x)
    y = 2 * y - x[0] / 3 @ -y
    assert_type(y > 0, tf.Tensor)
    assert_type(v1.math.multiply(nn.softmax(add(y, [[1.0]])), y), tf.Tensor)
    assert_type(tf.raw_ops.Unique(x=[1, 2]).idx, tf.Tensor)
    assert_type(tf.raw_ops.Split(axis=0, value=y, num_split=2), list[tf.Tensor])
    assert_type(tf.raw_ops.Assert(condition=True, data=[y]), tf.Operation)
    loss = assert_type(tf.losses.mean_squared_error(y, tf.zeros_like(y)), tf.Tensor)
    train = assert_type(tf.train.AdamOptimizer(0.1).minimize(loss), tf.Operation)
    with tf.Session(config=tf.ConfigProto()) as sess:
        assert_type(sess, tf.Session)
        try:
            sess.run([train, loss], {x: np.ones([2, 3])})
        except tf.errors.InvalidArgumentError as error:
            print(error.message)
with tf.EagerSession():
    t = tf.ones([2, 2])
    assert_type([float(t[0, 0])] + [float(row[0]) for row in t], list[float])
    assert_type((int(t[0, 0]), complex(t[0, 0]), len(t), range(3)[tf.constant(1)]), tuple[int, complex, int, int])
assert_type(tf.float32, tf.DType)
assert_type(tf.initializers.zeros(), tf.zeros_initializer)
assert_type(tf.test.TestCase(), tf.compat.v1.test.TestCase)
assert_type(tf.compat.as_bytes("text"), bytes)
assert_type(tf.__version__, str)
"""

_MISTAKES = """
import tinytf as tf
tf.nn.relu()
tf.nn.relu(1.0, nmae="y")
tf.raw_ops.Abs(1.0)
tf.math.no_such_function
tf.no_such_name
tf.raw_ops.MatMul(a=1.0, b=object())
"""


def _mypy(folder, programs):
    """The numbers of the lines with a mypy error, by program."""
    (folder / "mypy.ini").write_text(_CONFIG)
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    files = [f"{name}.py" for name in programs]
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", "cache", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    assert done.returncode in (0, 1), done.stderr
    errors = {name: [] for name in programs}
    for line in done.stdout.splitlines():
        file, number, kind = [*line.split(":"), "", ""][:3]
        if kind.strip() == "error":
            errors[file.removesuffix(".py")].append(int(number))
    return errors


def _all_names(module, path, seen):
    """`tf.nn.relu` and so on, for every public name."""
    seen.add(module)
    for name in public_stubs.public_names(module):
        yield f"{path}.{name}"
        value = getattr(module, name)
        if isinstance(value, types.ModuleType) and value not in seen:
            yield from _all_names(value, f"{path}.{name}", seen)


def test_type_checker_follows(tmp_path):
    names = list(_all_names(tf, "tf", set()))
    assert len(names) > 1000
    programs = {"names": "import tinytf as tf\n" + "\n".join(names), "program": _PROGRAM, "mistakes": _MISTAKES}
    every_line = list(range(3, _MISTAKES.count("\n") + 1))
    assert _mypy(tmp_path, programs) == {"names": [], "program": [], "mistakes": every_line}


def _bound(stub):
    """The names exported by a stub: definitions, and imports of the form `x as x`."""
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if alias.name == alias.asname)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets)
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


@pytest.mark.parametrize(
    "name", [n for n, m in public_stubs.namespaces().items() if public_stubs.file_of(m).__name__ == n]
)
def test_stub_has_the_names(name):
    module = public_stubs.namespaces()[name]
    path = PACKAGE.joinpath(*name.split(".")[1:])
    path = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
    names = list(_bound(ast.parse(path.read_text())))
    assert sorted(names) == public_stubs.public_names(module)


def test_public_names_are_no_accidents():
    """No name of `tf` is a Python module or a helper that `tinytf/__init__.py` uses internally."""
    for name in public_stubs.public_names(tf):
        home = inspect.getmodule(getattr(tf, name))
        assert home is None or home.__name__.startswith(("tinytf", "google", "builtins")), name
    assert {"ConfigProto", "Session", "compat", "errors", "nn", "test"} <= set(dir(tf))
    assert not {"annotations", "errors_impl", "framework", "typing"} & set(public_stubs.public_names(tf))


def _stub_definitions(module):
    """The functions, as Python objects, of the stubs behind `gen_ops` or `raw_ops`, and the syntax trees of the
    named tuples.
    """
    whole = ast.parse((PACKAGE / "_gen" / f"{module.__name__.rpartition('.')[2]}.pyi").read_text())
    parts = [node.module.rpartition(".")[2] for node in whole.body if isinstance(node, ast.ImportFrom)]
    body = [node for part in parts for node in ast.parse((PACKAGE / "_gen" / f"{part}.pyi").read_text()).body]
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    future = ast.parse("from __future__ import annotations").body
    found = {"_dtypes": dtypes}
    exec(compile(ast.Module([*future, *functions], []), "stub", "exec"), found)
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    return {node.name: found[node.name] for node in functions}, classes


def _parameters(function, by_keyword=False):
    """The parameters of a function; with `by_keyword`, all as keyword-only."""
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.KEYWORD_ONLY if by_keyword else p.kind, p.default) for p in parameters]


@pytest.mark.parametrize("module", [gen_ops, raw_ops])
def test_signatures_are_those_of_the_wrappers(module):
    stubbed, _ = _stub_definitions(module)
    real = {name: getattr(module, name) for name in dir(module)}
    assert stubbed.keys() == real.keys()
    by_keyword = module is raw_ops
    wrong = [name for name in real if _parameters(stubbed[name]) != _parameters(real[name], by_keyword)]
    assert not wrong, wrong


def test_results_are_those_of_the_wrappers():
    stubbed, classes = _stub_definitions(gen_ops)
    homes = {sys.modules[getattr(gen_ops, name).__module__] for name in dir(gen_ops)}
    specs = [value for home in homes for value in vars(home).values() if isinstance(value, OpSpec)]
    for spec in specs:
        fields = None if spec.result is None else list(spec.result._fields)
        stub = classes.pop(f"_{spec.name}Outputs", None)
        assert (None if stub is None else [node.target.id for node in stub.body]) == fields, spec.name
    assert not classes
    assert len(specs) == len(stubbed)


def test_stubs_travel():
    for stub in PACKAGE.rglob("*.pyi"):
        assert (installed_package() / stub.relative_to(PACKAGE)).exists(), stub
    assert (installed_package() / "py.typed").exists()
