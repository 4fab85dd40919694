"""Gradients of gathers in functional branches and loops: IndexedSlices in branches, dense tensors in loops, as in
TensorFlow 1.15.
"""

import numpy as np
import pytest

import tinytf as tf

X = np.float32([[1], [2], [3]])


@pytest.fixture(autouse=True)
def v2():
    tf.enable_control_flow_v2()
    yield
    tf.disable_control_flow_v2()


def _rows(*numbers, dtype=tf.int32):
    return lambda x: tf.gather(x, tf.constant(numbers, dtype))


def _double(x):
    return x * 2.0


def _loop(x):
    return tf.while_loop(lambda i, _: i < 2, lambda i, s: (i + 1, s + tf.gather(x, [i, 1])), [0, tf.zeros([2, 1])])[1]


# The branches, and for each taken branch the derivative of the sum of its result in 1.15: values, indices; and the
# dtype of the indices.
BRANCHES = {
    "other rows": (
        _rows(1, 1),
        lambda x: _rows(0, 2)(x) * 2.0,
        ([1, 1], [1, 1]),
        ([2, 2], [0, 2]),
        tf.int32,
    ),
    "all rows": (_rows(1, 1, 0), _double, ([1, 1, 1], [1, 1, 0]), ([2, 2, 2], [0, 1, 2]), tf.int32),
    "none": (_rows(1, 1), lambda x: tf.ones([2, 1]), ([1, 1], [1, 1]), ([0, 0, 0], [0, 1, 2]), tf.int32),
    "long indices": (_rows(1, 1), _rows(1, 2, dtype=tf.int64), ([1, 1], [1, 1]), ([1, 1], [1, 2]), tf.int64),
    "twice": (
        lambda x: _rows(1, 1)(x) + _rows(0, 1)(x),
        _rows(0, 2),
        ([1, 1, 1, 1], [1, 1, 0, 1]),
        ([1, 1], [0, 2]),
        tf.int32,
    ),
    "a loop": (_loop, _rows(0, 0), ([1, 3, 0], [0, 1, 2]), ([1, 1], [0, 0]), tf.int32),
}


@pytest.mark.parametrize("of", ["placeholder", "variable", "case"])
@pytest.mark.parametrize("branches", BRANCHES.values(), ids=BRANCHES)
def test_branches(branches, of):
    on, off, *expected, dtype = branches
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.placeholder(tf.bool, [])
        x = tf.Variable(X, use_resource=True) if of == "variable" else tf.placeholder_with_default(X, [3, 1])
        session.run(tf.global_variables_initializer())
        if of == "case":
            y = tf.switch_case(1 - tf.cast(p, tf.int32), [lambda: on(x), lambda: off(x)])
        else:
            y = tf.cond(p, lambda: on(x), lambda: off(x))
        [slope] = tf.gradients(y, x)
        assert isinstance(slope, tf.IndexedSlices) and slope.indices.dtype == dtype
        for taken, (values, indices) in zip((True, False), expected, strict=True):
            found = session.run(slope, {p: taken})
            assert (found.values.ravel().tolist(), found.indices.tolist()) == (values, indices)
            assert found.dense_shape.tolist() == [3, 1]


@pytest.mark.parametrize("branches", BRANCHES.values(), ids=BRANCHES)
def test_branches_of_functions(branches):
    on, off, *expected, _ = branches
    with tf.EagerSession():
        x = tf.Variable(X)
        function = tf.function(lambda p: tf.cond(p, lambda: on(x), lambda: off(x)))
        for taken, (values, indices) in zip((True, False), expected, strict=True):
            with tf.GradientTape() as tape:
                y = function(tf.constant(taken))
            slope = tape.gradient(y, x)
            assert isinstance(slope, tf.IndexedSlices)
            assert (slope.values.numpy().ravel().tolist(), slope.indices.numpy().tolist()) == (values, indices)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_loops(count):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder_with_default(X, [3, 1])
        v = tf.Variable(X, use_resource=True)
        session.run(v.initializer)

        def body(i, total, rows, turned):
            here = tf.reduce_sum(tf.gather(x, [i % 3, 1])) + tf.reduce_sum(tf.gather(v, [i % 3]))
            kept = tf.cond(i > 0, lambda: rows + tf.gather(x, [2]), lambda: rows)
            return i + 1, total + here, kept, tf.gather(turned, [1, 2, 0])

        _, *results = tf.while_loop(lambda i, *_: i < count, body, [0, 0.0, tf.zeros([1, 1]), x])
        by_x, by_v = tf.gradients(results, [x, v])
        assert not isinstance(by_x, tf.IndexedSlices) and not isinstance(by_v, tf.IndexedSlices)
        every = np.eye(3, dtype=np.float32)[:, :count].sum(1)
        expected = every + [0, count, max(count - 1, 0)] + 1
        found = session.run([by_x, by_v])
        assert found[0].ravel().tolist() == expected.tolist()
        assert found[1].ravel().tolist() == every.tolist()
