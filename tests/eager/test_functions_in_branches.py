"""Traced functions called in functions, branches and loops are traced once, and each call is one node."""

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def _bodies(graph):
    """The graph of a function and the graphs of all functions called in it, recursively."""
    yield graph
    for function in graph._functions.values():
        if function.graph is not graph:
            yield from _bodies(function.graph)


def _called(graph):
    """The names of the called functions, one per call node, in all nested graphs."""
    seen = {id(body): body for body in _bodies(graph)}
    ops = [op for body in seen.values() for op in body.get_operations()]
    return [op.node_def.attr["f"].func.name for op in ops if op.type in ("PartitionedCall", "StatefulPartitionedCall")]


def test_one_trace_and_one_node_for_each_call():
    traced = []

    @tf.function
    def square(x):
        traced.append("square")
        return x * x

    @tf.function
    def twice(x):
        traced.append("twice")
        return square(x) + square(x)

    @tf.function
    def function(p, x):
        a = square(x) + square(x + 1.0) + twice(x)
        b = tf.cond(p, lambda: square(x), lambda: square(x) + twice(x))
        c = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, square(y) + square(y)), [0, x])[1]

        def loop():
            def step(i, y):
                return i + 1, tf.cond(p, lambda: square(y), lambda: y)

            return tf.while_loop(lambda i, y: square(y) < 2.0, step, [0, x])[1]

        return a + b + c + tf.cond(p, loop, lambda: x)

    assert [function(tf.constant(p), tf.constant(2.0)).numpy() for p in (True, False)] == [155, 163]
    assert square(tf.constant(3.0)).numpy() == 9
    assert traced == ["square", "twice"]
    names = _called(function.get_concrete_function(tf.constant(True), tf.constant(0.0)).graph)
    assert len(names) == 12 and len(set(names)) == 2  # 10 calls of `square`, two of which are in `twice`
    assert sorted(map(names.count, set(names))) == [2, 10]


def test_functions_of_two_functions():
    v, traced = tf.Variable(3.0), []

    @tf.function
    def grow(x):
        traced.append(1)
        v.assign_add(1.0)
        return v * x

    branch = tf.function(lambda p, x: tf.cond(p, lambda: grow(x), lambda: x))
    loop = tf.function(lambda x: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, grow(y)), [0, x])[1])
    x = tf.constant(2.0)
    assert [branch(tf.constant(True), x).numpy(), loop(x).numpy(), grow(x).numpy()] == [8, 60, 14]
    assert traced == [1]


def test_functions_that_use_tensors_around():
    traced = []

    @tf.function
    def function(p, x):
        @tf.function
        def scaled(y):
            traced.append("scaled")
            return x * y

        def branch():
            z = x + 1.0

            @tf.function
            def moved(y):
                traced.append("moved")
                return scaled(y) + z

            return moved(x) + tf.cond(p, lambda: moved(z), lambda: moved(x))

        return scaled(x) + tf.cond(p, branch, lambda: scaled(x)) + scaled(x)

    for p, expected in ((True, 4 + 7 + 9 + 4), (False, 4 + 4 + 4)):
        assert function(tf.constant(p), tf.constant(2.0)).numpy() == expected
    assert traced == ["scaled", "moved"]


def test_as_many_traces_as_there_are_signatures():
    traced = []

    @tf.function
    def total(x, k):
        traced.append((x.shape.as_list(), k))
        return tf.reduce_sum(x) * k

    @tf.function
    def function(p):
        def on():
            return total(tf.ones([2]), 2) + total(tf.ones([3]), 2) + total(tf.ones([2]), 2)

        return tf.cond(p, on, lambda: total(tf.ones([2]), 3) + total(tf.ones([3]), 2))

    assert [function(tf.constant(p)).numpy() for p in (True, False)] == [14, 12]
    assert traced == [([2], 2), ([3], 2), ([2], 3)]
