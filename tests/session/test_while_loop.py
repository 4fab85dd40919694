"""tf.while_loop: values, structures, shapes, side effects and order of iterations."""

import collections

import numpy as np
import pytest

import tinytf as tf

Pair = collections.namedtuple("Pair", "first second")


def test_values(sess):
    n = tf.placeholder(tf.int32, [])
    count, product = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * 2.0), [0, 1.0])
    assert [sess.run([count, product], {n: value}) for value in (0, 1, 10)] == [[0, 1], [1, 2], [10, 1024]]


def test_what_is_outside_is_the_same_in_all_iterations(sess):
    ran = []
    w = tf.py_func(lambda: ran.append(1) or np.float32(3), [], tf.float32)
    assert sess.run(tf.while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, x + w), [0, w])) == (4, 15)
    assert len(ran) == 1


def test_one_variable(sess):
    bare = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    in_tuple = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,))
    kept = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True)
    assert isinstance(bare, tf.Tensor) and isinstance(in_tuple, tf.Tensor) and isinstance(kept, list)
    assert sess.run([bare, in_tuple, kept]) == [3, 3, [3]]


def test_structures(sess):
    def body(i, p, d):
        return [i + 1, Pair(p.second, p.first + p.second), {"a": [d["a"][0] * 2.0]}]

    result = tf.while_loop(lambda i, p, d: i < 10, body, [0, Pair(0, 1), {"a": [1.0]}])
    assert sess.run(result) == [10, Pair(55, 89), {"a": [1024]}]


def test_at_most_so_many_iterations(sess):
    n = tf.placeholder(tf.int64, [])
    few = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=n)
    pair = tf.while_loop(lambda i, x: i < 10, lambda i, x: [i + 1, x * 2.0], [0, 1.0], maximum_iterations=n)
    assert [sess.run([few, pair], {n: value}) for value in (0, 3, 20)] == [[0, [0, 1]], [3, [3, 8]], [10, [10, 1024]]]
    assert few.op.name == "while/Exit_1"


def test_shapes_that_vary(sess):
    rows = tf.TensorShape([None, 2])
    _, x = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, tf.concat([x, x], 0)),
        [0, tf.ones([1, 2])],
        shape_invariants=[tf.TensorShape([]), rows],
    )
    assert x.shape.as_list() == [None, 2] and sess.run(x).shape == (8, 2)


def test_invariants_are_static_shapes():
    seen = []

    def body(i, x):
        seen.extend([i.shape.as_list(), x.shape.as_list()])
        return i + 1, x

    x = tf.while_loop(lambda i, x: i < 3, body, [0, tf.placeholder(tf.float32, [None, 3])])[1]
    assert seen == [[], [None, 3]] and x.shape.as_list() == [None, 3]


def test_sparse_tensors(sess):
    start = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    more = lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape))  # noqa: E731
    assert sess.run(tf.while_loop(lambda i, s: i < 5, more, [0, start]))[1].values.tolist() == [32]

    def grow(i, s):
        indices = tf.concat([s.indices, [[1, tf.cast(i, tf.int64)]]], 0)
        return i + 1, tf.SparseTensor(indices, tf.concat([s.values, [2.0]], 0), s.dense_shape)

    shapes = [tf.TensorShape([]), tf.TensorShape([2])]
    grown = sess.run(tf.while_loop(lambda i, s: i < 3, grow, [0, start], shape_invariants=shapes))[1]
    assert grown.indices.tolist() == [[0, 1], [1, 0], [1, 1], [1, 2]]


def test_indexed_slices(sess):
    start = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([4, 2]))

    def body(i, s):
        values = tf.concat([s.values, 2.0 * s.values[:1]], 0)
        return i + 1, tf.IndexedSlices(values, tf.concat([s.indices, [i]], 0), s.dense_shape)

    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    result = sess.run(tf.while_loop(lambda i, s: i < 3, body, [0, start], shape_invariants=shapes))[1]
    assert result.indices.tolist() == [0, 0, 1, 2] and result.dense_shape.tolist() == [4, 2]
    assert result.values[:, 0].tolist() == [1, 2, 2, 2]


def test_loops_in_loops(sess):
    def body(i, x):
        _, x = tf.while_loop(lambda j, x: j < i, lambda j, x: (j + 1, x + 10 * i + j), [0, x])
        return i + 1, x

    expected = sum(10 * i + j for i in range(5) for j in range(i))
    assert sess.run(tf.while_loop(lambda i, x: i < 5, body, [0, 0])) == (5, expected)


def test_conditions_in_loops(sess):
    def body(i, x):
        return i + 1, tf.cond(
            tf.equal(x % 2, 0), lambda: x // 2, lambda: tf.cond(x > 50, lambda: x - 3, lambda: 3 * x + 1)
        )

    def plain(x):
        steps = 0
        while x != 1:
            steps, x = steps + 1, x // 2 if x % 2 == 0 else x - 3 if x > 50 else 3 * x + 1
        return steps

    start = tf.placeholder(tf.int32, [])
    count, _ = tf.while_loop(lambda i, x: tf.not_equal(x, 1), body, [0, start])
    assert [sess.run(count, {start: x}) for x in (1, 7, 12)] == [plain(1), plain(7), plain(12)]


