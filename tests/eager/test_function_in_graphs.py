"""Traced functions called while a graph is built."""

import pytest

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


def test_variables_that_it_makes():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(1.0))
        return made[0].assign_add(x) * 10.0

    with tf.Graph().as_default(), tf.Session() as session:
        y, z = f(tf.constant(2.0)), f(tf.constant(3.0))
        assert isinstance(made[0].handle, tf.Tensor)
        session.run(tf.global_variables_initializer())
        assert session.run(y) == 30.0
        assert session.run(z) == 60.0
        assert session.run(made[0]) == 6.0


def test_variables_at_every_call():
    @tf.function
    def f():
        return tf.Variable(1.0).read_value()

    with tf.Graph().as_default():
        for _ in range(2):
            with pytest.raises(ValueError, match="tried to create variables on non-first call"):
                f()


def test_initial_values_may_call_functions_and_have_branches():
    """TensorFlow 1.15 copies the calls, but not the functions, and cannot run them."""
    made = []

    @tf.function
    def value():
        return tf.constant(2.0) * 3.0

    @tf.function
    def f():
        if not made:
            made.append(tf.Variable(lambda: value() + 1.0))
            made.append(tf.Variable(tf.cond(value() > 3.0, lambda: tf.constant(1.0), lambda: tf.constant(2.0))))
        return made[0] + made[1]

    @tf.function
    def g():
        return f()

    with tf.Graph().as_default(), tf.Session() as session:
        y = g()
        session.run(tf.global_variables_initializer())
        assert session.run(y) == 8.0


@pytest.mark.parametrize("branch", [True, False])
def test_in_branches_of_graphs_initial_values_are_computed_outside(branch):
    """TensorFlow 1.15 computes them in the branch, and cannot initialize the variables."""
    made = []

    @tf.function
    def f():
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] + 1.0

    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.cond(tf.constant(branch), f, lambda: 5.0)
        session.run(tf.global_variables_initializer())
        assert session.run(y) == (2.0 if branch else 5.0)


def test_errors_name_the_argument_that_an_initial_value_depends_on():
    @tf.function
    def f(x):
        return tf.Variable(x * 2.0) + 1.0

    with tf.Graph().as_default(), pytest.raises(Exception, match=r"e\.g\.: mul \(Mul\) <- x \(Placeholder\)") as caught:
        f(tf.constant(1.0))
    assert type(caught.value).__name__ == "UnliftableError"


def test_gradients_and_training():
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(3.0, use_resource=True)
        loss = tf.function(lambda x: w * w * x)
        y = loss(tf.constant(2.0))
        train = tf.train.GradientDescentOptimizer(0.25).minimize(y)
        session.run(w.initializer)
        assert session.run(tf.gradients(y, w)[0]) == 12.0
        session.run(train)
        assert session.run(w) == 0.0


def test_signatures_hold_there_too():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return x * 2.0

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(f([1.0, 2.0])).tolist() == [2.0, 4.0]
        with pytest.raises(ValueError, match="Python inputs incompatible with input_signature"):
            f(tf.constant([1]))


@pytest.mark.parametrize("shape", [None, [None, 2], [None, None]])
def test_of_arguments_no_more_is_seen_than_a_signature_says(shape):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float32)])
    def f(x):
        seen.append(x.shape.as_list() if x.shape.ndims is not None else None)
        return x, tf.gradients(tf.reduce_sum(x * x), x)[0], [x + 1.0]

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([[1.0, 2.0]])
        same, gradient, [more] = f(x)
        assert seen == [shape]
        assert same.shape == more.shape == (1, 2)  # the call infers the shape from its arguments
        assert session.run(gradient).tolist() == [[2.0, 4.0]]
        assert session.run(more).tolist() == [[2.0, 3.0]]
