"""Every public name has a docstring."""

import inspect
import types

import pytest

import tinytf as tf


def public_objects(namespace, prefix, seen):
    """Yields (name, object) for functions and classes reachable as tf.X or tf.X.Y."""
    for name in dir(namespace):
        value = getattr(namespace, name)
        if name.startswith("_"):
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith("tinytf.") and value not in seen and prefix.count(".") < 3:
                seen.add(value)
                yield from public_objects(value, f"{prefix}.{name}", seen)
        elif inspect.isclass(value) or inspect.isroutine(value):
            if (getattr(value, "__module__", "") or "").startswith("tinytf"):
                yield f"{prefix}.{name}", value


def test_public_names_have_docstrings():
    silent = sorted({name for name, value in public_objects(tf, "tf", set()) if not inspect.getdoc(value)})
    assert not silent, silent


@pytest.mark.parametrize(
    "cls",
    [tf.Session, tf.InteractiveSession, tf.Graph, tf.Operation, tf.Tensor, tf.DeviceSpec, tf.TensorShape, tf.DType],
)
def test_public_members_have_docstrings(cls):
    """Methods and properties have docstrings, including inherited ones."""
    members = {name: inspect.getattr_static(cls, name) for name in dir(cls) if not name.startswith("_")}
    told = {
        name: value for name, value in members.items() if callable(getattr(cls, name)) or isinstance(value, property)
    }
    assert told
    silent = sorted(name for name in told if not inspect.getdoc(told[name]))
    assert not silent, silent
