"""RunMetadata of traced steps describes the execution of every node."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.profiler import devices

TRACE = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)


@pytest.fixture
def product():
    x = tf.placeholder(tf.float32, [None, 256], name="x")
    return x, tf.matmul(x, tf.transpose(x), name="product")


def _nodes(metadata):
    (device,) = metadata.step_stats.dev_stats
    assert device.device == "/job:localhost/replica:0/task:0/device:CPU:0"
    return {stats.node_name: stats for stats in device.node_stats}


def test_every_node_that_ran_is_there(product):
    x, y = product
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        value = sess.run(y, {x: np.ones([300, 256])}, options=TRACE, run_metadata=metadata)
    assert value[0, 0] == 256
    nodes = _nodes(metadata)
    assert list(nodes) == ["transpose", "product"]  # folded and fed nodes do not run
    stats = nodes["product"]
    (output,) = stats.output
    assert output.slot == 0
    assert output.tensor_description.dtype == tf.float32.as_datatype_enum
    assert [dim.size for dim in output.tensor_description.shape.dim] == [300, 300]
    assert output.tensor_description.allocation_description.requested_bytes == 300 * 300 * 4
    assert stats.timeline_label == "[cpu 0.3MB 0.3MB] product = MatMul(x, transpose)"
    assert stats.memory[0].total_bytes == 300 * 300 * 4
    assert stats.thread_id > 0


def test_a_step_that_folds_away_has_a_device():
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        assert sess.run(tf.constant(1.0) + tf.constant(2.0), options=TRACE, run_metadata=metadata) == 3
    assert list(_nodes(metadata)) == ["_SOURCE"]


def test_times_follow_each_other(product):
    x, y = product
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(y, {x: np.ones([300, 256])}, TRACE, metadata)
    first, second = _nodes(metadata).values()
    assert 0 < first.all_start_nanos <= first.all_start_nanos + first.all_end_rel_nanos <= second.all_start_nanos
    assert first.all_start_micros == first.all_start_nanos // 1000
    assert second.all_end_rel_nanos > 0


def test_metadata_is_overwritten_and_plain_steps_leave_it_empty(product):
    x, y = product
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        for _ in range(2):
            sess.run(y.op, {x: np.ones([2, 256])}, TRACE, metadata)
            assert len(_nodes(metadata)) == 2
        sess.run(y, {x: np.ones([2, 256])}, run_metadata=metadata)
    assert metadata == tf.RunMetadata()


def test_callables_take_options():
    total = tf.add(tf.Variable(1.0, name="v"), 1, name="total")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        call = sess.make_callable(total, accept_options=True)
        assert call() == 2
        assert call(options=TRACE, run_metadata=metadata) == 2
    assert "total" in _nodes(metadata)


def test_other_arguments_are_refused(product):
    x, y = product
    with tf.Session() as sess:
        with pytest.raises(TypeError, match=r"options must be a tf\.RunOptions"):
            sess.run(y, {x: np.ones([2, 256])}, options=tf.RunMetadata())
        with pytest.raises(TypeError, match=r"run_metadata must be a tf\.RunMetadata"):
            sess.run(y, {x: np.ones([2, 256])}, run_metadata={})


def test_placements_are_copied_when_they_have_changed(product, monkeypatch):
    x, y = product
    metadata = tf.RunMetadata()
    copied = []
    copy = devices.placements
    monkeypatch.setattr(devices, "placements", lambda core: copied.append(copy(core)) or copied[-1])
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session() as sess:
        for _ in range(3):
            sess.run(y, {x: np.ones([2, 256])}, options, metadata)
        assert len(copied) == 1 and len(_nodes(metadata)) == 2
        sess.run(y + 1, {x: np.ones([2, 256])}, run_metadata=metadata)
        assert len(copied) == 1
        with tf.device("/cpu:0"):
            z = tf.negative(y, name="z")
        for _ in range(2):
            sess.run(z, {x: np.ones([2, 256])}, options, metadata)
        assert len(copied) == 2 and "z" in _nodes(metadata)
