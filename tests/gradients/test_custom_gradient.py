"""Functions with custom gradients: values, gradients, variables, nodes, and refused calls."""

import gc
import weakref

import numpy as np
import pytest

import tinytf as tf

_PROGRAM = """
a, b = tf.constant(2.0), tf.constant(3.0)

@tf.custom_gradient
def pair(x, y):
    return {"sum": x + y, "rest": (x * y, [x - y])}, lambda rest0, rest1, total: (rest0 * 2, rest1 + total)

out = pair(a, b)
with tf.variable_scope("v", use_resource=True):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(5.0))

@tf.custom_gradient
def scaled(x):
    with tf.variable_scope("v", use_resource=True):
        z = tf.get_variable("z", [], initializer=tf.constant_initializer(7.0))
    def grad(dy, variables=None):
        return dy * 10, [dy * (i + 1) for i in range(len(variables))]
    return x * w * z, grad

q = scaled(a)
passed = tf.grad_pass_through(lambda t: tf.round(t * 1.2))(a)
nodes = [(op.type, op.name, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]
g = [tf.gradients([out["sum"], out["rest"][0], out["rest"][1][0]], [a, b]), tf.gradients(q, [a, *tf.global_variables()]),
     tf.gradients(passed, a)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    result = nodes, sess.run([out, q, passed, g])
"""


def _own(source):
    names = {"tf": tf}
    exec(source, names)
    return names["result"]


def test_values_and_gradients():
    _, (out, q, passed, grads) = _own(_PROGRAM)
    assert out == {"sum": 5, "rest": (6, [-1])}
    assert (q, passed) == (70, 2)
    assert grads == [[2, 2], [10, 1, 2], [1]]


@pytest.mark.oracle
def test_same_nodes_as_tensorflow(oracle):
    assert _own(_PROGRAM) == oracle(_PROGRAM)


def test_numerically_stable_gradient():
    x = tf.constant(100.0)

    @tf.custom_gradient
    def log1pexp(x):
        """Softplus."""
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    assert (log1pexp.__name__, log1pexp.__doc__) == ("log1pexp", "Softplus.")
    with tf.Session() as sess:
        assert sess.run(tf.gradients(3 * log1pexp(x), x)) == [3.0]


def test_arguments_are_converted():
    y = tf.custom_gradient(lambda x: (x * 2, lambda dy: dy * 7))([3.0, 4.0])
    with tf.Session() as sess:
        assert sess.run(y).tolist() == [6, 8]
        assert sess.run(tf.gradients(y, y.op.inputs[1]))[0].tolist() == [7, 7]


def test_gradient_may_be_missing():
    a, b = tf.constant(2.0), tf.constant(3.0)
    y = tf.custom_gradient(lambda x, y: (x * y, lambda dy: (None, dy)))(a, b)
    assert tf.gradients(y, a) == [None]


def test_variables_that_are_read_for_nothing_are_passed_too():
    w = tf.get_variable("w", [], use_resource=True)
    seen = []

    def f(x):
        w.read_value()
        return x * 2, lambda dy, variables: (seen.extend(variables) or dy, [None])

    x = tf.constant(1.0)
    tf.gradients(tf.custom_gradient(f)(x), x)
    assert seen == [w]


def test_variables_behind_an_argument_are_not_passed():
    w = tf.get_variable("w", [], use_resource=True, initializer=tf.ones_initializer())
    y = tf.custom_gradient(lambda x: (x * 2, lambda dy: dy * 5))(w * 3)
    z = tf.custom_gradient(lambda x: (x * 2, lambda dy: dy * 5))(w)
    with tf.Session() as sess:
        sess.run(w.initializer)
        assert sess.run(tf.gradients(y, w) + tf.gradients(z, w)) == [15, 5]


def test_recompute_grad():
    w = tf.get_variable("w", [3], use_resource=True, initializer=tf.constant_initializer(2.0))
    x = tf.constant([0.1, 0.2, 0.3])
    calls = []

    def f(x):
        calls.append(x)
        return tf.sin(x) * w

    y = tf.recompute_grad(f)(x)
    assert len(calls) == 1
    grads = tf.gradients(y, [x, w])
    assert len(calls) == 2
    with tf.Session() as sess:
        sess.run(w.initializer)
        of_x, of_w = sess.run(grads)
    np.testing.assert_allclose(of_x, 2 * np.cos([0.1, 0.2, 0.3]), rtol=1e-6)
    np.testing.assert_allclose(of_w, np.sin([0.1, 0.2, 0.3]), rtol=1e-6)


def _needs_variables(x):
    w = tf.get_variable("w", [], use_resource=True)
    return x * w, lambda dy: dy


def _reference(x):
    return x * tf.get_variable("r", []), lambda dy, variables: (dy, [dy])


def _too_few_of_variables(x):
    w = tf.get_variable("w", [], use_resource=True)
    return x * w, lambda dy, variables: (dy, [])


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (_needs_variables, TypeError, "grad_fn must accept a 'variables' keyword argument"),
        (_reference, TypeError, "must be `ResourceVariable`s. Ensure that no `variable_scope` is created"),
        (_too_few_of_variables, ValueError, "Must return gradient for each variable from @custom_gradient grad_fn"),
        (lambda x: (x, lambda dy: (dy, dy)), ValueError, "Num gradients 3 generated for op"),
    ],
)
def test_wrong_functions_are_refused(f, error, message):
    x = tf.constant(1.0)
    with pytest.raises(error, match=message):
        tf.gradients(tf.custom_gradient(f)(x), x)


def test_keyword_arguments_are_refused():
    with pytest.raises(ValueError, match="keywords arguments only when eager execution is enabled"):
        tf.custom_gradient(lambda x: (x, lambda dy: dy))(x=1.0)


def test_the_graph_owns_the_gradient():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        tf.custom_gradient(lambda x: (x * 2, lambda dy: dy * x))(x)
    alive = weakref.ref(graph)
    del graph, x
    gc.collect()
    assert alive() is None
