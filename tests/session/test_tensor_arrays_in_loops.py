"""TensorArrays and stacks as the state of loops built from TensorFlow's primitives."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.ops.data_flow.tensor_array_ops import build_ta_with_new_flow

# Compiled plans, and plans run by the dataflow machine without rewrites.
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
WAYS = {"compiled": tf.ConfigProto(), "by tokens": BY_TOKENS}
VALUE = np.array([1.0, 2.0], np.float32)


def _enter(value):
    return tf.raw_ops.Enter(data=value, frame_name="loop", is_constant=True)


def _loop(n, body, *starts):
    """`for i in range(n): values = body(i, *values)`; returns the final values."""
    entered = [tf.raw_ops.Enter(data=start, frame_name="loop") for start in (tf.constant(0), *starts)]
    merged = [tf.raw_ops.Merge(inputs=[one, one]).output for one in entered]
    predicate = tf.raw_ops.LoopCond(input=tf.less(merged[0], _enter(n)))
    switched = [tf.raw_ops.Switch(data=one, pred=predicate) for one in merged]
    i, *values = [tf.identity(one.output_true) for one in switched]
    following = (i + _enter(tf.constant(1)), *body(i, *values))
    for one, value in zip(merged, following, strict=True):
        one.op._update_input(1, tf.raw_ops.NextIteration(data=value))
    return [tf.raw_ops.Exit(data=one.output_false) for one in switched][1:]


def _multiples(n, x, **options):
    """An array of n elements, the i-th of which is i * x."""
    array = tf.TensorArray(tf.float32, n, **options)
    handle, x = _enter(array.handle), _enter(x)

    def body(i, flow):
        value = x * tf.cast(i, tf.float32)
        return [tf.raw_ops.TensorArrayWriteV3(handle=handle, index=i, value=value, flow_in=flow)]

    return build_ta_with_new_flow(array, _loop(n, body, array.flow)[0])


@pytest.fixture(params=WAYS)
def session(request):
    with tf.Session(config=WAYS[request.param]) as opened:
        yield opened


@pytest.mark.parametrize("n", [1, 3, 2000])
def test_results_are_collected(session, n):
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    stacked = _multiples(count, x).stack()
    np.testing.assert_array_equal(session.run(stacked, {count: n, x: VALUE}), np.arange(n)[:, None] * VALUE)


def test_what_is_read_again_stays_what_it_is(session):
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    array = _multiples(count, x, clear_after_read=False)
    stacked, joined, size = session.run([array.stack(), array.concat(), array.size()], {count: 3, x: VALUE})
    assert stacked.reshape(-1).tolist() == joined.tolist() == [0, 0, 1, 2, 2, 4]
    assert size == 3


def test_inputs_are_read(session):
    x = tf.placeholder(tf.float32, [None, 2])
    array = tf.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)
    handle, flow = _enter(array.handle), _enter(array.flow)

    def body(i, total):
        return [total + tf.raw_ops.TensorArrayReadV3(handle=handle, index=i, flow_in=flow, dtype=tf.float32)]

    total = _loop(tf.shape(x)[0], body, tf.zeros([2]))[0]
    rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    np.testing.assert_array_equal(session.run(total, {x: rows}), rows.sum(axis=0))


def test_stacks_give_back_what_a_loop_kept(session):
    stack = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32)
    handle, x = _enter(stack), tf.placeholder(tf.float32, [2])
    scale = _enter(x)

    def push(i, total):
        value = tf.raw_ops.StackPushV2(handle=handle, elem=scale * tf.cast(i, tf.float32))
        return [total + value]

    total = _loop(tf.constant(4), push, tf.zeros([2]))[0]
    popped = []
    last = total
    for _ in range(4):
        with tf.control_dependencies([last]):
            last = tf.raw_ops.StackPopV2(handle=stack, elem_type=tf.float32)
        popped.append(last)
    values = session.run([total, *popped], {x: VALUE})
    np.testing.assert_array_equal(values, [6 * VALUE, 3 * VALUE, 2 * VALUE, VALUE, 0 * VALUE])


def test_errors_name_the_array_and_end_the_step(session):
    array = tf.TensorArray(tf.float32, 2, tensor_array_name="short")
    handle = _enter(array.handle)
    one = _enter(tf.constant(1.0))

    def body(i, flow):
        return [tf.raw_ops.TensorArrayWriteV3(handle=handle, index=i, value=one, flow_in=flow)]

    flow = _loop(tf.constant(5), body, array.flow)[0]
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"short_\d+: Tried to write to index 2 but"):
            session.run(flow)


def test_watched_steps_have_arrays_too(session, tmp_path):
    """Traces, the NaN watch and records skip array handles, which are not numbers."""
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])
    stacked = _multiples(count, x).stack()
    feeds, metadata = {count: 3, x: VALUE}, tf.RunMetadata()
    expected = np.arange(3)[:, None] * VALUE
    session.watch_nan()
    np.testing.assert_array_equal(session.run(stacked, feeds), expected)
    with session.record(tmp_path / "steps"):
        np.testing.assert_array_equal(session.run(stacked, feeds), expected)
    traced = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    np.testing.assert_array_equal(session.run(stacked, feeds, options=traced, run_metadata=metadata), expected)
    assert any(
        "TensorArrayWriteV3" in node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats
    )


def test_elements_go_with_the_step(session):
    count, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [1 << 16])
    flow = _multiples(count, x).flow
    session.run(flow, {count: 20, x: np.ones(1 << 16)})
    assert session.stats().memory.live_bytes < 1 << 16
