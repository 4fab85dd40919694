"""`tf.py_func` functions live as long as a graph that calls them, or another reference."""

import gc
import weakref

import pytest

import tinytf as tf
from tinytf._src.ops.script import python_functions


class _Data:
    """Captured by a function."""


def _function(data=None):
    data = data or _Data()

    def func(x):
        assert data
        return x + x

    return func, weakref.ref(data)


@pytest.fixture(autouse=True)
def registry():
    """Checks that no function stays registered."""
    gc.collect()
    before = python_functions.size()
    yield
    tf.reset_default_graph()
    gc.collect()
    assert python_functions.size() == before


def test_the_graph_keeps_the_function():
    func, data = _function()
    with tf.Graph().as_default() as graph:
        y = tf.py_func(func, [1.0], tf.float32)
    del func
    gc.collect()
    with tf.Session(graph=graph) as sess:
        assert sess.run(y) == 2
    assert data() is not None
    del graph, y, sess
    gc.collect()
    assert data() is None


def _steps(sess, y, func):
    sess.run(y)


def _callable(sess, y, func):
    func.call = sess.make_callable(y)
    func.call()


def _error(sess, y, func):
    def failing(x):
        raise ValueError(func(x), y, sess)

    failed = tf.py_func(failing, [1.0], tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(failed)
    func.error = caught.value


def _cycle(sess, y, func):
    func.session = sess
    sess.run(tf.py_func(lambda: sess.run(y), [], tf.float32))


def _partial_run(sess, y, func):
    def failing(x):
        raise ValueError(func(x), y, sess)

    x = tf.placeholder(tf.float32, [])
    failed = tf.py_func(failing, [x], tf.float32)
    handle = sess.partial_run_setup([y, failed], [x])
    sess.partial_run(handle, y)
    with pytest.raises(tf.errors.InvalidArgumentError):
        sess.partial_run(handle, failed, {x: 1.0})


@pytest.mark.parametrize("use", [_steps, _callable, _error, _cycle, _partial_run])
def test_sessions_do_not_keep_functions_for_ever(use):
    func, data = _function()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        y = tf.py_func(func, [1.0], tf.float32)
        use(sess, y, func)
    del func, graph, y, sess
    gc.collect()
    assert data() is None


def test_reset_default_graph_frees_functions():
    func, data = _function()
    tf.py_func(func, [1.0], tf.float32)
    del func
    tf.reset_default_graph()
    gc.collect()
    assert data() is None


def test_a_function_outlives_its_graph_if_the_program_keeps_it():
    func, data = _function()
    with tf.Graph().as_default() as graph:
        tf.py_func(func, [1.0], tf.float32, name="y")
    definition = graph.as_graph_def()
    del graph
    gc.collect()
    (y,) = tf.import_graph_def(definition, return_elements=["y:0"])
    with tf.Session() as sess:
        assert sess.run(y) == 2
        del func
        gc.collect()
        assert data() is None
        with pytest.raises(tf.errors.InvalidArgumentError, match="^ValueError: callback pyfunc_.* is not found"):
            sess.run(y)


def test_a_function_of_two_graphs():
    func, data = _function()
    graphs = [tf.Graph(), tf.Graph()]
    for graph in graphs:
        with graph.as_default():
            tf.py_func(func, [1.0], tf.float32, name="y")
    del func, graph
    del graphs[0]
    gc.collect()
    with tf.Session(graph=graphs[0]) as sess:
        assert sess.run("y:0") == 2
    del graphs, sess
    gc.collect()
    assert data() is None


def test_bound_methods_keep_their_object():
    class Model:
        def predict(self, x):
            return x + x

    model = Model()
    alive = weakref.ref(model)
    y = tf.py_func(model.predict, [1.0], tf.float32)
    del model
    gc.collect()
    with tf.Session() as sess:
        assert sess.run(y) == 2
    del y, sess
    tf.reset_default_graph()
    gc.collect()
    assert alive() is None


def test_errors_keep_what_the_function_saw_only_while_they_live():
    def func(x):
        data = _Data()
        alive.append(weakref.ref(data))
        raise ValueError

    alive = []
    y = tf.py_func(func, [1.0], tf.float32)
    with tf.Session() as sess:
        try:
            sess.run(y)
        except tf.errors.InvalidArgumentError as e:
            assert e.__cause__.__traceback__.tb_frame.f_locals["data"] is alive[0]()
        gc.collect()
    assert alive[0]() is None
