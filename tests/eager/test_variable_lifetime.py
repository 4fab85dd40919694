"""How long variables of eager execution keep their memory, and what their end does to others."""

import gc
import subprocess
import sys
import tempfile

import pytest

import tinytf as tf
from tinytf import _core
from tinytf.framework.errors_impl import SessionClosedError
from tinytf.framework.execution import eager_mode


def test_memory_goes_with_the_variable(eager):
    value = tf.zeros([1000])
    v = tf.Variable(value)
    v.assign_add(value)
    before = _core.live_buffers()
    for _ in range(20):
        v = tf.Variable(value)
        v.assign_add(value)  # has memory of its own from here
    del v
    gc.collect()
    eager.flush(10.0)
    assert _core.live_buffers() <= before


@pytest.mark.usefixtures("eager")
def test_what_was_read_outlives_the_variable():
    v = tf.Variable([1.0, 2.0])
    tensor, array = v.read_value(), v.numpy()
    del v
    assert tensor.numpy().tolist() == [1.0, 2.0]
    assert array.tolist() == [1.0, 2.0]


@pytest.mark.usefixtures("eager")
def test_memory_goes_even_if_a_handle_is_left():
    v = tf.Variable([1.0, 2.0])
    handle = v.handle
    del v
    with pytest.raises(tf.errors.FailedPreconditionError, match="Error while reading resource variable"):
        tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)


def test_variables_end_with_their_session():
    with eager_mode():
        with tf.EagerSession():
            v = tf.Variable([1.0, 2.0])
        with pytest.raises(SessionClosedError):
            v.numpy()
        del v  # quietly


def test_the_interpreter_ends_quietly():
    program = """
import tinytf as tf
from tinytf import _core
import tinytf.eager
_core.set_eager_by_default(True)
kept = tf.Variable([1.0])
class Node: pass
node = Node()
node.itself, node.variable = node, tf.Variable([2.0])
optimizer = tf.train.AdamOptimizer(0.1)
optimizer.apply_gradients([(tf.constant([1.0]), kept)])
"""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=tempfile.gettempdir(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
