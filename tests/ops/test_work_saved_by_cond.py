"""Wrappers leave work that may not be needed to `tf.cond`, from the moment on that there is one."""

import numpy as np
import pytest

import tinytf as tf
from tinytf.ops.logging import logging_ops


@pytest.fixture
def taken(monkeypatch):
    """A `cond` that takes one branch while the graph is built, and the names that it was asked with."""
    names = []

    def cond(pred, true_fn, false_fn, name=None):
        names.append(name)
        result = false_fn()
        return tf.identity(0) if isinstance(result, tf.Operation) else result

    monkeypatch.setattr(logging_ops, "_cond", None)  # afterwards as before
    logging_ops.save_work_by(cond)
    return names


def test_an_assertion_on_numbers(taken):
    with tf.Graph().as_default() as graph:
        tf.Assert(tf.placeholder(tf.bool, []), [tf.constant(1.5)])
        tf.Assert(tf.placeholder(tf.bool, []), ["text costs nothing"])
    assert taken == ["AssertGuard"]
    assert [op.name for op in graph.get_operations() if op.type == "Assert"] == ["Assert/Assert", "Assert_1/Assert"]


def test_a_count_of_zeros(taken):
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.nn.zero_fraction(np.float32([0, 1, 0, 2]))) == 0.5
    assert len(taken) == 1
