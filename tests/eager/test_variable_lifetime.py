"""The lifetime of the memory of eager variables, and side effects of their end."""

import contextlib
import gc
import sys

import pytest
from programs import run_program

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.errors.errors_impl import SessionClosedError

_TWO_DEVICES = tf.ConfigProto(device_count={"CPU": 2})


def test_memory_goes_with_the_variable(eager):
    value = tf.zeros([1000])
    v = tf.Variable(value)
    v.assign_add(value)
    before = _core.live_buffers()
    for _ in range(20):
        v = tf.Variable(value)
        v.assign_add(value)  # from here on the variable has memory of its own
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
        del v  # without output


@contextlib.contextmanager
def _other_device():
    """A session that refuses inputs on another device than the operation's."""
    policy = tf.EagerSession.DevicePlacementPolicy.EXPLICIT
    with tf.EagerSession(config=_TWO_DEVICES, device_placement_policy=policy), tf.device("/cpu:1"):
        yield


@contextlib.contextmanager
def _missing_device():
    """A session without the device that the thread selected."""
    with tf.EagerSession(config=_TWO_DEVICES), tf.device("/cpu:1"), tf.EagerSession():
        yield


@contextlib.contextmanager
def _graph():
    with tf.Graph().as_default() as graph, tf.control_dependencies([tf.constant(1)]), tf.device("/cpu:0"):
        yield
    assert len(graph.get_operations()) == 1


@pytest.fixture
def ignored(monkeypatch):
    """Collects exceptions raised by `__del__` methods."""
    errors = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: errors.append(told.exc_value))
    return errors


@pytest.mark.parametrize("place", [_other_device, _missing_device, _graph, tf.GradientTape, tf.EagerSession])
def test_variables_go_quietly_wherever_garbage_is_collected(eager, place, ignored):
    garbage = [tf.Variable(tf.zeros([1000]))]
    garbage.append(garbage)
    eager.flush()  # the zeros were only needed for the initial value
    before = _core.live_buffers()
    with place():
        del garbage
        gc.collect()
        assert not ignored
    gc.collect()  # frees the graph and its constant
    eager.flush()
    assert _core.live_buffers() < before


@pytest.mark.usefixtures("eager")
def test_a_variable_goes_quietly_where_its_device_is_missing(ignored):
    with tf.EagerSession(config=_TWO_DEVICES):
        with tf.device("/cpu:1"):
            v = tf.Variable([1.0, 2.0])
        with tf.EagerSession():
            del v
    assert not ignored


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
    ended = run_program(program, flags=("-W", "error"))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
