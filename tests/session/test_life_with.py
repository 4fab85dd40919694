"""`with tf.Session()` sets the defaults in its body and closes the session afterwards, in all cases."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import tinytf as tf
from tinytf._src.session import session as session_module
from tinytf.python.framework.ops import has_default_graph


def _on_another_thread(work):
    """Calls `work` on a thread without defaults."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def test_entering_twice_leaves_the_outer_block_in_order():
    with pytest.raises(RuntimeError) as caught, tf.Session(graph=tf.Graph()) as sess:
        try:
            with sess:
                pytest.fail("entered twice")
        except RuntimeError:
            assert tf.get_default_session() is sess and tf.get_default_graph() is sess.graph
            raise
    assert str(caught.value) == (
        "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a session multiple "
        "times."
    )
    assert tf.get_default_session() is None and tf.get_default_graph() is not sess.graph
    tf.constant(1)
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        sess.run([])


def test_as_default_may_be_entered_inside_itself():
    c = tf.constant(1)
    with tf.Session() as sess:
        default = sess.as_default()
        assert sess.as_default() is not default
        with default, default, sess.as_default():
            assert c.eval() == 1
        assert c.eval() == 1


def test_leaving_after_a_reset_of_the_stack_is_silent():
    def work():
        from tinytf._src.framework.context.defaults import default_graphs, default_sessions

        with tf.Session() as sess:
            default_sessions.reset()
            default_graphs.reset()
        seen.append(sess._steps.closed)

    seen = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True]


def test_nesting_of_graphs_is_enforced():
    def work():  # corrupts the stack of this thread
        first, second = tf.Graph().as_default(), tf.Graph().as_default()
        first.__enter__()
        second.__enter__()
        with pytest.raises(AssertionError, match=f"^Nesting violated for default stack of {tf.Graph} objects$"):
            first.__exit__(None, None, None)
        seen.append(tf.get_default_graph())
        second.__exit__(None, None, None)
        first.__exit__(None, None, None)

    seen = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(seen) == 1


def test_what_a_block_leaves_open_stays_but_not_the_closed_session():
    def work():
        sess = tf.Session(graph=tf.Graph())
        inner = tf.Session(graph=tf.Graph())
        with sess.graph.as_default(), sess.as_default():
            left_graph, left_session = tf.Graph().as_default(), inner.as_default()
            text = f"^Nesting violated for default stack of {tf.Session} objects$"
            with pytest.raises(AssertionError, match=text), sess:
                graph = left_graph.__enter__()
                left_session.__enter__()
            assert sess._steps.closed and tf.get_default_graph() is graph and tf.get_default_session() is inner
            left_session.__exit__(None, None, None)
            left_graph.__exit__(None, None, None)
            assert tf.get_default_graph() is sess.graph and tf.get_default_session() is sess
        inner.close()
        assert tf.get_default_session() is None and not has_default_graph()

    _on_another_thread(work)


def test_only_the_graph_of_a_block_is_out_of_order():
    def work():
        sess, left = tf.Session(graph=tf.Graph()), tf.Graph().as_default()
        with pytest.raises(AssertionError, match=f"^Nesting violated for default stack of {tf.Graph} objects$"), sess:
            graph = left.__enter__()
        assert sess._steps.closed and tf.get_default_session() is None and tf.get_default_graph() is graph
        left.__exit__(None, None, None)
        assert tf.get_default_graph() is not sess.graph

    _on_another_thread(work)


def test_blocks_that_end_in_another_order_leave_nothing_behind():
    def work():
        first, second = tf.Session(graph=tf.Graph()), tf.Session(graph=tf.Graph())
        first.__enter__()
        second.__enter__()
        with pytest.raises(AssertionError, match="^Nesting violated"):
            first.__exit__(None, None, None)
        assert first._steps.closed and tf.get_default_session() is second and tf.get_default_graph() is second.graph
        second.__exit__(None, None, None)
        assert tf.get_default_session() is None and not has_default_graph()

    _on_another_thread(work)


def test_a_body_that_ends_well_is_closed_on_the_same_thread():
    class Watched(tf.Session):
        def close(self):
            closers.append(threading.current_thread().name)
            super().close()

    closers = []
    with Watched():
        pass
    assert closers == [threading.current_thread().name]


def test_after_an_error_a_daemon_thread_closes():
    class Watched(tf.Session):
        def close(self):
            closers.append((threading.current_thread().name, threading.current_thread().daemon))
            super().close()

    closers = []
    with pytest.raises(ZeroDivisionError), Watched() as sess:
        raise ZeroDivisionError
    assert closers == [("SessionCloseThread", True)]
    tf.constant(1)
    with pytest.raises(RuntimeError, match="closed Session"):
        sess.run([])


def test_a_close_that_takes_too_long_is_logged(monkeypatch, caplog):
    class Stuck(tf.Session):
        def close(self):
            closers.append(threading.current_thread())
            may_close.wait()
            super().close()

    closers, may_close = [], threading.Event()
    monkeypatch.setattr(session_module, "_CLOSE_SECONDS", 0.0)
    with pytest.raises(ZeroDivisionError), Stuck():
        raise ZeroDivisionError
    assert caplog.record_tuples == [
        (
            "tinytf",
            logging.ERROR,
            "Session failed to close after 30 seconds. Continuing after this point may leave your program in an undefined "
            "state.",
        )
    ]
    may_close.set()
    closers[0].join()


def test_where_no_thread_can_start_the_session_is_closed_all_the_same(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(ZeroDivisionError), tf.Session() as sess:
        raise ZeroDivisionError
    assert sess._steps.closed


@pytest.mark.parametrize("kind, logged", [(tf.errors.OpError, True), (tf.errors.InternalError, False)])
def test_only_an_op_error_itself_is_logged(caplog, kind, logged):
    error = tf.errors.OpError(None, None, "no good", 13) if logged else kind(None, None, "no good")
    with pytest.raises(kind) as caught, tf.Session():
        raise error
    assert caught.value is error
    expected = [("tinytf", logging.ERROR, f"Session closing due to OpError: {error}")] if logged else []
    assert caplog.record_tuples == expected