def test_loops_in_conditions(sess):
    p = tf.placeholder(tf.bool, [])
    a = tf.constant(3)
    result = tf.cond(p, lambda: tf.while_loop(lambda i: i < 10, lambda i: i + a, [a]), lambda: a)
    assert [sess.run(result, {p: value}) for value in (True, False)] == [12, 3]


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_change_in_each_iteration(sess, use_resource):
    v = tf.Variable(1.0, use_resource=use_resource)
    sess.run(v.initializer)

    def body(i):
        with tf.control_dependencies([tf.assign_add(v, tf.cast(i, tf.float32))]):
            return i + 1

    assert sess.run(tf.while_loop(lambda i: i < 5, body, [0])) == 5
    assert sess.run(v) == 11


def test_a_captured_variable_is_read_in_each_iteration(sess):
    v = tf.Variable(1.0, use_resource=True)
    sess.run(v.initializer)

    def body(i, x):
        with tf.control_dependencies([v.assign_add(1.0, read_value=False)]):
            return i + 1, x + v.read_value()

    assert sess.run(tf.while_loop(lambda i, x: i < 3, body, [0, 0.0], parallel_iterations=1)) == (3, 9)


def test_one_iteration_at_a_time_is_in_order(sess):
    seen = []

    def body(i):
        with tf.control_dependencies([tf.py_func(lambda n: seen.append(int(n)), [i], [])]):
            return i + 1

    sess.run(tf.while_loop(lambda i: i < 8, body, [0], parallel_iterations=1))
    assert seen == list(range(8))


def test_side_effects_that_nothing_depends_on(sess):
    seen = []

    def body(i, x):
        y = tf.py_func(lambda n: seen.append(int(n)) or np.int32(n), [i], tf.int32)
        y.set_shape([])
        return i + 1, x + y

    assert sess.run(tf.while_loop(lambda i, x: i < 8, body, [0, 0])) == (8, 28)
    assert sorted(seen) == list(range(8))


def test_queues_in_loops(sess):
    q = tf.FIFOQueue(20, tf.float32, shapes=[])

    def body(i, x):
        with tf.control_dependencies([q.enqueue(tf.cast(i, tf.float32))]):
            return i + 1, x

    sess.run(tf.while_loop(lambda i, x: i < 10, body, [0, 0.0], parallel_iterations=1))
    take = tf.while_loop(
        lambda i, x: i < 10, lambda i, x: (i + 1, 10.0 * x + q.dequeue()), [0, 0.0], parallel_iterations=1
    )
    assert sess.run(take) == (10, pytest.approx(123456789.0, rel=1e-6))
    assert sess.run(q.size()) == 0


def test_a_loop_waits_for_control_inputs(sess):
    v = tf.Variable(0, use_resource=True)
    sess.run(v.initializer)
    with tf.control_dependencies([v.assign_add(5)]):
        result = tf.while_loop(lambda i: i < v.read_value(), lambda i: i + 1, [0])
    assert sess.run(result) == 5


def test_random_numbers_are_new_in_each_iteration(sess):
    tf.set_random_seed(1)
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    more = lambda i, x: (i + 1, tf.concat([x, tf.random_uniform([1])], 0))  # noqa: E731
    values = sess.run(tf.while_loop(lambda i, x: i < 20, more, [0, tf.zeros([0])], shape_invariants=shapes)[1])
    assert len(set(values.tolist())) == 20


def test_names_and_attrs():
    n = tf.constant(3, name="n")
    tf.while_loop(lambda i: i < n, lambda i: i + n, [n], parallel_iterations=3, name="L")
    graph = tf.get_default_graph()
    enter, constant = graph.get_operation_by_name("L/Enter"), graph.get_operation_by_name("L/Less/Enter")
    assert enter.get_attr("frame_name") == b"L/while_context" and enter.get_attr("parallel_iterations") == 3
    assert not enter.get_attr("is_constant") and constant.get_attr("is_constant")
    [context] = tf.get_collection(tf.GraphKeys.WHILE_CONTEXT)
    assert str(context) == "L/while_context" and context.parallel_iterations == 3 and context.back_prop
    assert context.loop_enters == [enter.outputs[0]] and [t.name for t in context.loop_exits] == ["L/Exit:0"]
    assert context.pivot.name == "L/LoopCond:0" and context.outer_context is None and not context.swap_memory
    assert enter._get_control_flow_context() is context and graph._get_control_flow_context() is None


def test_summaries_of_bodies_are_waited_for(sess):
    ran = []
    key = tf.GraphKeys._SUMMARY_COLLECTION

    def body(i):
        tf.add_to_collection(key, tf.py_func(lambda: ran.append(1) or np.float32(0), [], tf.float32))
        return i + 1

    assert sess.run(tf.while_loop(lambda i: i < 3, body, [0])) == 3
    assert tf.get_collection(key) == [] and len(ran) == 3


def test_tensors_of_loops_are_counted_from_the_run_on(sess):
    """Each call builds a new loop and leaves earlier ones unchanged."""
    x = tf.constant(1)
    for _ in range(3):
        x = tf.while_loop(lambda i: i < 100, lambda i: i * 3, [x])
        assert sess.run(x) >= 100
