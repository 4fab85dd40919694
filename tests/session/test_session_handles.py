"""Session handles: tensors that stay in a session between steps."""

import gc
import re

import numpy as np
import pytest

import tinytf as tf

_BYTES = 400_000


def _kept(sess, value):
    return sess.run(tf.get_session_handle(tf.placeholder_with_default(value, None)))


def _live(sess):
    gc.collect()
    return sess.memory_stats().live_bytes


def test_a_handle_names_node_number_and_device(sess):
    with tf.name_scope("scope"):
        fetch = tf.get_session_handle(tf.placeholder_with_default([1.0, 2.0], None), name="keep")
    assert fetch.dtype == tf.string and fetch.shape.rank == 0
    first, second = sess.run(fetch), sess.run(fetch)
    pattern = r"scope/keep;(\d+);(/job:localhost/replica:0/task:0/device:CPU:0|/device:CPU:0|)"
    numbers = [re.fullmatch(pattern, str(handle)).group(1) for handle in (first, second)]
    assert numbers[0] != numbers[1]
    assert first.handle == str(first) and first.eval().tolist() == [1, 2]


def test_handles_in_structures(sess):
    x = tf.constant([1.0]) * 2
    result = sess.run({"x": x, "kept": [tf.get_session_handle(x)]})
    assert result["x"].tolist() == [2]
    assert result["kept"][0].eval().tolist() == [2]
    assert sess.make_callable(tf.get_session_handle(x))().eval().tolist() == [2]


@pytest.mark.parametrize("dtype", [tf.float64, tf.int32, tf.bool, tf.complex64, tf.string])
def test_handles_of_every_type(sess, dtype):
    value = [b"a", b"bc"] if dtype == tf.string else np.array([0, 1], dtype.as_numpy_dtype)
    x = tf.placeholder(dtype)
    handle = sess.run(tf.get_session_handle(tf.identity(x)), {x: value})
    assert handle.eval().tolist() == list(value)
    assert sess.run(tf.identity(x), {x: handle}).tolist() == list(value)


def test_a_handle_is_fed_in_its_tensors_place(sess):
    handle = _kept(sess, [1.0, 2.0])
    x = tf.placeholder(tf.float32, [2])
    y = x * 10
    for _ in range(2):  # the second call is cached
        assert sess.run(y, {x: handle}).tolist() == [10, 20]
        assert sess.run(y, {x: [3, 4]}).tolist() == [30, 40]
    assert sess.make_callable(y, [x])(handle).tolist() == [10, 20]
    assert sess.run([y, x], {x: handle})[1].tolist() == [1, 2]
    partial = sess.partial_run_setup([y], [x])
    assert sess.partial_run(partial, y, {x: handle}).tolist() == [10, 20]


def test_a_handle_of_another_shape_does_not_fit(sess):
    handle = _kept(sess, [1.0, 2.0])
    x = tf.placeholder(tf.float32, [3])
    with pytest.raises(ValueError, match=r"^Cannot feed value of shape \(2,\) for Tensor 'Placeholder:0'"):
        sess.run(x + 1, {x: handle})


