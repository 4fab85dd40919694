"""`InteractiveSession` is the default from its creation to its end, alone or among others, in scripts and in
notebooks.
"""

import gc
import threading
import warnings

import pytest
from places import place_here

import tinytf as tf
from tinytf import _core
from tinytf._src import protos

_ALREADY = (
    "An interactive session is already active. This can cause out-of-memory errors in some cases. You must explicitly "
    "call `InteractiveSession.close()` to release resources held by the other session(s). The first active one was made "
    "at "
)


def test_it_is_the_default_until_closed():
    sess = tf.InteractiveSession()
    try:
        assert tf.get_default_session() is sess
        assert (tf.constant(1) + 1).eval() == 2
    finally:
        sess.close()
    assert tf.get_default_session() is None
    sess.close()
    assert not hasattr(sess, "__enter__")


def test_its_graph_is_the_default_only_if_it_was_given_one():
    graph, outer = tf.Graph(), tf.get_default_graph()
    sess = tf.InteractiveSession(graph=graph)
    assert tf.get_default_graph() is graph
    sess.close()
    assert tf.get_default_graph() is outer
    sess = tf.InteractiveSession()
    with tf.Graph().as_default() as other:
        assert tf.get_default_graph() is other
    sess.close()


def test_a_config_is_changed():
    config = protos.ConfigProto(allow_soft_placement=True)
    sess = tf.InteractiveSession(config=config)
    assert config == protos.ConfigProto(
        allow_soft_placement=True, graph_options=protos.GraphOptions(place_pruned_graph=True)
    )
    sess.close()


@pytest.mark.parametrize("config", [None, {}, 0])
def test_a_config_that_is_none(config):
    tf.InteractiveSession(config=config).close()


def test_arguments_are_checked_and_a_failed_one_is_not_active():
    with pytest.raises(TypeError, match="^config must be a tf.ConfigProto, but got <class 'int'>$"):
        tf.InteractiveSession(config=3)
    with pytest.raises(TypeError, match="^graph must be a tf.Graph, but got <class 'int'>$"):
        tf.InteractiveSession(graph=3)
    assert tf.get_default_session() is None
    tf.InteractiveSession().close()


def test_a_second_one_warns_and_names_the_line_of_the_first():
    one = tf.InteractiveSession()
    line = place_here(-1)
    with pytest.warns(UserWarning) as caught:
        two = tf.InteractiveSession()
    with pytest.warns(UserWarning) as again:
        three = tf.InteractiveSession()
    for warned in (caught, again):
        assert [str(w.message) for w in warned] == [_ALREADY + line + "."]
        assert warned[0].filename == __file__
    for sess in (three, two, one):
        sess.close()
        sess.close()  # the second close has no effect
    tf.InteractiveSession().close()


@pytest.mark.filterwarnings("error:An interactive session is already active", "ignore::ResourceWarning")
def test_where_the_warning_is_an_error_the_second_one_is_not_the_default():
    one = tf.InteractiveSession()
    with pytest.raises(UserWarning, match="already active"):
        tf.InteractiveSession()
    assert tf.get_default_session() is one
    one.close()
    assert tf.get_default_session() is None
    tf.InteractiveSession().close()


def test_the_first_active_one_is_the_oldest_still_open():
    one = tf.InteractiveSession()
    with pytest.warns(UserWarning):
        two = tf.InteractiveSession()
        line = place_here(-1)
    with pytest.raises(AssertionError):
        one.close()
    with pytest.warns(UserWarning) as caught:
        three = tf.InteractiveSession()
    assert str(caught[0].message) == _ALREADY + line + "."
    three.close()
    two.close()


def test_out_of_order_close():
    one = tf.InteractiveSession()
    with pytest.warns(UserWarning):
        two = tf.InteractiveSession()
    with pytest.raises(
        AssertionError, match=f"^Nesting violated for default stack of {tf.InteractiveSession} objects$"
    ):
        one.close()
    assert tf.get_default_session() is two
    tf.constant(1)
    with pytest.raises(RuntimeError, match="closed Session"):
        one.run([])
    one.close()  # has no effect
    two.close()
    assert tf.get_default_session() is one  # as in TensorFlow, but only until the next one is created
    tf.InteractiveSession().close()
    assert tf.get_default_session() is None


def test_a_closed_one_that_was_entered_stays_until_left():
    one = tf.InteractiveSession()
    one.close()
    with one.as_default():
        two = tf.InteractiveSession()
        two.close()
        assert tf.get_default_session() is one


