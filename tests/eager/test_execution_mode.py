"""Switching between synchronous and asynchronous execution while a program runs."""

import pytest
from programs import run_program

import tinytf as tf
import tinytf.contrib.eager as tfe

pytestmark = pytest.mark.usefixtures("eager")


def is_async():
    return tf.EagerSession.current().is_async


def failing():
    return tf.reshape(tf.constant([1.0, 2.0]), [3])


def test_the_body_runs_in_the_other_way():
    x = tf.constant(2.0)
    v = tf.Variable(1.0)
    assert not is_async()
    with tfe.execution_mode(tfe.ASYNC):
        assert is_async()
        y = x * 3.0
        v.assign_add(y)
        w = tf.Variable(5.0)
        with tfe.execution_mode(tfe.SYNC):
            assert not is_async()
            assert float(y) == 6.0
        assert is_async()
    assert not is_async()
    assert (float(y + 1.0), float(v), float(w.assign_add(1.0))) == (7.0, 7.0, 6.0)


@pytest.mark.parametrize("mode", [None, tfe.SYNC])
def test_nothing_changes_for_the_way_it_is(mode):
    session = tf.EagerSession.current()
    with tfe.execution_mode(mode):
        assert tf.EagerSession.current() is session


def test_there_are_two_ways_only():
    text = "^execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC$"
    with pytest.raises(ValueError, match=text), tfe.execution_mode(2):
        pass
    with pytest.raises(ValueError, match=text):
        tfe.set_execution_mode("async")


def test_errors_come_at_the_end_and_do_not_stay():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Reshape"), tfe.execution_mode(tfe.ASYNC):
        kept = failing()
    del kept
    with tfe.execution_mode(tfe.ASYNC):
        assert float(tf.constant(1.0) + 1.0) == 2.0


def test_errors_of_the_body_win():
    with pytest.raises(KeyError), tfe.execution_mode(tfe.ASYNC):
        failing()
        raise KeyError
    with tfe.execution_mode(tfe.ASYNC):
        assert float(tf.constant(1.0) + 1.0) == 2.0


def test_waiting_and_clearing():
    with tfe.execution_mode(tfe.ASYNC):
        bad = failing()
        with pytest.raises(tf.errors.InvalidArgumentError):
            tfe.async_wait()
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.constant(1.0) + 1.0
        tfe.async_clear_error()
        assert float(tf.constant(1.0) + 1.0) == 2.0
        tfe.async_wait()
        del bad


def test_from_here_on():
    tfe.set_execution_mode(tfe.ASYNC)
    assert is_async()
    x = tf.constant(1.0) + 1.0
    tfe.set_execution_mode(tfe.ASYNC)
    kept = failing()
    with pytest.raises(tf.errors.InvalidArgumentError):
        tfe.set_execution_mode(tfe.SYNC)
    assert not is_async()
    assert float(x) == 2.0
    tfe.set_execution_mode(None)
    del kept


def test_from_here_to_the_end_of_a_scope():
    with tf.EagerSession():
        tfe.set_execution_mode(tfe.ASYNC)
        assert is_async()
    assert not is_async()
    with tfe.execution_mode(tfe.ASYNC):
        tfe.set_execution_mode(tfe.SYNC)
        assert not is_async()
    with tfe.execution_mode(tfe.ASYNC):
        for mode in (tfe.SYNC, tfe.ASYNC) * 3:
            tfe.set_execution_mode(mode)
    assert not is_async()


def test_gradients_across():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = w * w
        with tfe.execution_mode(tfe.ASYNC):
            z = y * w
        loss = z + 1.0
    assert float(tape.gradient(loss, w)) == 27.0


def test_the_sessions_end_is_the_twins():
    with tf.EagerSession() as session:
        with tfe.execution_mode(tfe.ASYNC):
            twin = tf.EagerSession.current()
            x = tf.constant(1.0) + 1.0
        assert twin._other_way() is session and session._other_way() is twin
        assert not twin.closed
    assert twin.closed
    with pytest.raises(tf.eager.SessionClosedError):
        x.numpy()


def test_resetting_and_closed_sessions():
    with tf.EagerSession() as session:
        with tfe.execution_mode(tfe.ASYNC):
            x = tf.constant(1.0) + 1.0
        session.reset()
        with pytest.raises(tf.eager.SessionClosedError):
            x.numpy()
        session.close()
        with pytest.raises(tf.eager.SessionClosedError), tfe.execution_mode(tfe.ASYNC):
            pass


def test_the_default_sessions_twin_ends_with_the_process():
    program = (
        "import tinytf as tf, tinytf.contrib.eager as tfe\ntf.enable_eager_execution()\n"
        "with tfe.execution_mode(tfe.ASYNC):\n  x = tf.constant(1.) + 1.\nprint(float(x))"
    )
    done = run_program(program, flags=("-W", "error"))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "2.0\n")
