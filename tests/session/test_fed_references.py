"""A fed reference variable can be read, but ops that would write to it fail with TensorFlow's message."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.declarations.op_spec import op_spec


def _run(sess, fetch, feeds):
    return sess.run(fetch, feeds)


def _call(sess, fetch, feeds):
    return sess.make_callable(fetch, list(feeds))(*feeds.values())


def _run_with_options(sess, fetch, feeds):
    return sess.run(fetch, feeds, options=tf.RunOptions(trace_level=3), run_metadata=tf.RunMetadata())


def _run_partially(sess, fetch, feeds):
    handle = sess.partial_run_setup([fetch], list(feeds))
    return sess.partial_run(handle, fetch, feeds)


_WAYS = [_run, _call, _run_with_options, _run_partially]


@pytest.mark.parametrize("way", _WAYS)
def test_the_text(sess, way):
    v = tf.Variable(1.0, name="v")
    other = tf.constant(3.0, name="other")
    changed = tf.assign_add(v, other)
    sess.run(v.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        way(sess, changed, {v: 5.0, other: 1.0})
    source = "_recv_v_0" if way is _run_partially else "_arg_v_0_1"  # feeds are numbered in the order of their names
    text = f"Input 0 of node AssignAdd was passed float from {source}:0 incompatible with expected float_ref."
    assert caught.value.message.startswith(text)
    assert sess.run(v) == 1.0
    assert way(sess, tf.identity(v), {v: 5.0}) == 5.0
    assert way(sess, changed.op.outputs[0] * 1.0, {changed: 7.0}) == 7.0


def test_a_training_step_with_its_counter_fed(sess):
    u = tf.Variable([1.0, 2.0], name="u")
    counter = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(u * u), global_step=counter)
    sess.run(tf.global_variables_initializer())
    text = "Input 0 of node GradientDescent was passed int64 from _arg_global_step_0_0:0 incompatible with expected int64_ref"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        sess.run(train, {counter: 7})
    with pytest.raises(tf.errors.InvalidArgumentError, match="was passed float from _arg_u_0_0:0 incompatible"):
        sess.run(train, {u: [0.0, 0.0]})
    sess.run(train)
    assert sess.run(counter) == 1


def _writers():
    """Operations with reference inputs, of as many kinds as public functions create."""
    v = tf.Variable([1.0, 2.0, 3.0], name="v")
    n = tf.Variable(0, name="n")
    grad = tf.constant([0.1, 0.2, 0.3])
    slices = tf.IndexedSlices(tf.constant([0.5, 0.25]), tf.constant([0, 2]), tf.constant([3]))
    tf.assign(v, grad), tf.assign_add(v, grad), tf.assign_sub(v, grad)
    tf.is_variable_initialized(v), tf.count_up_to(n, 9)
    for scatter in ("update", "add", "sub"):
        getattr(tf, f"scatter_{scatter}")(v, [0], [1.0])
    optimizers = [
        tf.train.GradientDescentOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.AdamOptimizer(),
        tf.train.AdagradOptimizer(0.1),
        tf.train.AdadeltaOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, centered=True),
        tf.train.FtrlOptimizer(0.1),
        tf.train.ProximalGradientDescentOptimizer(0.1),
        tf.train.ProximalAdagradOptimizer(0.1),
        tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step()),
    ]
    for optimizer in optimizers:
        for gradient in (grad, slices):
            optimizer.apply_gradients([(gradient, v)])
    return [op for op in tf.get_default_graph().get_operations() if _reference_numbers(op)]


def _reference_numbers(op):
    """The reference inputs of an operation by number; none of them is a list."""
    return [i for i, argument in enumerate(op_spec(op.type).inputs) if argument.is_ref]


@pytest.mark.parametrize("way", _WAYS)
def test_every_op_that_takes_a_reference_refuses_a_value(sess, way):
    writers = _writers()
    sess.run(tf.global_variables_initializer())
    kinds = set()
    for op in writers:
        for number in _reference_numbers(op):
            source = op.inputs[number]
            value = np.ones(source.shape.as_list(), source.dtype.base_dtype.as_numpy_dtype)
            # An operation it depends on may be refused first.
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"Input \d+ of node .* incompatible with .*_ref\."
            ):
                way(sess, op, {source: value})
            kinds.add(op.type)
    assert len(kinds) > 20, sorted(kinds)


def test_what_another_variable_is_fed_does_not_matter(sess):
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
    sess.run(tf.global_variables_initializer())
    assert sess.run(tf.assign(w, v), {v: [5.0]}) == [5.0]
    assert sess.run([v, w]) == [[1.0], [5.0]]