def test_deleting_the_variable_does_not_close_it():
    v = tf.Variable(3.0)
    sess = tf.InteractiveSession()
    v.initializer.run()
    del sess
    gc.collect()
    assert v.eval() == 3.0
    tf.get_default_session().close()


def test_one_that_was_never_in_a_variable_lives_on():
    v = tf.Variable(3.0)
    tf.InteractiveSession()
    v.initializer.run()
    with pytest.warns(UserWarning, match="already active"):
        other = tf.InteractiveSession(graph=tf.Graph())
    other.close()
    assert v.eval() == 3.0
    tf.get_default_session().close()


def test_of_an_ended_thread_nothing_is_left():
    def work():
        tf.InteractiveSession(graph=tf.Graph())

    with pytest.warns(ResourceWarning, match="was not closed"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        del thread
        gc.collect()
    tf.InteractiveSession().close()  # no warning


# -- Notebook cells ----------------------------------------------------------------------------------------------------


class _Notebook:
    """Cells executed in one namespace."""

    def __init__(self):
        self.names = {"tf": tf}

    def run(self, source, cell="<cell>"):
        """Runs a cell; returns the texts of its warnings by category."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            exec(compile(source, cell, "exec"), self.names)
        return [(w.category, str(w.message)) for w in caught]


def test_a_cell_run_again_replaces_its_session():
    notebook = _Notebook()
    cell = "import gc\nv = tf.Variable(tf.zeros([1000]))\nsess = tf.InteractiveSession()\nv.initializer.run()\n"
    notebook.run(cell)
    gc.collect()
    buffers, threads = _core.live_buffers(), threading.active_count()
    for i in range(20):
        old = repr(notebook.names["sess"])
        notebook.run("tf.reset_default_graph()")
        assert notebook.run(cell) == [
            (
                ResourceWarning,
                f"{old} was replaced by another one and is now closed; end a session with close() or a `with` block",
            )
        ], i
        assert "made at <cell>:3>" in old
        assert tf.get_default_session() is notebook.names["sess"]
        gc.collect()
        assert _core.live_buffers() == buffers and threading.active_count() == threads
    notebook.run("sess.close()")
    assert tf.get_default_session() is None
    notebook.run("tf.InteractiveSession().close()")


def test_the_same_with_a_graph():
    notebook, outer = _Notebook(), tf.get_default_graph()
    for _ in range(3):
        notebook.run("g = tf.Graph()\nsess = tf.InteractiveSession(graph=g)\ntf.constant(1).eval()\n")
        assert tf.get_default_graph() is notebook.names["g"]
    notebook.run("sess.close()")
    assert tf.get_default_session() is None and tf.get_default_graph() is outer


def test_an_edited_cell_and_another_cell_replace_it_too():
    notebook = _Notebook()
    notebook.run("sess = tf.InteractiveSession()", "<1>")
    assert [category for category, _ in notebook.run("\n\nsess = tf.InteractiveSession()", "<2>")] == [ResourceWarning]
    notebook.run("del sess", "<3>")
    assert [category for category, _ in notebook.run("other = tf.InteractiveSession()", "<4>")] == [ResourceWarning]
    notebook.run("other.close()")


def test_one_that_is_held_elsewhere_is_not_replaced():
    notebook = _Notebook()
    notebook.run("sess = tf.InteractiveSession()\nkept = [sess]\n")
    assert [category for category, _ in notebook.run("sess = tf.InteractiveSession()")] == [UserWarning]
    notebook.run("sess.close()\nkept[0].close()\n")
    notebook.run("sess = tf.InteractiveSession()")
    assert [category for category, _ in notebook.run("another = tf.InteractiveSession()")] == [UserWarning]
    notebook.run("another.close()\nsess.close()\n")


def test_one_whose_block_is_open_is_not_replaced():
    notebook = _Notebook()
    cell = """
sess = tf.InteractiveSession()
block = sess.as_default()
block.__enter__()
del sess
sess = tf.InteractiveSession()
sess.close()
block.__exit__(None, None, None)
tf.get_default_session().close()
"""
    assert [category for category, _ in notebook.run(cell)] == [UserWarning]


def test_a_constructor_that_fails_replaces_nothing():
    notebook = _Notebook()
    notebook.run("sess = tf.InteractiveSession()\nx = tf.constant(1)\n")
    with pytest.raises(TypeError):
        notebook.run("sess = tf.InteractiveSession(config=3)")
    notebook.run("x.eval()\nsess.close()\n")
