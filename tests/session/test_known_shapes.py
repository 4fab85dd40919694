"""Values of known shapes are not computed in a step, but its dependencies still run."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops

_X = np.ones([4, 3], np.float32)


def _executed(sess, fetches, feeds=()):
    return sess.plan_report(fetches, list(feeds)).op_counts


def _expensive(x):
    return tf.tanh(tf.matmul(tf.exp(x), tf.ones([3, 5])))


@pytest.mark.parametrize(
    ("tells", "expected"),
    [
        (gen_ops.shape, [4, 5]),
        (gen_ops.size, 20),
        (gen_ops.rank, 2),
        (lambda y: gen_ops.shape_n([y, y[0]])[1], [5]),
        (lambda y: gen_ops.shape(y, out_type=tf.int64), [4, 5]),
        (lambda y: gen_ops.fill(gen_ops.shape(y), gen_ops.size(y)), np.full([4, 5], 20)),
    ],
)
def test_what_only_its_shape_is_asked_of_does_not_run(tells, expected):
    x = tf.placeholder(tf.float32, [4, 3])
    y = tells(_expensive(x))
    with tf.Session() as sess:
        assert _executed(sess, y, [x]) == {}
        value = sess.run(y, {x: _X})
        np.testing.assert_array_equal(value, expected)
        assert value.dtype == y.dtype.as_numpy_dtype


def test_a_rank_may_be_known_where_the_shape_is_not():
    x = tf.placeholder(tf.float32, [None, 3])
    y = _expensive(x)
    with tf.Session() as sess:
        assert _executed(sess, gen_ops.rank(y), [x]) == {}
        assert "Tanh" in _executed(sess, gen_ops.shape(y), [x])
        assert "Tanh" in _executed(sess, gen_ops.size(y), [x])
        np.testing.assert_array_equal(sess.run(gen_ops.shape(y), {x: _X[:2]}), [2, 5])


def test_a_training_step_does_not_compute_the_loss():
    x = tf.placeholder(tf.float32, [4, 3])
    w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer(), use_resource=True)
    loss = tf.reduce_sum(tf.square(tf.matmul(x, w)), name="loss")
    ones = gen_ops.fill(gen_ops.shape(loss), 1.0)
    (grad,) = tf.gradients(loss, [w], grad_ys=[ones])
    train = tf.assign_sub(w, 0.1 * grad)
    with tf.Session() as sess:
        sess.run(w.initializer)
        executed = _executed(sess, train, [x])
        assert not {"Sum", "Square", "Shape", "Fill"} & set(executed)
        np.testing.assert_allclose(sess.run(train, {x: _X}), np.full([3, 2], 1 - 0.1 * 2 * 12), rtol=1e-6)


def test_effects_are_waited_for():
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    x = tf.placeholder(tf.float32, [4, 3])
    with tf.control_dependencies([v.assign_add(1.0)]):
        y = tf.exp(x)
    with tf.control_dependencies([v.assign_add(2.0)]):
        shape = gen_ops.shape(y)
    with tf.control_dependencies([shape]):
        after = v.read_value()
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(after, {x: _X}) == 3
        assert "Exp" not in _executed(sess, after, [x])
        np.testing.assert_array_equal(sess.run(shape, {x: _X}), [4, 3])
        assert sess.run(v) == 6
        sess.run(shape.op, {x: _X})
        assert sess.run(v) == 9


def test_readers_of_a_shape_wait_for_the_effects_before_it():
    """Each of many readers waits for each of many effects."""
    v = tf.get_variable("v", [50], initializer=tf.zeros_initializer(), use_resource=False)
    with tf.control_dependencies([tf.scatter_add(v, [i], [1.0]) for i in range(50)]):
        shape = gen_ops.shape(tf.exp(tf.random_uniform([7]) * 0.0))
    with tf.control_dependencies([shape]):
        sums = [tf.reduce_sum(tf.identity(v._ref()) * tf.cast(shape[0] - i, tf.float32)) for i in range(50)]
    with tf.Session() as sess:
        for _ in range(4):  # only the first steps are sure to run in order
            sess.run(v.initializer)
            np.testing.assert_array_equal(sess.run(sums), [50 * (7 - i) for i in range(50)])


def test_a_large_update_waits_for_the_checks_before_a_shape():
    """The update waits even though it could run early otherwise."""
    n = 1 << 16
    v = tf.get_variable("v", [n], initializer=tf.zeros_initializer(), use_resource=True)
    x = tf.placeholder(tf.float32, [n])
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    value = tf.tanh(x)
    with tf.control_dependencies([tf.check_numerics(a, "a is bad"), tf.check_numerics(b, "b is bad")]):
        shape = gen_ops.shape(tf.exp(x))
    with tf.control_dependencies([shape]):
        update = v.assign_add(value, read_value=False)
    feed = {x: np.ones(n), a: 1.0, b: np.nan}
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert "Exp" not in _executed(sess, update, list(feed))
        for _ in range(4):  # only the first steps are sure to run in order
            with pytest.raises(tf.errors.InvalidArgumentError, match="b is bad"):
                sess.run(update, feed)
            assert not sess.run(v).any()
        sess.run(update, {**feed, b: 1.0})
        assert sess.run(v).all()


def test_random_numbers_are_drawn_all_the_same():
    def draws(between):
        with tf.Graph().as_default(), tf.Session() as sess:
            numbers = tf.random_uniform([3], seed=1)
            shape = gen_ops.shape(tf.exp(numbers))
            first = sess.run(numbers)
            sess.run(shape if between else tf.no_op())
            return first, sess.run(numbers), sess.run(numbers)

    (_, plain, second), (_, skipped, _) = draws(False), draws(True)
    np.testing.assert_array_equal(skipped, second)
    assert not np.array_equal(plain, skipped)


def test_what_is_missing_is_missed_all_the_same():
    x = tf.placeholder(tf.float32, [4, 3])
    v = tf.get_variable("v", [3], use_resource=True)
    w = tf.get_variable("w", [3], use_resource=False)
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            sess.run(gen_ops.shape(tf.exp(x)))
        for variable in (v, w):
            with pytest.raises(tf.errors.FailedPreconditionError):
                sess.run(gen_ops.shape(tf.exp(variable)))
        with pytest.raises(tf.errors.NotFoundError):
            sess.run(gen_ops.variable_shape(v.handle))


def test_checks_run():
    x = tf.placeholder(tf.float32, [2])
    shape = gen_ops.shape(tf.exp(tf.check_numerics(x, "not finite")))
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(shape, {x: [1.0, 2.0]}), [2])
        with pytest.raises(tf.errors.InvalidArgumentError, match="not finite"):
            sess.run(shape, {x: [1.0, np.nan]})


@pytest.mark.parametrize("fed", ["x", "y"])
def test_feeds_of_known_shape(fed):
    x = tf.placeholder(tf.float32, [4, 3])
    y = tf.exp(x)
    shape = gen_ops.shape(y)
    tensor = {"x": x, "y": y}[fed]
    with tf.Session() as sess:
        assert _executed(sess, shape, [tensor]) == {}
        np.testing.assert_array_equal(sess.run(shape, {tensor: _X}), [4, 3])
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            sess.run(shape, {tensor: _X[:2]})
        call = sess.make_callable(shape, [tensor])
        np.testing.assert_array_equal(call(_X), [4, 3])
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            call(_X[:2])


def test_fed_shapes_count():
    x = tf.placeholder(tf.float32, [4, 3])
    shape = gen_ops.shape(x)
    first, second = gen_ops.shape_n([x, x])
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(shape + 1, {shape: [7, 8]}), [8, 9])
        values = sess.run([first + 1, second + 1], {x: _X, first: [7, 8]})
        np.testing.assert_array_equal(values, [[8, 9], [5, 4]])


def test_variables_may_change_their_shape():
    v = tf.Variable([1.0, 2.0], use_resource=False)
    longer = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
    with tf.Session() as sess:
        sess.run(v.initializer)
        shapes = gen_ops.shape(v._ref()), gen_ops.size(longer)
        sess.run(longer)
        np.testing.assert_array_equal(sess.run(shapes[0]), [3])
        assert sess.run(shapes[1]) == 3


def test_shapes_behind_a_replaced_input_are_not_known():
    x = tf.placeholder(tf.float32, [4, 3])
    other = tf.placeholder(tf.float32, [None, 3])  # other static shapes are refused
    y = tf.exp(x)
    shape = gen_ops.shape(tf.tanh(y))
    y.op._update_input(0, other)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(shape, {other: _X[:2]}), [2, 3])


def test_a_partial_run_gives_shapes_when_their_feeds_are_there():
    x = tf.placeholder(tf.float32, [4, 3])
    z = tf.placeholder(tf.float32, [])
    shape, other = gen_ops.shape(tf.exp(x)), z + 1
    with tf.Session() as sess:
        assert _executed(sess, [shape, other], [x, z]) == {"AddV2": 1}
        sess.run([shape, other], {x: _X, z: 1.0})
        handle = sess.partial_run_setup([shape, other], [x, z])
        assert sess.partial_run(handle, other, {z: 1.0}) == 2
        with pytest.raises(tf.errors.InvalidArgumentError, match="can't be computed from the feeds"):
            sess.partial_run(handle, shape)
        np.testing.assert_array_equal(sess.partial_run(handle, shape, {x: _X}), [4, 3])


def test_without_folding_shapes_are_computed():
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    x = tf.placeholder(tf.float32, [4, 3])
    shape = gen_ops.shape(tf.exp(x))
    with tf.Session(config=config) as sess:
        assert _executed(sess, shape, [x]) == {"Exp": 1, "Shape": 1}


def test_sizes_that_do_not_fit_are_errors_of_the_step():
    x = tf.placeholder(tf.bool, [0, 2**31])
    with tf.Session() as sess:
        feed = {x: np.ones([0, 2**31], bool)}
        np.testing.assert_array_equal(sess.run(gen_ops.shape(x, out_type=tf.int64), feed), [0, 2**31])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Shape output type is 32-bit"):
            sess.run(gen_ops.shape(x), feed)


def test_a_shape_that_waits_for_several_is_a_constant_of_the_step():
    a, b = tf.random_uniform([3]), tf.random_uniform([3])
    shape = gen_ops.shape(a * b, name="shape")
    readers = [tf.random_uniform(shape), tf.random_uniform(shape)]
    with tf.Session() as sess:
        assert ("shape", "Const") in sess.plan_report(readers).nodes
        numbers = [reader.op.inputs[0].op.inputs[0] for reader in readers]
        assert _executed(sess, numbers) == {"RandomUniform": 4, "Const": 1}
        metadata = tf.RunMetadata()
        sess.run(readers, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        (device,) = metadata.step_stats.dev_stats
        assert "shape" in [stats.node_name for stats in device.node_stats]


def test_static_shapes_of_what_is_built_on_known_shapes():
    """Shape inference evaluates ops on known shapes."""
    x = tf.placeholder(tf.float32, [4, 3])
    flat = gen_ops.reshape(x, gen_ops.reshape(gen_ops.size(x), [1]))
    assert flat.shape.as_list() == [12]
    assert gen_ops.fill(gen_ops.shape(tf.exp(x)) * 2, 0.0).shape.as_list() == [8, 6]
    assert gen_ops.reshape(x, gen_ops.fill([1], gen_ops.rank(x) * 6)).shape.as_list() == [12]


def test_beside_branches_and_loops():
    """Shapes are known to nodes that run in every step, but not to nodes in branches and loops."""
    x, p = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.bool, [])
    known = gen_ops.shape(_expensive(x), name="known")
    branch = tf.cond(p, lambda: gen_ops.size(tf.tanh(x), name="asked"), lambda: 0)
    loop = tf.while_loop(lambda i: i < 12, lambda i: i + gen_ops.size(tf.exp(x), name="asked"), [0])
    with tf.Session() as sess:
        nodes = [name for name, _ in sess.plan_report([known, branch, loop], [x, p]).nodes]
        assert "known" not in nodes and {name for name in nodes if "asked" in name} == {"cond/asked", "while/asked"}
        for taken, size in ((True, 12), (False, 0)):
            known_now, *others = sess.run([known, branch, loop], {x: _X, p: taken})
            np.testing.assert_array_equal(known_now, [4, 5])
            assert others == [size, 12]


def test_of_what_leaves_a_loop_or_a_branch():
    x, p = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.bool, [])
    either = tf.cond(p, lambda: x * 2.0, lambda: x)
    grown = tf.while_loop(
        lambda i, _: i < 3,
        lambda i, v: (i + 1, tf.concat([v, v], 0)),
        [0, x],
        [tf.TensorShape([]), tf.TensorShape([None, 3])],
    )[1]
    with tf.Session() as sess:
        shapes = sess.run([gen_ops.shape(either), gen_ops.shape(grown)], {x: _X, p: True})
    np.testing.assert_array_equal(shapes, [[4, 3], [32, 3]])