def test_graphs_read_and_delete_by_handle(sess):
    handle = _kept(sess, [1.0, 2.0])
    holder, value = tf.get_session_tensor(handle.handle, tf.float32)
    assert holder.dtype == tf.string and value.dtype == tf.float32
    assert sess.run(value * 2, {holder: handle.handle}).tolist() == [2, 4]
    assert sess.run(value, {holder: str(_kept(sess, 7.0).get_raw_handle())}) == 7
    holder, delete = tf.delete_session_tensor(handle.handle)
    assert isinstance(delete, tf.Operation)
    assert sess.run(delete, {holder: handle.handle}) is None
    text = f"Failed to delete a tensor with handle '{handle}' in the session store."
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{re.escape(text)}"):
        sess.run(delete, {holder: handle.handle})
    text = f"The tensor with handle '{handle}' is not in the session store."
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{re.escape(text)}"):
        handle.eval()
    holder, value = tf.get_session_tensor(handle.handle, tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{re.escape(text)}"):
        sess.run(value, {holder: handle.handle})


def test_a_tensor_is_read_as_what_it_is(sess):
    handle = _kept(sess, [1.0, 2.0])
    holder, value = tf.get_session_tensor(handle.handle, tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="is of type float, not int32"):
        sess.run(value, {holder: handle.handle})


def test_deleted_handles_cannot_be_used(sess):
    handle = _kept(sess, [1.0])
    handle.delete()
    text = f"^Persistent tensor {re.escape(str(handle))} may have already been deleted.$"
    for use in (handle.eval, handle.delete):
        with pytest.raises(TypeError, match=text):
            use()


def test_raw_handles_outlive_their_object(sess):
    handle = _kept(sess, np.ones(_BYTES // 4, np.float32))
    raw = handle.get_raw_handle()
    with pytest.raises(TypeError, match="^Persistent tensor .* may have already been deleted.$"):
        handle.eval()
    with pytest.raises(TypeError, match="^Persistent tensor .* may have already been deleted.$"):
        handle.delete()
    del handle
    assert _live(sess) >= _BYTES
    holder, value = tf.get_session_tensor(raw, tf.float32)
    assert sess.run(tf.reduce_sum(value), {holder: raw}) == _BYTES / 4
    holder, delete = tf.delete_session_tensor(raw)
    sess.run(delete, {holder: raw})
    assert _live(sess) < _BYTES


def test_dropped_handles_free_their_memory(sess):
    x = tf.placeholder(tf.float32)
    keep = tf.get_session_handle(x + 1)
    array = np.zeros(_BYTES // 4, np.float32)
    before = _live(sess)
    handles = [sess.run(keep, {x: array}) for _ in range(3)]
    assert _live(sess) >= before + 3 * _BYTES
    handles[0].delete()
    assert before + 2 * _BYTES <= _live(sess) < before + 3 * _BYTES
    handles.clear()
    assert _live(sess) <= before
    for _ in range(30):
        sess.run(keep, {x: array})
    assert _live(sess) <= before


def test_what_was_kept_does_not_change(sess):
    array = np.array([1.0, 2.0], np.float32)
    x = tf.placeholder(tf.float32)
    fed = sess.run(tf.get_session_handle(x), {x: array})
    array[:] = 9
    assert fed.eval().tolist() == [1, 2]
    for use_resource in (False, True):
        with tf.variable_scope(f"scope_{use_resource}"):
            v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=use_resource)
        sess.run(v.initializer)
        kept = sess.run(tf.get_session_handle(v.value()))
        sess.run(tf.assign_add(v, [1.0, 1.0]))
        assert kept.eval().tolist() == [1, 2]
        value = kept.eval()
        value[:] = 5
        assert kept.eval().tolist() == [1, 2]


def test_sessions_have_stores_of_their_own(sess):
    handle = _kept(sess, [1.0])
    holder, value = tf.get_session_tensor(handle.handle, tf.float32)
    with tf.Session() as other, pytest.raises(tf.errors.InvalidArgumentError, match="is not in the session store"):
        other.run(value, {holder: handle.handle})


def test_handles_end_with_their_session():
    sess = tf.Session()
    handle = _kept(sess, np.ones(_BYTES // 4, np.float32))
    sess.close()
    assert _live(sess) == 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in the session store"):
        handle.eval()
    del handle  # without output


def test_only_tensors_are_kept():
    for value in (1.0, [1.0], np.ones(2), tf.no_op()):
        with pytest.raises(TypeError, match="^`data` must be of type Tensor.$"):
            tf.get_session_handle(value)


def test_a_finalized_graph_serves_handles(sess):
    keep = tf.get_session_handle(tf.constant([1.0]) + 1)
    x = tf.placeholder(tf.float32)
    y = x * 3
    sess.graph.finalize()
    handle = sess.run(keep)
    assert handle.eval().tolist() == [2] and sess.run(y, {x: handle}).tolist() == [6]
    handle.delete()
