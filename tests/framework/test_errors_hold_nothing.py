"""A handled error keeps no object alive, even without a garbage collection."""

import gc
import weakref

import pytest

import tinytf as tf


class _Value:
    """A value that its conversion function rejects."""


def _convert(value, dtype=None, name=None, as_ref=False):
    raise ValueError("not this one")


tf.register_tensor_conversion_function(_Value, _convert)


def test_failed_call_in_a_graph():
    gc.disable()
    try:
        value = _Value()
        alive = weakref.ref(value)
        with pytest.raises(ValueError, match="not this one"):
            tf.matmul(value, value)
        del value
        assert alive() is None
    finally:
        gc.enable()


def test_failed_eager_operation():
    gc.disable()
    try:
        with tf.EagerSession() as session:
            value = tf.ones([2, 3])
            with pytest.raises(tf.errors.InvalidArgumentError):
                tf.matmul(value, value)
            del value
            session.flush()
            assert session.stats().live == 0
    finally:
        gc.enable()
