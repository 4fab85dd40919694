"""Modules of `tf.contrib` report for missing names whether TensorFlow 1.15 has them."""

import importlib
import pkgutil

import pytest

import tinytf as tf

_MODULES = [f"tinytf.contrib.{module.name}" for module in pkgutil.iter_modules(tf.contrib.__path__)]


@pytest.mark.parametrize("path", ["tinytf.contrib", *_MODULES])
def test_every_module_says_what_it_has(path):
    module = importlib.import_module(path)
    assert all(hasattr(module, name) for name in module.__all__)
    short = path.replace("tinytf", "tf")
    with pytest.raises(AttributeError) as caught:
        module.no_such_name  # noqa: B018
    assert str(caught.value) == f"module '{path}' has no attribute 'no_such_name': tinytf has no {short}.no_such_name"


def test_imports_of_missing_names_fail():
    with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
        from tinytf.contrib.training import no_such_name  # noqa: F401
    assert not hasattr(tf.contrib.saved_model, "save_keras_model")
