"""TensorFlow's module paths lead to the names of `tf.train`."""

import importlib
import pkgutil

import pytest

import tinytf as tf
from tinytf.python import training

_MODULES = [module.name for module in pkgutil.iter_modules(training.__path__) if not module.ispkg]


@pytest.mark.parametrize("name", _MODULES)
def test_names_of_a_module(name):
    module = importlib.import_module(f"tinytf.python.training.{name}")
    assert getattr(training, name) is module
    for public in module.__all__:
        assert hasattr(module, public)
        if hasattr(tf.train, public) and not isinstance(getattr(tf.train, public), type(tf)):
            assert getattr(module, public) is getattr(tf.train, public)


def test_resources():
    from tinytf.python.ops import resources

    handle = tf.constant(1, name="handle")
    made = tf.get_variable("made", initializer=0.0)
    ready = tf.is_variable_initialized(made)
    resources.register_resource(handle, made.initializer, ready)
    resources.register_resource(tf.constant(2, name="own"), tf.no_op(), tf.constant(False), is_shared=False)
    missing = resources.report_uninitialized_resources()
    create = resources.initialize_resources(resources.shared_resources())
    with tf.Session() as sess:
        assert list(sess.run(missing)) == [b"handle:0", b"own:0"]
        sess.run(create)
        assert list(sess.run(missing)) == [b"own:0"]
    assert len(resources.local_resources()) == 1
