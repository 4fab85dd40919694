"""Session.watch_nan ends steps at the first node with a NaN or infinite output, and names that node."""

import inspect

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def ratio():
    """x, y, x / y, its logarithm, and the line of the division."""
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
    line = inspect.currentframe().f_lineno + 1
    z = tf.divide(x, y, name="ratio")
    return x, y, z, tf.log(z, name="logarithm"), line


def _blames(node, kind="NaN"):
    return pytest.raises(
        tf.errors.InvalidArgumentError, match=rf"^NaN watch: the first {kind} comes from node {node}\b"
    )


def test_the_error_names_node_line_and_inputs(sess, ratio):
    x, y, z, log, line = ratio
    sess.watch_nan()
    assert sess.run(log, {x: 1, y: 1}) == 0
    with _blames("ratio") as caught:
        sess.run(log, {x: [0, 1, 3], y: [0, 1, 2]})
    message = caught.value.message
    assert caught.value.op is z.op
    assert f"test_nan_watch.py:{line}" in message
    assert "of type RealDiv: output 0 is float [3] in [1, 1.5] and 1 NaN. " in message
    assert "Its inputs: float [3] in [0, 3]; float [3] in [0, 2]." in message


def test_infinities_count_unless_told_otherwise(sess, ratio):
    x, y, z, log, _ = ratio
    sess.watch_nan()
    with _blames("ratio", "Inf"):
        sess.run(log, {x: 1, y: 0})
    with _blames("logarithm", "Inf"):
        sess.run(log, {x: 0, y: 1})
    sess.watch_nan(infinities=False)
    assert sess.run(z, {x: 1, y: 0}) == np.inf
    with _blames("logarithm"):
        sess.run(log, {x: -1, y: 1})


def test_it_can_be_switched_off(sess, ratio):
    x, y, _, log, _ = ratio
    sess.watch_nan()
    with _blames("ratio"):
        sess.run(log, {x: 0, y: 0})
    sess.watch_nan(False)
    assert np.isnan(sess.run(log, {x: 0, y: 0}))


def test_integers_strings_and_booleans_are_left_alone(sess):
    n = tf.placeholder(tf.int32)
    fetches = [n * 2, tf.cast(n, tf.bool), tf.as_string(n), tf.cast(n, tf.int64) + 1]
    sess.watch_nan()
    for bits in (0x7F800000, 0x7FC00000, -1):
        assert sess.run(fetches, {n: [bits]})[3].tolist() == [bits + 1]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128])
def test_all_types_that_have_nans_are_watched(sess, dtype):
    x = tf.placeholder(tf.float64, [None])
    y = -tf.cast(x, dtype, name="cast")
    sess.watch_nan()
    sess.run(y, {x: np.ones(10_000)})
    bad = np.ones(10_000)
    bad[-1] = np.nan
    with _blames("(cast|Neg)"):
        sess.run(y, {x: bad})
    bad[-1] = -np.inf
    with _blames("(cast|Neg)", "Inf"):
        sess.run(y, {x: bad})


def test_every_way_to_run_is_watched(sess, ratio):
    x, y, z, log, _ = ratio
    bad = {x: 0, y: 0}
    call = sess.make_callable(z, [x, y])
    zero = tf.get_variable("zero", initializer=0.0)
    prepared = sess.make_callable(tf.divide(zero, zero, name="other"))
    sess.run(zero.initializer)
    assert np.isnan(call(0, 0)) and np.isnan(prepared()) and np.isnan(sess.run(z, bad))
    handle = sess.partial_run_setup([log], [x, y])
    sess.watch_nan()
    with _blames("ratio"):
        sess.run(z, bad)
    with _blames("ratio"):
        sess.run([{"z": z}], bad)
    with _blames("ratio"):
        sess.run(z, bad, options=tf.RunOptions(timeout_in_ms=60_000))
    with _blames("ratio"):
        call(0, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="^NaN watch: the first NaN comes from .*other"):
        prepared()
    with _blames("ratio"):
        sess.partial_run(handle, log, bad)
    with _blames("ratio"):
        z.eval(bad, sess)


def test_traced_steps_are_watched(sess, ratio):
    x, y, z, _, _ = ratio
    sess.watch_nan()
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    assert sess.run(z, {x: 4, y: 2}, options=options, run_metadata=metadata) == 2
    assert [stats.node_name for stats in metadata.step_stats.dev_stats[0].node_stats] == ["ratio"]
    with _blames("ratio"):
        sess.run(z, {x: 0, y: 0}, options=options, run_metadata=metadata)


def test_other_sessions_are_not_watched(sess, ratio):
    x, y, z, _, _ = ratio
    sess.watch_nan()
    with tf.Session() as other:
        assert np.isnan(other.run(z, {x: 0, y: 0}))


