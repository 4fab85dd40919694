"""Traced functions called where operations build graphs."""

import tinytf as tf


def test_the_function_adds_to_the_graph():
    @tf.function
    def f(x):
        return x * 2.0

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        assert session.run(f(x), {x: 3.0}) == 6.0


def test_changes_come_before_results():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)

        @tf.function
        def f(x):
            v.assign_add(x)
            return x

        y = f(tf.constant(2.0))
        session.run(v.initializer)
        session.run(y)
        assert session.run(v) == 3.0
