"""Public classes have the base classes, names and attribute rules of TensorFlow 1.15.5, recorded in
`classes_of_1_15.json`: see `classes_of_1_15.py`.
"""

import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest

import tinytf as tf
from tinytf._src.api.missing import missing_names
from tinytf._src.tools.missing_names import find

_TABLE = json.loads(Path(__file__).with_name("classes_of_1_15.json").read_text())
_OTHERS = {
    "ConcreteFunction": "eager.concrete_function",
    "EagerTensor": "framework.tensors.eager_tensor",
    "FuncGraph": "eager.func_graph",
    "Function": "eager.function",
    "RefVariable": "variables.ref_variable",
}
# Intended differences from 1.15.
_BASES = {
    "tf.Graph": "refuses copies by a base class",
    "tf.Operation": "refuses copies by a base class",
    "tf.compat.v2.data.experimental.StatsAggregator": "shares a base with the StatsAggregator of version 1",
    "tf.data.experimental.StatsAggregator": "shares a base with the StatsAggregator of version 2",
    "tf.errors.DeadlineExceededError": "a TimeoutError, too",
    "tf.errors.InvalidArgumentError": "a ValueError, too",
    "tf.errors.NotFoundError": "a LookupError, too",
    "tf.errors.OutOfRangeError": "an IndexError, too",
    "tf.errors.PermissionDeniedError": "a PermissionError, too",
    "tf.errors.UnimplementedError": "a NotImplementedError, too",
    "tf.train.ChiefSessionCreator": "shares a base with WorkerSessionCreator",
    "tf.train.Optimizer": "has its slots and step caches in a base class",
    "tf.train.WorkerSessionCreator": "shares a base with ChiefSessionCreator",
}
_NO_MODULES = ("tf.contrib.rnn.", "tf.nn.rnn_cell.")  # not a `tf.Module` here; some share bases


def _found(name):
    if "." not in name:
        return getattr(import_module(f"tinytf._src.{_OTHERS[name]}"), name) if name in _OTHERS else None
    parts = name.split(".")
    if any(".".join(parts[:n]) in missing_names() for n in range(2, len(parts) + 1)):
        return None
    try:
        return find(name)
    except AttributeError:
        return None


_CLASSES = {name: value for name in _TABLE if inspect.isclass(value := _found(name))}
_FIRST_NAMES = {value: name for name, value in reversed(_CLASSES.items())}


def _name_of(cls):
    return _FIRST_NAMES.get(cls) or (cls.__name__ if cls.__module__ == "builtins" else None)


def _is_known(base):
    return base is not None and (base in _CLASSES or "." not in base)


@pytest.mark.parametrize("name", _CLASSES)
def test_bases(name):
    _, _, bases, ancestors, _ = _TABLE[name]
    cls = _CLASSES[name]
    if name.startswith(_NO_MODULES):
        ancestors = [a for a in ancestors if a != "tf.Module"]
    assert [n for n in map(_name_of, cls.__mro__[1:]) if n] == [a for a in ancestors if _is_known(a)] or name in _BASES
    if all(map(_is_known, bases)) and not name.startswith(_NO_MODULES):
        assert list(map(_name_of, cls.__bases__)) == bases or name in _BASES


@pytest.mark.parametrize("name", _CLASSES)
def test_names(name):
    assert _CLASSES[name].__name__ == _TABLE[name][1]


@pytest.mark.parametrize("name", _CLASSES)
def test_instances_take_attributes_of_users(name):
    assert bool(_CLASSES[name].__dictoffset__) == _TABLE[name][4]


def test_every_tensor_says_its_class():
    x = tf.constant(1.0)
    assert type(x) is tf.Tensor and {tf.Tensor: "tensor"}[type(x)] == "tensor" and type(x).__name__ == "Tensor"
    assert type(tf.placeholder(tf.float32)) is type(x + x) is type(tf.Variable(1.0).value()) is tf.Tensor


def test_methods_put_on_tensors_are_called(monkeypatch):
    monkeypatch.setattr(tf.Tensor, "__repr__", lambda self: "mine")
    monkeypatch.setattr(tf.Tensor, "twice", lambda self: self + self, raising=False)
    assert repr(tf.constant(1.0)) == "mine" and tf.constant(1.0).twice().op.type in ("Add", "AddV2")
