"""The effect of an open variable scope on the thread's default graph."""

import threading

import pytest

import tinytf as tf
from tinytf._src.framework.context.entered_devices import innermost_devices


def test_the_graph_of_a_thread_is_not_reset_in_a_variable_scope():
    said = []

    def resets():
        for scope in (tf.variable_scope("a"), tf.variable_scope("b", auxiliary_name_scope=False)):
            with scope, pytest.raises(AssertionError, match="Do not use tf.reset_default_graph"):
                tf.reset_default_graph()
            said.append("refused")
        with tf.name_scope("c"):
            tf.reset_default_graph()
        said.append(tf.get_default_graph().get_operations())

    thread = threading.Thread(target=resets)
    thread.start()
    thread.join()
    assert said == ["refused", "refused", []]


def test_scopes_that_fail_leave_nothing_entered():
    before = innermost_devices()
    with pytest.raises(ValueError, match="scope"):
        tf.variable_scope("a b").__enter__()
    with pytest.raises(RuntimeError), tf.variable_scope("a"), tf.device("/cpu:0"):
        raise RuntimeError
    assert innermost_devices() is before
