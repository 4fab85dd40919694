"""Sessions that are not closed end when Python frees them, with a ResourceWarning that names the line."""

import gc
import sys
import threading
import warnings

import pytest
from places import line_here

import tinytf as tf
from tinytf import _core


def _dropped(make):
    """The warnings of creating and dropping a session."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make()
        gc.collect()
    return [w for w in caught if w.category is ResourceWarning]


def test_a_dropped_session_is_closed_with_a_warning():
    def make():
        sess = tf.Session()
        lines.append(line_here() - 1)
        sess.run(init)
        assert _core.live_buffers() > before

    v = tf.Variable(tf.zeros([1000]))
    init = tf.global_variables_initializer()
    gc.collect()
    lines, before = [], _core.live_buffers()
    (warned,) = _dropped(make)
    assert _core.live_buffers() == before
    assert v.shape == (1000,)
    assert (warned.filename, warned.lineno) == (__file__, lines[0])
    assert str(warned.message) == (
        f"<tf.Session open, graph of {tf.get_default_graph().version} operations, made at {__file__}:{lines[0]}> was not "
        "closed; end a session with close() or a `with` block"
    )


def test_the_last_reference_counts_not_the_garbage_collector():
    x = tf.placeholder(tf.float32, [])
    y = x + 1
    gc.collect()
    gc.disable()
    try:
        with pytest.warns(ResourceWarning):
            sess = tf.Session()
            core = sess._engine
            for fetches in (y, y.op, [y], {"a": y, "b": [y.op, x]}, (y, (y,))):
                sess.run(fetches, {x: 1})
                sess.run(fetches, {x: 1})
            sess.make_callable({"a": y}, [x])(1)
            del sess
        assert core.closed()
    finally:
        gc.enable()


def test_the_warning_is_off_by_default():
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter("ignore", ResourceWarning)  # Python's default
        tf.Session()
    assert caught == []


def test_a_warning_made_an_error_does_not_keep_it_open(monkeypatch):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda arguments: unraisable.append(arguments.exc_type))
    sess = tf.Session()
    core = sess._engine
    del sess
    gc.collect()
    assert unraisable == [ResourceWarning] and core.closed()


def test_a_session_in_a_cycle():
    def make():
        sess = tf.Session()
        sess.itself = sess

    assert len(_dropped(make)) == 1


def test_one_that_was_only_the_default_is_unclosed():
    def make():
        with tf.Session().as_default():
            tf.constant(1).eval()

    assert len(_dropped(make)) == 1


def _closed():
    tf.Session().close()


def _with():
    with tf.Session():
        pass


def _reset():
    sess = tf.Session()
    tf.Session.reset("")
    assert sess._engine.closed()


def _failed():
    with pytest.raises(TypeError):
        tf.Session(3)


@pytest.mark.parametrize("make", [_closed, _with, _reset, _failed])
def test_no_warning_of_one_that_was(make):
    assert _dropped(make) == []


def test_the_thread_that_frees_it_closes_it():
    def work():
        closers.append(held.pop()._engine)

    held, closers = [tf.Session()], []
    with pytest.warns(ResourceWarning):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        gc.collect()
    assert closers[0].closed()


# -- Representation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [tf.Session, tf.InteractiveSession])
def test_repr(kind):
    sess = kind()
    place = f"{__file__}:{line_here() - 1}"
    assert repr(sess) == f"<tf.{kind.__name__} open, graph of 0 operations, made at {place}>"
    tf.constant(1)
    assert repr(sess) == f"<tf.{kind.__name__} open, graph of 1 operation, made at {place}>"
    sess.close()
    assert repr(sess) == f"<tf.{kind.__name__} closed, graph of 1 operation, made at {place}>"


def test_repr_of_a_subclass_names_the_line_that_makes_it():
    class Mine(tf.Session):
        pass

    with Mine() as sess:
        assert repr(sess) == f"<Mine open, graph of 0 operations, made at {__file__}:{line_here() - 1}>"


def test_repr_of_one_that_could_not_be_made():
    sess = tf.Session.__new__(tf.Session)
    with pytest.raises(TypeError):
        sess.__init__(3)
    assert repr(sess) == "<tf.Session, not initialized>"


def test_repr_of_what_it_runs():
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [2], name="x")
    assert repr(x) == "<tf.Tensor 'x:0' shape=(2,) dtype=float32>"
    assert repr(tf.placeholder(tf.int32, [None, 3], name="y")) == "<tf.Tensor 'y:0' shape=(?, 3) dtype=int32>"
    assert repr(tf.placeholder(tf.int32, name="z")) == "<tf.Tensor 'z:0' shape=<unknown> dtype=int32>"
    assert str(x) == 'Tensor("x:0", shape=(2,), dtype=float32)'
    assert repr(x.op) == "<tf.Operation 'x' type=Placeholder>"
    assert repr(graph) == f"<tf.Graph of 3 operations at {id(graph):#x}>"
