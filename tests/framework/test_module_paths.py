"""TensorFlow's module paths exist under `tinytf.python` for programs that import them, and are loaded on first use."""

import functools
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.eager.defined.defun import Defun
from tinytf.core import _BY_PATH as MESSAGES
from tinytf.python.paths import BY_PATH, CONTRIB, GENERATED

# Of each module of generated op functions in 1.15: its functions.
_GENERATED_THERE = {
    path: names.split()
    for path, _, names in (
        line.partition(": ") for line in Path(__file__).with_name("gen_names_of_1_15.txt").read_text().splitlines()
    )
}


def test_nothing_is_loaded_before_it_is_used(tmp_path):
    program = (
        "import sys, tinytf as tf\n"
        "assert not [name for name in sys.modules if name.startswith(('tinytf.python.', 'tinytf._src.profiler.timeline'))]\n"
        "assert tf.python.client.session.Session is tf.Session\n"
        "from tinytf.python.client import timeline\n"
        "assert tf.python.client.timeline is timeline\n"
        "assert tf.python.framework.ops.Graph is tf.Graph\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("framework.ops", "reset_default_graph", tf.reset_default_graph),
        ("framework.ops", "RegisterGradient", tf.RegisterGradient),
        ("framework.ops", "convert_to_tensor", tf.convert_to_tensor),
        ("framework.dtypes", "float32", tf.float32),
        ("framework.errors", "OpError", tf.OpError),
        ("framework.function", "Defun", Defun),
        ("framework.errors_impl", "NotFoundError", tf.errors.NotFoundError),
        ("framework.tensor_shape", "TensorShape", tf.TensorShape),
        ("framework.tensor_util", "make_tensor_proto", tf.make_tensor_proto),
        ("framework.sparse_tensor", "SparseTensor", tf.SparseTensor),
        ("client.session", "InteractiveSession", tf.InteractiveSession),
        ("platform.tf_logging", "info", tf.logging.info),
        ("platform.gfile", "GFile", tf.gfile.GFile),
        ("util.compat", "as_bytes", tf.compat.as_bytes),
        ("util.deprecation", "deprecated", tf.contrib.framework.deprecated),
        ("util.nest", "flatten", tf.nest.flatten),
        ("eager.context", "executing_eagerly", tf.executing_eagerly),
        ("eager.backprop", "GradientTape", tf.GradientTape),
        ("eager.backprop", "implicit_grad", tf.contrib.eager.implicit_gradients),
        ("eager.function", "defun", tf.contrib.eager.defun),
        ("ops.confusion_matrix", "confusion_matrix", tf.confusion_matrix),
        ("ops.control_flow_ops", "while_loop", tf.while_loop),
        ("ops.resource_variable_ops", "ResourceVariable", tf.contrib.eager.Variable),
        ("ops.rnn", "dynamic_rnn", tf.nn.dynamic_rnn),
        ("ops.rnn_cell_impl", "LSTMCell", tf.nn.rnn_cell.LSTMCell),
        ("ops.variable_scope", "get_variable", tf.get_variable),
        ("ops.variable_scope", "EagerVariableStore", tf.contrib.eager.EagerVariableStore),
    ],
)
def test_names_are_the_packages(path, name, value):
    module = importlib.import_module(f"tinytf.python.{path}")
    assert getattr(module, name) is value
    package, _, last = path.partition(".")
    assert getattr(getattr(tf.python, package), last) is module


def test_local_devices():
    """Programs look for GPUs this way."""
    from tinytf.python.client import device_lib

    (cpu,) = device_lib.list_local_devices()
    assert (cpu.name, cpu.device_type) == ("/device:CPU:0", "CPU") and cpu.memory_limit > 0 and cpu.incarnation
    names = [d.name for d in device_lib.list_local_devices(tf.ConfigProto(device_count={"CPU": 2, "GPU": 1}))]
    assert names == ["/device:CPU:0", "/device:CPU:1"]


def test_every_exported_name_exists():
    for path in (
        "client.device_lib",
        "client.session",
        "client.timeline",
        "eager.backprop",
        "eager.context",
        "eager.function",
    ):
        module = importlib.import_module(f"tinytf.python.{path}")
        assert all(hasattr(module, name) for name in module.__all__)


def test_ops_has_the_names_of_the_root_and_some_more():
    ops = importlib.import_module("tinytf.python.framework.ops")
    names = {name for name in vars(ops) if not name.startswith("_")}
    more = {name for name in names if not hasattr(tf, name)}
    assert all(getattr(ops, name) is getattr(tf, name) for name in names - more)
    assert {
        "Graph",
        "GraphKeys",
        "Operation",
        "RegisterGradient",
        "Tensor",
        "convert_to_tensor",
        "device",
    } <= names - more
    assert {"IndexedSlicesValue", "has_default_graph", "get_gradient_function", "strip_name_scope"} <= more
    assert all(getattr(ops, name).__module__.startswith("tinytf.") for name in names)


