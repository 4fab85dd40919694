"""The backward traversal of `tf.gradients`: accumulation, stopping and errors."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import testing


def _run(fetch, feeds=None):
    with tf.Session() as sess:
        return sess.run(fetch, feeds)


def test_several_ys_and_xs():
    x, y = tf.constant(3.0), tf.constant(4.0)
    grads = tf.gradients([x * y, x + 2 * y], [x, y])
    assert _run(grads) == [5, 5]
    assert _run(tf.gradients(x * x, x)) == [6]
    assert len(tf.gradients(x * y, [x])) == 1


def test_unconnected():
    x, z = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0])
    assert tf.gradients(x * 2, z) == [None]
    np.testing.assert_array_equal(_run(tf.gradients(x * 2, z, unconnected_gradients="zero"))[0], [0, 0])
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'x'"):
        tf.gradients(x * 2, z, unconnected_gradients="x")


def test_grad_ys():
    x = tf.constant([1.0, 2.0])
    y = x * 3
    np.testing.assert_array_equal(_run(tf.gradients(y, x, [[10.0, 1.0]]))[0], [30, 3])
    with pytest.raises(ValueError, match="Passed 2 grad_ys for 1 ys"):
        tf.gradients(y, x, [None, None])
    with pytest.raises(TypeError, match="generated for real or integer-valued tensor"):
        tf.gradients(y, x, [tf.constant(1 + 1j)])
    c = tf.constant(1 + 2j) * 2
    with pytest.raises(TypeError, match="Gradients of complex tensors must set grad_ys"):
        tf.gradients(c, c.op.inputs[0])


def test_names():
    x = tf.constant(2.0, name="x")
    y = tf.square(x, name="y")
    grad = tf.gradients(y, x)[0]
    assert grad.op.name.startswith("gradients/y_grad/")
    assert tf.get_default_graph().get_operation_by_name("gradients/grad_ys_0")
    assert tf.gradients(y, x, name="other")[0].op.name.startswith("other/y_grad/")
    assert tf.gradients(y, x)[0].op.name.startswith("gradients_1/y_grad/")
    assert grad.op._original_op is y.op


def test_stops():
    x = tf.constant(3.0)
    y = x * x
    assert _run(tf.gradients(y + x, x, stop_gradients=[y])) == [1]
    assert _run(tf.gradients(tf.stop_gradient(y) * x, x)) == [9]
    assert _run(tf.gradients(y * 2, [y, x])) == [2, 12]


def test_integers_carry_no_gradients():
    x = tf.constant(3)
    assert tf.gradients(x * x, x) == [None]
    y = tf.constant(2.0)
    assert _run(tf.gradients(y * tf.cast(tf.cast(y, tf.int32), tf.float32), y)) == [2]


def test_broadcasting_is_undone():
    a, b = tf.ones([3, 1]), tf.ones([4])
    ga, gb = _run(tf.gradients(a * b * 2.0, [a, b]))
    np.testing.assert_array_equal(ga, [[8]] * 3)
    np.testing.assert_array_equal(gb, [6] * 4)


def test_sums_of_dense_and_sparse_parts():
    table = tf.get_variable("table", initializer=np.ones([4, 2], np.float32))
    rows = tf.gather(table, [1, 1, 3])
    sparse = tf.gradients(rows, table)[0]
    assert isinstance(sparse, tf.IndexedSlices)
    both = tf.gradients([rows, tf.gather(table, [0])], table)[0]
    assert isinstance(both, tf.IndexedSlices)
    dense = tf.gradients([rows, table * 1.0], table)[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        value = sess.run(both)
        np.testing.assert_array_equal(sorted(value.indices), [0, 1, 1, 3])
        np.testing.assert_array_equal(sess.run(dense), [[1, 1], [3, 3], [1, 1], [2, 2]])


@pytest.mark.parametrize("method", ["DEFAULT", "ADD_N", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"])
def test_aggregation_methods(method):
    x = tf.constant([1.0, 2.0])
    ys = [x * float(i) for i in range(1, 6)]
    grads = tf.gradients(ys, x, aggregation_method=getattr(tf.AggregationMethod, method))
    np.testing.assert_array_equal(_run(grads)[0], [15, 15])


def test_bad_aggregation_method():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="Invalid aggregation_method specified 7."):
        tf.gradients([x * 1.0, x * 2.0], x, aggregation_method=7)


def test_gates():
    a, b = tf.constant(2.0), tf.constant(3.0)
    grads = tf.gradients(a * b, [a, b], gate_gradients=True)
    assert all(g.op.type == "Identity" for g in grads)
    assert _run(grads) == [3, 2]


def test_colocation():
    with tf.device("/cpu:0"):
        x = tf.constant(2.0)
        y = tf.square(x, name="y")
    grad = tf.gradients(y, x, colocate_gradients_with_ops=True)[0]
    assert b"loc:@y" in grad.op.colocation_groups()


def test_second_order():
    x = tf.constant(2.0)
    y = x * x * x
    first = tf.gradients(y, x)[0]
    second = tf.gradients(first, x)[0]
    third = tf.gradients(second, x)[0]
    assert _run([first, second, third]) == [12, 12, 6]


def test_variables_as_xs():
    for resource in (False, True):
        v = tf.get_variable(f"v{resource}", initializer=3.0, use_resource=resource)
        grad = tf.gradients(v * v, v)[0]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            assert sess.run(grad) == 6


def test_an_op_without_gradient():
    x = tf.constant([3.0, 1.0, 2.0])
    y = tf.bitcast(x, tf.float32, name="cast")
    with pytest.raises(LookupError) as caught:
        tf.gradients(y, x)
    assert str(caught.value).strip("'\"") == "No gradient defined for operation 'cast' (op type: Bitcast)"


def test_registration():
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.RegisterGradient(3)
    with pytest.raises(KeyError) as caught:
        tf.RegisterGradient("MatMul")(lambda op, grad: None)
    assert "Registering two gradient with name 'MatMul'!" in str(caught.value)
    assert tf.NoGradient is tf.NotDifferentiable


def _unique(name, _seen=[]):  # noqa: B006 - a registry is for the whole process
    _seen.append(name)
    return f"{name}{len(_seen)}"


def test_overridden_gradients():
    name = _unique("Halved")

    @tf.RegisterGradient(name)
    def halved(op, grad):
        return grad * 0.5

    x = tf.constant(4.0)
    with tf.get_default_graph().gradient_override_map({"Identity": name}):
        y = tf.identity(x)
    assert _run(tf.gradients(y, x)) == [0.5]


def test_wrong_gradient_functions():
    count, shape = _unique("WrongCount"), _unique("WrongShape")

    @tf.RegisterGradient(count)
    def two(op, grad):
        return grad, grad

    @tf.RegisterGradient(shape)
    def longer(op, grad):
        return tf.ones([7])

    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Identity": count}):
        y = tf.identity(x, name="wrong")
    with pytest.raises(ValueError, match="Num gradients 2 generated for op (.|\n)* do not match num inputs 1"):
        tf.gradients(y, x)
    with tf.get_default_graph().gradient_override_map({"Identity": shape}):
        z = tf.identity(x)
    with pytest.raises(
        ValueError, match="Incompatible shapes between op input and calculated input gradient.  Forward"
    ):
        tf.gradients(z, x)


def test_outputs_without_gradient_get_zeros():
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    a, _ = tf.split(x, 2)
    np.testing.assert_array_equal(_run(tf.gradients(a * 2.0, x))[0], [2, 2, 0, 0])


def test_deep_chains():
    x = y = tf.constant(1.0)
    for _ in range(3000):
        y = y + x
    assert _run(tf.gradients(y, x)) == [3001]


def test_the_numeric_check_agrees_and_notices():
    x = tf.placeholder(tf.float64, [3])
    with tf.Session() as sess, sess.as_default():
        error = testing.compute_gradient_error(x, [3], tf.sin(x), [3], np.array([0.1, 0.2, 0.3]))
        assert error < 1e-6
        name = _unique("Wrong")
        tf.RegisterGradient(name)(lambda op, grad: grad)
        with sess.graph.gradient_override_map({"Sin": name}):
            wrong = tf.sin(x)
        assert testing.compute_gradient_error(x, [3], wrong, [3], np.array([1.1, 1.2, 1.3])) > 0.1
        theoretical, numeric = testing.compute_gradient(x, [3], tf.reduce_sum(x * x), [])
        assert theoretical.shape == numeric.shape == (3, 1)
    with pytest.raises(ValueError, match="default session"):
        testing.compute_gradient(x, [3], x, [3])


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("version", ["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"])
def test_batch_normalisation(version, training):
    rng = np.random.default_rng(0)
    shapes = [[2, 3, 2, 2], [2], [2]]
    xs = [tf.placeholder(tf.float32, s) for s in shapes]
    mean, variance = ([], []) if training else ([0.3, -0.2], [1.5, 0.8])
    statistics = [tf.constant(v, tf.float32) for v in (mean, variance)]
    op = getattr(tf.raw_ops, version)
    y = op(x=xs[0], scale=xs[1], offset=xs[2], mean=statistics[0], variance=statistics[1], is_training=training).y
    weights = tf.constant(rng.normal(size=shapes[0]).astype(np.float32))
    with tf.Session() as sess, sess.as_default():
        values = [rng.normal(size=s) for s in shapes]
        fed = dict(zip(xs, values))
        error = testing.compute_gradient_error(
            xs, shapes, tf.reduce_sum(y * weights), [], values, 1e-2, extra_feed_dict=fed
        )
    assert error < 2e-2


@pytest.mark.parametrize("stop", [3, "a", [3], [None]])
def test_what_is_no_tensor_cannot_stop_gradients(stop):
    x = tf.constant(1.0)
    with pytest.raises(AttributeError, match="has no attribute 'op'"):
        tf.gradients(x * 3.0, x, stop_gradients=stop)


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_variable_stops_gradients_behind_itself(use_resource):
    v, w = (tf.Variable(1.0, use_resource=use_resource) for _ in "vw")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(tf.gradients(v * w + v, [v, w], stop_gradients=[v])) == [2, 1]