@pytest.mark.parametrize("use_resource", [False, True])
def test_updates_and_reads_of_variables(sess, use_resource):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=use_resource)
    x = tf.placeholder(tf.float32, [2])
    loss = tf.reduce_sum(tf.sqrt(v) * x)
    step = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    sess.run(tf.global_variables_initializer())
    sess.watch_nan()
    sess.run(step, {x: [0.5, 0.5]})
    sess.watch_nan(False)
    sess.run(v.assign([np.nan, 1.0]))
    sess.watch_nan()
    # The variable already contains it, so its first reader is blamed.
    with _blames("Sqrt/ReadVariableOp" if use_resource else "Sqrt"):
        sess.run(loss, {x: [1, 1]})


def test_the_gradient_of_the_square_root_at_zero(sess):
    x = tf.placeholder(tf.float32, [None], name="x")
    root = tf.sqrt(x, name="root")
    (gradient,) = tf.gradients(tf.reduce_sum(root), x)
    sess.watch_nan()
    assert sess.run(gradient, {x: [4.0]}).tolist() == [0.25]
    with _blames("gradients/root_grad/SqrtGrad", "Inf"):
        sess.run(gradient, {x: [4.0, 0.0]})


def test_steps_on_threads(sess):
    x = tf.placeholder(tf.float32, [128, 128])
    branches = [tf.matmul(x, x, transpose_a=bool(i % 2), name=f"product{i}") for i in range(8)]
    total = tf.add_n([tf.reduce_sum(tf.tanh(branch)) for branch in branches])
    good, bad = np.zeros([128, 128], np.float32), np.full([128, 128], np.nan, np.float32)
    for _ in range(6):  # measured first, then run on all threads
        assert sess.run(total, {x: good}) == 0
    sess.watch_nan()
    for _ in range(10):
        with _blames(r"product\d"):
            sess.run(total, {x: bad})
        assert sess.run(total, {x: good}) == 0


def test_a_waiting_node_is_watched(sess):
    queue = tf.FIFOQueue(2, tf.float32, shapes=[[]])
    sess.run(queue.enqueue(np.nan))
    out = queue.dequeue(name="out")
    sess.watch_nan()
    with _blames("out"):
        sess.run(out + 1)


def test_results_are_the_same(sess):
    x = tf.placeholder(tf.float32, [64])
    y = x
    for function in (tf.tanh, tf.exp, tf.negative, tf.square, tf.sigmoid):
        y = function(y) + x  # in place without the NaN watch
    array = np.linspace(-1, 1, 64, dtype=np.float32)
    plain = sess.run(y, {x: array})
    sess.watch_nan()
    assert sess.run(y, {x: array}).tobytes() == plain.tobytes()


def test_nodes_that_were_folded_into_constants(sess):
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
    line = inspect.currentframe().f_lineno + 1
    bad = tf.log(tf.constant([-1.0, 2.0]), name="bad")
    worse = tf.negative(bad, name="worse") * x
    far = tf.divide(tf.constant(1.0), tf.constant(0.0), name="far") * x
    assert np.isnan(sess.run(worse, {x: 1})[0])
    call = sess.make_callable(worse, [x])
    handle = sess.partial_run_setup([worse, x + y], [x, y])
    sess.watch_nan(infinities=False)
    with _blames("bad") as caught:
        sess.run(worse, {x: 1})
    assert caught.value.op is bad.op
    assert f"test_nan_watch.py:{line}" in caught.value.message
    assert "of type Log: output 0 is float [2] all 0.693147 and 1 NaN. Its inputs: float [2] in [-1, 2]." in (
        caught.value.message
    )
    with _blames("bad"):
        sess.run(bad)
    with _blames("bad"):
        call(1)
    with _blames("bad"):
        sess.partial_run(handle, worse, {x: 1})
    assert sess.run(far, {x: 1}) == np.inf
    sess.watch_nan()
    with _blames("far", "Inf"):
        sess.run(far, {x: 1})
    assert sess.run(x + y, {x: 1, y: 1}) == 2
    sess.watch_nan(False)
    assert np.isnan(sess.partial_run(handle, worse, {x: 1})[0])


def test_constants_are_not_blamed(sess):
    x = tf.placeholder(tf.float32, [])
    bad = tf.constant([np.nan, 1.0], name="bad")
    handed_on = tf.identity(bad, name="handed_on")
    use = tf.add(handed_on, x, name="use")
    sess.watch_nan()
    assert np.isnan(sess.run([bad, handed_on])[1][0])
    with _blames("use"):
        sess.run(use, {x: 1})
    with _blames("folded"):
        sess.run(tf.negative(handed_on, name="folded"))


def test_bits_that_become_a_nan_are_noticed():
    x = tf.placeholder(tf.int32, [1])
    y = tf.bitcast(x, tf.float32, name="y")
    with tf.Session() as sess:
        sess.watch_nan()
        assert sess.run(y, {x: [0]}) == [0.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="the first NaN comes from node y "):
            sess.run(y, {x: [0x7FC00000]})
