"""Tensor lists as the state of loops and the results of branches."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.ops.data_flow import list_ops

# Compiled plans, and plans run by the dataflow machine without rewrites.
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
WAYS = {"compiled": tf.ConfigProto(), "by tokens": BY_TOKENS}
VALUE = np.array([1.0, 2.0], np.float32)


@pytest.fixture(params=WAYS)
def session(request):
    with tf.Session(config=WAYS[request.param]) as opened:
        yield opened


def _push(handle, value):
    return tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=value)


def _stack(handle):
    return list_ops.tensor_list_stack(handle, tf.float32, element_shape=[2])


def _multiples(n, x, **options):
    """A list of n elements, the i-th of which is i * x."""
    start = list_ops.empty_tensor_list([2], tf.float32)
    body = lambda i, handle: (i + 1, _push(handle, x * tf.cast(i, tf.float32)))  # noqa: E731
    return tf.while_loop(lambda i, _: i < n, body, [0, start], **options)[1]


@pytest.mark.parametrize("n", [0, 1, 3, 3000])
def test_results_are_collected(session, n):
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    stacked = _stack(_multiples(count, x))
    np.testing.assert_array_equal(session.run(stacked, {count: n, x: VALUE}), np.arange(n)[:, None] * VALUE)


def test_elements_are_set(session):
    """Computes cumulative sums in place."""
    count = tf.placeholder(tf.int32, [])

    def body(i, handle):
        before = list_ops.tensor_list_get_item(handle, i - 1, tf.float32)
        return i + 1, list_ops.tensor_list_set_item(handle, i, before + tf.cast(i, tf.float32))

    start = list_ops.tensor_list_reserve([], count, tf.float32)
    handle = tf.while_loop(lambda i, _: i < count, body, [1, start])[1]
    values = session.run(list_ops.tensor_list_stack(handle, tf.float32), {count: 2000})
    assert values.tolist() == np.cumsum(np.arange(2000)).tolist()


def test_inputs_are_popped(session):
    x = tf.placeholder(tf.float32, [None, 2])
    start = list_ops.tensor_list_from_tensor(x, [2])

    def body(total, handle):
        handle, last = list_ops.tensor_list_pop_back(handle, tf.float32)
        return total * 2.0 + tf.reshape(last, [2]), handle

    more = lambda _, handle: tf.raw_ops.TensorListLength(input_handle=handle) > 0  # noqa: E731
    total, handle = tf.while_loop(more, body, [tf.zeros([2]), start])
    rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    values = session.run([total, tf.raw_ops.TensorListLength(input_handle=handle), _stack(start)], {x: rows})
    np.testing.assert_array_equal(values[0], sum(row * 2**i for i, row in enumerate(rows)))
    assert values[1] == 0
    np.testing.assert_array_equal(values[2], rows)


def test_lists_that_are_kept_stay_what_they_were(session):
    """Each iteration stores the previous list in a list of lists, whose elements must not change later."""
    kept = list_ops.empty_tensor_list([], tf.variant)
    start = list_ops.empty_tensor_list([2], tf.float32)
    x = tf.placeholder(tf.float32, [2])

    def body(i, handle, kept):
        return i + 1, _push(handle, x * tf.cast(i, tf.float32)), _push(kept, handle)

    kept = tf.while_loop(lambda i, *_: i < 4, body, [0, start, kept])[2]
    looks = [_stack(list_ops.tensor_list_get_item(kept, i, tf.variant, [])) for i in range(4)]
    for n, value in enumerate(session.run(looks, {x: VALUE})):
        np.testing.assert_array_equal(value, np.arange(n)[:, None] * VALUE)


def test_lists_of_parallel_iterations(session):
    """A loop-invariant list is copied when it is modified, also by parallel iterations."""
    x = tf.placeholder(tf.float32, [3, 2])
    rows = list_ops.tensor_list_from_tensor(x, [2])

    def body(i, total):
        changed = list_ops.tensor_list_set_item(rows, i % 3, x[0] * tf.cast(i, tf.float32))
        return i + 1, total + tf.reduce_sum(list_ops.tensor_list_stack(changed, tf.float32, element_shape=[2]), 0)

    total = tf.while_loop(lambda i, _: i < 60, body, [0, tf.zeros([2])], parallel_iterations=10)[1]
    fed = np.arange(6, dtype=np.float32).reshape(3, 2)
    total, after = session.run([total, _stack(rows)], {x: fed})
    expected = sum(fed.sum(0) - fed[i % 3] + fed[0] * i for i in range(60))
    np.testing.assert_array_equal(total, expected)
    np.testing.assert_array_equal(after, fed)


@pytest.mark.parametrize("branch", [True, False])
def test_branches_yield_lists(session, branch):
    x, predicate = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.bool, [])
    rows = list_ops.tensor_list_from_tensor(x, [2])
    longer = lambda: _push(rows, x[0])  # noqa: E731
    shorter = lambda: list_ops.tensor_list_pop_back(rows, tf.float32)[0]  # noqa: E731
    chosen = tf.cond(predicate, longer, shorter)
    fed = np.arange(6, dtype=np.float32).reshape(3, 2)
    value, before = session.run([_stack(chosen), _stack(rows)], {x: fed, predicate: branch})
    assert value.tolist() == ([*fed.tolist(), fed[0].tolist()] if branch else fed[:2].tolist())
    np.testing.assert_array_equal(before, fed)


@pytest.mark.parametrize("index", [0, 2, 3, 6])
def test_lists_grow_for_what_is_set(session, index):
    place, item = tf.placeholder(tf.int32, []), tf.constant(9.0)
    rows = list_ops.tensor_list_from_tensor([1.0, 2.0, 3.0], [])
    handle = list_ops.tensor_list_set_item(rows, place, item, resize_if_index_out_of_bounds=True)
    expected = [1.0, 2.0, 3.0] + [0.0] * (index - 2)
    expected[index] = 9.0
    assert session.run(list_ops.tensor_list_stack(handle, tf.float32), {place: index}).tolist() == expected


def test_gradients_of_what_loops_set(session):
    x = tf.placeholder(tf.float32, [3, 2])

    def body(i, handle):
        before = list_ops.tensor_list_get_item(handle, i - 1, tf.float32)
        return i + 1, list_ops.tensor_list_set_item(handle, i, x[i] * before)

    handle = tf.while_loop(lambda i, _: i < 3, body, [1, list_ops.tensor_list_from_tensor(x, [2])])[1]
    gradient = tf.gradients(tf.reduce_sum(_stack(handle)), x)[0]
    a, b, c = fed = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
    np.testing.assert_allclose(session.run(gradient, {x: fed}), [1 + b + b * c, a + a * c, a * b])


def test_errors_end_the_step(session):
    count = tf.placeholder(tf.int32, [])
    start = list_ops.empty_tensor_list([2], tf.float32, max_num_elements=3)
    body = lambda i, handle: (i + 1, _push(handle, tf.constant([1.0, 2.0])))  # noqa: E731
    stacked = _stack(tf.while_loop(lambda i, _: i < count, body, [0, start])[1])
    for n in (3, 4, 3, 5):
        if n == 3:
            assert session.run(stacked, {count: n}).shape == (3, 2)
            continue
        with pytest.raises(tf.errors.InvalidArgumentError, match="full list list size: 3 max_num_elements: 3"):
            session.run(stacked, {count: n})


def test_watched_steps_have_lists_too(session, tmp_path):
    """Traces, the NaN watch and records skip lists, which are not numbers."""
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    stacked = _stack(_multiples(count, x))
    feeds, metadata = {count: 3, x: VALUE}, tf.RunMetadata()
    expected = np.arange(3)[:, None] * VALUE
    session.watch_nan()
    np.testing.assert_array_equal(session.run(stacked, feeds), expected)
    with session.record(tmp_path / "steps"):
        np.testing.assert_array_equal(session.run(stacked, feeds), expected)
    traced = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    np.testing.assert_array_equal(session.run(stacked, feeds, options=traced, run_metadata=metadata), expected)
    assert any(
        "TensorListPushBack" in node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats
    )


def test_elements_go_with_the_step(session):
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    wide = tf.tile(x, [1 << 15])
    start = list_ops.empty_tensor_list(None, tf.float32)
    body = lambda i, handle: (i + 1, _push(handle, wide * tf.cast(i, tf.float32)))  # noqa: E731
    handle = tf.while_loop(lambda i, _: i < count, body, [0, start])[1]
    session.run(tf.raw_ops.TensorListLength(input_handle=handle), {count: 20, x: VALUE})
    assert session.stats().memory.live_bytes < 1 << 16
