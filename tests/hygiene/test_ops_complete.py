"""Every op is documented, can infer its shapes, and has a gradient or says that it has none."""

from tinytf import _core

_OPS = {name: _core.op_def(name) for name in sorted(_core.op_names())}


def test_there_are_ops():
    assert len(_OPS) > 100


def test_ops_are_documented():
    silent = [name for name, op in _OPS.items() if not op["doc"].rstrip().endswith(".")]
    assert not silent, silent


def test_ops_have_a_shape_function():
    shapeless = [name for name, op in _OPS.items() if not op["has_shape_fn"]]
    assert not shapeless, shapeless
