"""`Session.reset`: every open session of the process loses its containers and is closed."""

import threading

import pytest

import tinytf as tf
from tinytf._src import protos


def test_sessions_lose_their_state_and_are_closed():
    v = tf.Variable(1.0)
    with tf.Session() as one, tf.Session(graph=tf.Graph()) as two:
        one.run(v.initializer)
        assert one.run(v) == 1.0
        tf.Session.reset("")
        for sess, fetches in ((one, v), (two, [])):
            assert sess._engine.closed()
            if fetches is v:
                with pytest.raises(tf.errors.CancelledError, match="Session has been closed."):
                    sess.run(fetches)
        assert one.graph is v.graph  # the Python graph stays
    with tf.Session() as three, pytest.raises(tf.errors.FailedPreconditionError):
        three.run(v)


def test_variables_of_closed_sessions_are_freed():
    from tinytf import _core

    v = tf.Variable(tf.zeros([1000]), use_resource=True)
    sess = tf.Session()
    before = _core.live_buffers()
    sess.run(v.initializer)
    assert _core.live_buffers() > before
    tf.Session.reset("", ["localhost"])
    assert _core.live_buffers() <= before
    sess.close()


@pytest.mark.parametrize("containers", [None, [], ["localhost"], [b"localhost", "experiment0"], ("nowhere",)])
@pytest.mark.parametrize("target", ["", b"", None])
def test_arguments(target, containers):
    sess = tf.Session()
    tf.Session.reset(target, containers, config=protos.ConfigProto())
    assert sess._engine.closed()
    sess.close()


def test_wrong_arguments_reset_nothing():
    with tf.Session() as sess:
        with pytest.raises(TypeError, match="^target must be a string, but got <class 'int'>$"):
            tf.Session.reset(3)
        with pytest.raises(TypeError, match="^config must be a tf.ConfigProto, but got <class 'int'>$"):
            tf.Session.reset("", config=3)
        with pytest.raises(tf.errors.NotFoundError) as caught:
            tf.Session.reset("grpc://nowhere:1")
        assert caught.value.message.startswith(
            'No session factory registered for the given session options: {target: "grpc://nowhere:1"'
        )
        assert sess.run(tf.constant(1)) == 1


def test_sessions_of_other_threads_too():
    def work():
        made.append(tf.Session(graph=graph))
        ready.wait()
        ready.wait()
        with pytest.raises(tf.errors.CancelledError):
            made[0].run(c)
        made[0].close()
        seen.append(True)

    with tf.Graph().as_default() as graph:
        c = tf.constant(1)
    made, seen, ready = [], [], threading.Barrier(2)
    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    tf.Session.reset("")
    ready.wait()
    thread.join()
    assert seen == [True]


def test_interactive_sessions_too():
    sess = tf.InteractiveSession()
    c = tf.constant(1)
    tf.Session.reset("")
    assert tf.get_default_session() is sess
    with pytest.raises(tf.errors.CancelledError):
        c.eval()
    sess.close()
    assert tf.get_default_session() is None
