"""`tf.init_scope` in a function keeps the name scope of the function's body for operations and variables."""

import pytest

import tinytf as tf
from tinytf.python.framework.function import Defun


@pytest.fixture
def names():
    return []


def _lifted(names):
    with tf.name_scope("in"), tf.init_scope():
        names.append(tf.constant(1.0).name)
        with tf.name_scope("deep"):
            names.append(tf.constant(1.0).name)
    with tf.init_scope():
        names.append(tf.constant(1.0).name)
    return tf.constant(1.0)


@pytest.mark.parametrize("kind", [tf.function, tf.contrib.eager.defun, Defun()])
def test_scopes_are_those_of_the_body(kind, names):
    def body():
        return _lifted(names)

    with tf.name_scope("out"):
        kind(body)()
    assert names == ["in/Const:0", "in/deep/Const:0", "Const:0"]


def test_scopes_of_a_function_in_another(names):
    def outer():
        with tf.name_scope("around"):
            return tf.function(lambda: _lifted(names))()

    with tf.name_scope("out"):
        tf.function(outer)()
    assert names == ["in/Const:0", "in/deep/Const:0", "Const:0"]


def test_scopes_of_branches_and_loops_that_are_functions(names):
    def body(i):
        with tf.name_scope("in"), tf.init_scope():
            names.append(tf.constant(1.0).name)
        return i + 1

    tf.enable_control_flow_v2()
    try:
        with tf.name_scope("out"):
            tf.while_loop(lambda i: i < 3, body, [0])
            tf.cond(tf.constant(True), lambda: body(1), lambda: body(2))
            tf.map_fn(body, tf.constant([1]))
    finally:
        tf.disable_control_flow_v2()
    assert names == ["in/Const:0", "in/Const_1:0", "in/Const_2:0", "in/Const_3:0"]


def test_graphs_that_are_no_functions_keep_their_scope(names):
    with tf.name_scope("out"):
        _lifted(names)
    assert names == ["out/in/Const:0", "out/in/deep/Const:0", "out/Const:0"]


def _variable_names(function, names):
    with tf.name_scope("in"):
        if not hasattr(function, "made"):
            function.made = tf.Variable(1.0, name="v")
            with tf.init_scope():
                function.lifted = tf.Variable(1.0, name="w", use_resource=True)
    names[:] = [function.made.name, function.lifted.name]
    return tf.constant(1.0)


def test_variables_of_functions_in_graphs(names):
    function = tf.function(lambda: _variable_names(function, names))
    with tf.name_scope("out"):
        function()
    assert names == ["in/v:0", "in/w:0"]


def test_variables_of_functions_that_are_executed(eager, names):
    function = tf.function(lambda: _variable_names(function, names))
    with tf.name_scope("out"):
        function()
    assert names == ["in/v:0", "in/w:0"]
