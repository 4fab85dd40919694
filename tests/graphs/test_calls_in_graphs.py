"""Calls of traced functions in plain graphs are nodes as in TensorFlow 1.15."""

import gc
import weakref

import numpy as np
import pytest

import tinytf as tf


def run(fetches, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed)


def types_of_calls():
    return [op.type for op in tf.get_default_graph().get_operations() if "Partitioned" in op.type]


def test_each_call_is_a_node_of_one_function():
    traces = []

    @tf.function
    def f(x, y):
        traces.append(1)
        return x * y + 1.0, tf.sin(x)

    a, b = tf.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    first = f(a, b)
    with tf.name_scope("scope"):
        second = f(a, b)
    assert first[0].name == "PartitionedCall:0" and second[1].name == "scope/PartitionedCall:1"
    assert first[0].op.get_attr("f") == second[0].op.get_attr("f")
    assert len(traces) == 1 and first[0].shape == (2,)
    assert [list(t.op.inputs) for t in first] == [[a, b], [a, b]]
    np.testing.assert_allclose(run(second, {b: [3.0, 4.0]}), [[4.0, 9.0], np.sin([1.0, 2.0])], rtol=1e-6)


def test_shapes_come_from_the_arguments_of_a_call():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def f(x):
        return tf.matmul(x, x, transpose_b=True), tf.shape(x)

    product, shape = f(tf.zeros([3, 4]))
    assert product.shape == (3, 3) and shape.shape == (2,)
    product, _ = f(tf.placeholder(tf.float32, [None, 5]))
    assert product.shape.as_list() == [None, None]


def test_captured_tensors_and_variables_are_arguments():
    v = tf.Variable([1.0, 2.0], use_resource=True)
    w = tf.constant(3.0)

    @tf.function
    def f(x):
        v.assign_add(x)
        return x * v * w

    a = tf.constant([1.0, 2.0])
    y = f(a)
    assert y.op.type == "StatefulPartitionedCall"
    assert list(y.op.inputs) == [a, v.handle, w]
    gradients = tf.gradients(y, [a, v, w])
    values = run([y, *gradients])
    np.testing.assert_array_equal(values[0], [6.0, 24.0])
    np.testing.assert_array_equal(values[1], [6.0, 12.0])
    np.testing.assert_array_equal(values[2], [3.0, 6.0])
    assert values[3] == 10.0


def test_what_returns_nothing_is_run_by_its_call():
    v = tf.Variable(1.0, use_resource=True)

    @tf.function
    def f():
        v.assign_add(1.0)

    call = f()
    assert isinstance(call, tf.Operation) and call.name == "PartitionedFunctionCall"
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(call)
        session.run(call)
        assert session.run(v) == 3.0


def test_structures_and_composites():
    @tf.function
    def f(x):
        return {"a": x + 1.0, "b": None}, [
            tf.IndexedSlices(x, tf.constant([0])),
            tf.SparseTensor([[0, 0]], [1.0], [1, 1]),
        ]

    named, [slices, sparse] = f(tf.constant([[1.0]]))
    assert named["b"] is None and isinstance(slices, tf.IndexedSlices) and isinstance(sparse, tf.SparseTensor)
    assert types_of_calls() == ["PartitionedCall"]
    assert run([named["a"], slices.values, sparse.values]) == [[[2.0]], [[1.0]], [1.0]]


@pytest.mark.parametrize("kind", ["loop", "branch"])
def test_calls_in_branches_and_loops(kind):
    @tf.function
    def square(y):
        return y * y

    x = tf.placeholder(tf.float32, [])
    if kind == "loop":
        y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, square(y)), [0, x])[1]
        expected = [81.0, 108.0]
    else:
        y = tf.cond(x > 0.0, lambda: square(x), lambda: x)
        expected = [9.0, 6.0]
    assert types_of_calls() == ["PartitionedCall"]
    assert run([y, *tf.gradients(y, x)], {x: 3.0}) == expected


def test_second_derivatives():
    @tf.function
    def cube(x):
        return x**3.0

    x = tf.placeholder(tf.float32, [])
    first = tf.gradients(cube(x), x)
    second = tf.gradients(first, x)
    np.testing.assert_allclose(run([first[0], second[0]], {x: 2.0}), [12.0, 12.0], rtol=1e-6)


def test_functions_that_make_variables():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(2.0, name="made"))
        return made[0] * x

    first, second = f(tf.constant(1.0)), f(tf.constant(3.0))
    assert [v.name for v in tf.global_variables()] == ["made:0"]
    assert run([first, second]) == [2.0, 6.0]
    assert second.op.type == "StatefulPartitionedCall"


def test_traces_belong_to_their_graph():
    @tf.function
    def f(x):
        return x + offset

    values = []
    for number in (1.0, 2.0):
        with tf.Graph().as_default():
            offset = tf.constant(number)
            values.append(run(f(tf.constant(10.0))))
    assert values == [11.0, 12.0]


def test_functions_go_with_their_graph():
    @tf.function
    def f(x):
        return x + offset

    offset = None
    with tf.Graph().as_default() as graph:
        offset = tf.constant(1.0)
        run(f(tf.constant(10.0)))
    gone = weakref.ref(graph)
    graph = offset = None
    gc.collect()
    assert gone() is None


def test_an_import_yields_the_same():
    @tf.function
    def f(x):
        return tf.cond(x > 0.0, lambda: x * x, lambda: -x)

    x = tf.placeholder(tf.float32, [], name="x")
    y = f(x)
    gradient = tf.gradients(y, x)[0]
    definition = tf.get_default_graph().as_graph_def()
    here = run([y, gradient], {x: 3.0})
    with tf.Graph().as_default():
        tf.import_graph_def(definition, name="")
        there = run([y.name, gradient.name], {"x:0": 3.0})
    assert here == there == [9.0, 6.0]
