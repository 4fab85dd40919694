"""Every op is documented, and has a gradient or says that it has none; every public name of an op leads somewhere."""

import functools
import operator

import pytest

import tinytf as tf
from tinytf import _core
from tinytf.framework import registry

_OPS = {name: _core.op_def(name) for name in sorted(_core.op_names())}


def test_there_are_ops():
    assert len(_OPS) > 100


def test_ops_are_documented():
    silent = [name for name, op in _OPS.items() if not op["doc"].rstrip().endswith(".")]
    assert not silent, silent


def test_ops_have_a_shape_function():
    shapeless = [name for name, op in _OPS.items() if not op["has_shape_fn"]]
    assert not shapeless, shapeless
