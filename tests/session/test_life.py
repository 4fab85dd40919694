"""Creating, entering, leaving and closing sessions, and the stacks of defaults."""

import gc
import threading

import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src import protos


def _text(error):
    return getattr(error.value, "message", None) or str(error.value)


# -- Construction ------------------------------------------------------------------------------------------------------


def test_argument_types():
    with pytest.raises(TypeError, match="^graph must be a tf.Graph, but got <class 'int'>$"):
        tf.Session(target=3, graph=3, config=3)
    with pytest.raises(TypeError, match="^target must be a string, but got <class 'int'>$"):
        tf.Session(target=3, config=3)
    with pytest.raises(TypeError, match="^config must be a tf.ConfigProto, but got <class 'int'>$"):
        tf.Session(config=3)
    with pytest.raises(TypeError) as caught:
        tf.Session(protos.ConfigProto())
    assert str(caught.value).endswith('. Did you do "Session(config)" instead of "Session(config=config)"?')


def test_targets():
    for target in ("", b"", None):
        with tf.Session(target) as sess:
            assert sess.sess_str == b""
    with pytest.raises(tf.errors.NotFoundError) as caught:
        tf.Session("grpc://nowhere:1")
    assert _text(caught).startswith('No session factory registered for the given session options: {target: "grpc://')


def test_the_graph_is_the_default_graph_of_the_moment():
    with tf.Graph().as_default() as graph:
        sess = tf.Session()
    assert sess.graph is graph
    assert tf.get_default_graph() is not graph
    sess.close()


def test_an_empty_graph():
    with tf.Session() as sess, pytest.raises(RuntimeError) as caught:
        sess.run([])
    assert str(caught.value) == "The Session graph is empty.  Add operations to the graph before calling run()."


def test_sessions_share_a_graph_but_no_state():
    v = tf.get_variable("v", initializer=1.0)
    add = tf.assign_add(v, 1.0)
    with tf.Session() as one, tf.Session() as two:
        for sess in (one, two):
            sess.run(tf.global_variables_initializer())
        one.run(add)
        assert one.run(v) == 2 and two.run(v) == 1


# -- Defaults ----------------------------------------------------------------------------------------------------------


def test_a_session_is_no_default_until_entered():
    sess = tf.Session()
    assert tf.get_default_session() is None
    with sess.as_default() as entered:
        assert entered is sess and tf.get_default_session() is sess
        with sess.as_default():
            assert tf.get_default_session() is sess
    assert tf.get_default_session() is None
    tf.constant(1)
    sess.run([])  # leaving as_default does not close it
    sess.close()


def test_with_makes_graph_and_session_the_defaults_and_closes():
    graph = tf.Graph()
    with tf.Session(graph=graph) as sess:
        assert tf.get_default_session() is sess and tf.get_default_graph() is graph
        c = tf.constant(3)
        assert c.eval() == 3
        assert c.op.run() is None
    assert tf.get_default_session() is None and tf.get_default_graph() is not graph
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        sess.run(c)


def test_a_closed_session_can_be_entered_but_not_run():
    with tf.Session() as sess:
        c = tf.constant(1)
    with sess, pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
        c.eval()


def test_errors_of_the_body_come_out():
    with pytest.raises(ZeroDivisionError), tf.Session():
        raise ZeroDivisionError
    assert tf.get_default_session() is None


def test_nesting_is_enforced():
    one, two = tf.Session(), tf.Session()
    seen = []

    def work():  # corrupts the stack of this thread
        first, second = one.as_default(), two.as_default()
        first.__enter__()
        second.__enter__()
        try:
            first.__exit__(None, None, None)
        except AssertionError as e:
            seen.extend([str(e), tf.get_default_session()])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [f"Nesting violated for default stack of {tf.Session} objects", two]
    for sess in (one, two):
        sess.close()


def test_other_threads_have_their_own_stacks():
    seen = []
    with tf.Session() as sess:
        thread = threading.Thread(target=lambda: seen.append((tf.get_default_session(), tf.get_default_graph())))
        thread.start()
        thread.join()
    assert seen[0][0] is None and seen[0][1] is not sess.graph


def test_the_default_graph_cannot_be_reset_inside_another():
    with tf.Graph().as_default(), pytest.raises(AssertionError) as caught:
        tf.reset_default_graph()
    assert str(caught.value) == (
        "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and "
        "create a new graph."
    )


def test_eval_and_run_without_a_suitable_session():
    c = tf.constant(1)
    with pytest.raises(ValueError) as caught:
        c.eval()
    assert str(caught.value) == (
        "Cannot evaluate tensor using `eval()`: No default session is registered. Use `with sess.as_default()` or pass an "
        "explicit session to `eval(session=sess)`"
    )
    with pytest.raises(ValueError) as caught:
        c.op.run()
    assert str(caught.value) == (
        "Cannot execute operation using `run()`: No default session is registered. Use `with sess.as_default():` or pass "
        "an explicit session to `run(session=sess)`"
    )
    with tf.Session(graph=tf.Graph()) as other:
        with pytest.raises(ValueError) as caught:
            c.eval()
        assert str(caught.value) == (
            "Cannot use the default session to evaluate tensor: the tensor's graph is different from the session's graph. "
            "Pass an explicit session to `eval(session=sess)`."
        )
        with pytest.raises(ValueError) as caught:
            c.op.run()
        assert str(caught.value) == (
            "Cannot use the default session to execute operation: the operation's graph is different from the session's "
            "graph. Pass an explicit session to run(session=sess)."
        )
        with pytest.raises(ValueError) as caught:
            c.eval(session=other)
        assert str(caught.value) == (
            "Cannot use the given session to evaluate tensor: the tensor's graph is different from the session's graph."
        )
        with pytest.raises(ValueError) as caught:
            c.op.run(session=other)
        assert str(caught.value) == (
            "Cannot use the given session to execute operation: the operation's graph is different from the session's "
            "graph."
        )


# -- Closing -----------------------------------------------------------------------------------------------------------


def test_close_twice_and_use_after_close():
    tf.constant(1)
    sess = tf.Session()
    sess.close()
    sess.close()
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        sess.run([])


def test_a_closed_session_complains_before_an_empty_graph():
    sess = tf.Session()
    sess.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        sess.run([])


def test_callables_of_a_closed_session():
    c = tf.constant(1) + 1
    sess = tf.Session()
    before = sess.make_callable(c)
    assert before() == 2
    sess.close()
    with pytest.raises(tf.errors.CancelledError) as caught:
        before()
    assert "Session has been closed." in _text(caught)
    with pytest.raises(tf.errors.CancelledError) as caught:
        sess.make_callable(c)()
    assert "Session has been closed." in _text(caught)


def test_closing_gives_variables_back():
    gc.collect()
    before = _core.live_buffers()
    with tf.Session(graph=tf.Graph()) as sess:
        v = tf.Variable(tf.zeros([1000]))
        w = tf.Variable(tf.zeros([1000]), use_resource=True)
        sess.run(tf.global_variables_initializer())
        assert sess.run([v, w])[0].shape == (1000,)
    del v, w, sess
    gc.collect()
    assert _core.live_buffers() == before


def test_a_closed_session_has_no_devices():
    sess = tf.Session()
    assert sess.list_devices()
    sess.close()
    with pytest.raises(tf.errors.CancelledError, match="Session has been closed"):
        sess.list_devices()