@pytest.mark.parametrize("package", [tf.python, tf.python.client, tf.python.framework], ids=lambda p: p.__name__)
def test_other_names_are_errors(package):
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no_such_part'"):
        package.no_such_part  # noqa: B018


def _value(name):
    return functools.reduce(getattr, name.split("."), tf)


@pytest.mark.parametrize("path", BY_PATH.all_names())
def test_modules_of_the_table_have_the_public_names(path):
    module = importlib.import_module(f"tinytf.python.{path}")
    for name, place in BY_PATH.all_names()[path].items():
        assert getattr(module, name) is _value(place), (path, name)


@pytest.mark.parametrize("path", CONTRIB.all_names())
def test_modules_of_contrib_have_the_public_names(path):
    module = importlib.import_module(f"tinytf.contrib.{path}")
    for name, place in CONTRIB.all_names()[path].items():
        assert getattr(module, name) is _value(f"contrib.{place}"), (path, name)


def _function(name):
    """The function of an op by its name in TensorFlow, or None: `_max` is `max` here, and `_if` is `if_`."""
    return getattr(gen_ops, name, None) or (getattr(gen_ops, name[1:], None) or getattr(gen_ops, name[1:] + "_", None))


@pytest.mark.parametrize("path", _GENERATED_THERE)
def test_modules_of_op_functions_have_all_that_are_here(path):
    here = {name: value for name in _GENERATED_THERE[path] if (value := _function(name)) is not None}
    assert set(GENERATED.all_names().get(path, ())) == set(here)
    if here:
        module = importlib.import_module(f"tinytf.python.{path}")
        assert {name: getattr(module, name) for name in here} == here


@pytest.mark.parametrize("path", MESSAGES.all_names())
def test_modules_of_messages_have_them(path):
    module = importlib.import_module(f"tinytf.core.{path}")
    assert module.__all__ == sorted(MESSAGES.all_names()[path])
    for name in module.__all__:
        assert getattr(module, name) is getattr(protos, name)


def test_names_come_before_modules_that_are_called_alike():
    from tinytf.contrib.framework.python.ops import arg_scope
    from tinytf.contrib.framework.python.ops.arg_scope import arg_scope as again

    importlib.import_module("tinytf.contrib.framework.python.ops.arg_scope")
    assert arg_scope is again is tf.contrib.framework.arg_scope is tf.contrib.framework.python.ops.arg_scope


def test_a_star_takes_them_all():
    names = {}
    exec("from tinytf.core.framework.summary_pb2 import *\nfrom tinytf.python.training.adam import *", names)
    assert names["Summary"] is tf.Summary and names["AdamOptimizer"] is tf.train.AdamOptimizer


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ("tinytf.core.framework.no_pb2", "No module named 'tinytf.core.framework.no_pb2'"),
        ("tinytf.python.training.no", "No module named 'tinytf.python.training.no'"),
        ("tinytf.python.no.such", "No module named 'tinytf.python.no'"),
    ],
)
def test_other_modules_are_not_found(module, says):
    with pytest.raises(ModuleNotFoundError, match=says):
        importlib.import_module(module)


def test_other_names_of_such_modules_are_errors():
    from tinytf.core.framework import graph_pb2

    from tinytf.python.training import adam

    for module in (graph_pb2, adam):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'no_such_name'"):
            module.no_such_name  # noqa: B018


@pytest.mark.oracle
def test_tensorflow_has_them_there(oracle1):
    program = """
import functools, importlib
def value(root, name): return functools.reduce(getattr, name.split("."), root)
result = []
for root, table in tables.items():
    for path, names in table.items():
        module = importlib.import_module(root + "." + path)
        result += [path + "." + name for name in names if not hasattr(module, name)]
"""
    tables = {"tensorflow.python": BY_PATH, "tensorflow.contrib": CONTRIB, "tensorflow.core": MESSAGES}
    assert oracle1(program, tables={root: table.all_names() for root, table in tables.items()}) == []


@pytest.mark.oracle
def test_tensorflow_has_the_same_op_functions(oracle1):
    program = """
import importlib, inspect
def functions(path):
    module = importlib.import_module("tensorflow.python." + path)
    own = (n for n, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__)
    return sorted(n for n in own if n.strip("_")[0].islower() and not n.endswith("_eager_fallback"))
result = {path: functions(path) for path in paths}
"""
    assert oracle1(program, paths=list(_GENERATED_THERE)) == _GENERATED_THERE
