"""Memory passed between steps and `tf.py_func` functions is shared if it cannot be modified, and copied otherwise."""

import gc
import weakref

import numpy as np
import pytest

import tinytf as tf

_SIZES = [(4, 5), (40, 50), (300, 400)]  # copied both ways, shared one way, shared both ways


def _address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("shape", _SIZES)
def test_what_others_may_read_is_copied_and_may_be_changed(sess, shape):
    def func(a):
        total = a.sum()
        a[...] = 0
        return total

    x = tf.placeholder(tf.float64, shape)
    v = tf.get_variable("v", initializer=np.ones(shape), use_resource=True)
    both = x + 1.0
    fed = np.ones(shape)
    sess.run(v.initializer)
    totals = [tf.py_func(func, [t], tf.float64) for t in (tf.constant(fed), x, v, both)]
    assert sess.run([*totals, both], {x: fed})[:4] == [fed.size, fed.size, fed.size, 2 * fed.size]
    assert fed.sum() == fed.size and sess.run(v).sum() == fed.size


@pytest.mark.parametrize("shape", _SIZES)
def test_what_nobody_else_reads_may_be_changed(sess, shape):
    def func(a):
        a += 1
        return a

    x = tf.placeholder(tf.float64, shape)
    y = tf.py_func(func, [x * 2.0], tf.float64) + 0.5
    for _ in range(3):
        assert sess.run(y, {x: np.ones(shape)}).tolist() == np.full(shape, 3.5).tolist()


def test_a_tensor_given_twice_is_two_arrays(sess):
    def func(a, b):
        a *= 2
        b *= 3
        return a + b

    t = tf.placeholder(tf.float64, [None]) * 2.0
    y = tf.py_func(func, [t, t], tf.float64)
    assert sess.run(y, {t.op.inputs[0]: np.ones(1000)}).sum() == 10000


def test_large_values_that_nobody_else_reads_reach_the_function_uncopied(sess):
    seen = []

    def first():
        made = np.ones([300, 400])
        seen.append(_address(made))
        return made

    def second(a):
        seen.append(_address(a))
        return 0

    sess.run(tf.py_func(second, [tf.py_func(first, [], tf.float64)], tf.int64))
    assert seen[0] == seen[1]


def test_large_results_are_not_copied(sess):
    made = []

    def func():
        result = np.ones([300, 400])
        made.append(_address(result))
        return result

    y = tf.py_func(func, [], tf.float64)
    fetched = sess.run(y)
    assert _address(fetched) == made[0] and fetched.flags.writeable
    fetched[...] = 2
    assert sess.run(y).sum() == 120_000 and fetched.sum() == 240_000
    # Passed to a function again and updated in place by nodes, it is still the same memory.
    again = tf.py_func(lambda a: made.append(_address(a)) or 0, [tf.reshape(y, [-1])], tf.int64)
    del made[:]
    sess.run(again)
    assert made[0] == made[1]


@pytest.mark.parametrize("shape", _SIZES)
def test_what_a_function_keeps_and_changes(sess, shape):
    """A function refills and returns one buffer; results of earlier calls do not change."""
    buffer = np.zeros(shape)

    def func():
        buffer[...] += 1
        return buffer

    y = tf.py_func(func, [], tf.float64)
    queue = tf.FIFOQueue(10, tf.float64)
    put, take = queue.enqueue(y), queue.dequeue()
    fetched = [sess.run(y) for _ in range(2)]
    for _ in range(2):
        sess.run(put)
    assert [a.ravel()[0] for a in [*fetched, sess.run(take), sess.run(take)]] == [1, 2, 3, 4]


@pytest.mark.parametrize("part", [lambda a: a[:], lambda a: a[10:].reshape(-1), lambda a: a.view()])
def test_views_of_what_a_function_keeps(sess, part):
    buffer = np.zeros([300, 400])

    def func():
        buffer[...] += 1
        return part(buffer)

    queue = tf.FIFOQueue(10, tf.float64)
    put, take = queue.enqueue(tf.py_func(func, [], tf.float64)), queue.dequeue()
    sess.run(put)
    sess.run(put)
    assert sess.run(take).ravel()[0] == 1


@pytest.mark.parametrize("shape", _SIZES)
def test_arguments_that_a_function_keeps(sess, shape):
    kept = []
    x = tf.placeholder(tf.float64, shape)
    y = tf.py_func(lambda a: kept.append(a) or a, [x * 2.0], tf.float64)
    results = [sess.run(y, {x: np.full(shape, float(i))}) for i in range(5)]
    assert [a.ravel()[0] for a in kept] == [a.ravel()[0] for a in results] == [0, 2, 4, 6, 8]
    results[0][...] = 7
    assert kept[0].sum() == 0


def test_arguments_outlive_the_session():
    kept = []
    with tf.Session() as sess:
        sess.run(tf.py_func(lambda a: kept.append(a) or 0, [tf.range(100_000) + 1], tf.int64))
    tf.reset_default_graph()
    gc.collect()
    assert kept[0][-1] == 100_000


def test_values_go_when_the_step_ends(sess):
    alive = []

    def func():
        value = np.ones([300, 400])
        alive.append(weakref.ref(value))
        return value

    y = tf.py_func(func, [], tf.float64)
    total = tf.reduce_sum(y)
    for _ in range(3):
        sess.run(total)
    assert [ref() for ref in alive] == [None] * 3
    fetched = sess.run(y)
    assert alive[-1]() is not None
    del fetched
    assert alive[-1]() is None


@pytest.mark.parametrize("shape", _SIZES)
def test_changes_in_place_are_not_seen_elsewhere(sess, shape):
    def func(a):
        total = a.sum()
        a[...] = -1
        return total

    x = tf.placeholder(tf.float64, shape)
    y = x * 2.0
    spoilers = [tf.py_func(func, [y], tf.float64) for _ in range(3)]
    fed = np.ones(shape)
    values = sess.run([y, *spoilers, tf.reduce_sum(y)], {x: fed})
    assert values[0].sum() == values[-1] == 2 * fed.size and fed.sum() == fed.size
    handle = sess.partial_run_setup([y, *spoilers], [x])
    sess.partial_run(handle, spoilers[:2], {x: fed})
    assert sess.partial_run(handle, y).sum() == 2 * fed.size


def test_memory_of_many_steps(sess):
    x = tf.placeholder(tf.float64, [300, 400])
    y = tf.py_func(lambda a: a + 1, [tf.py_func(lambda a: a * 2, [x], tf.float64)], tf.float64)
    fed = np.ones([300, 400])
    sess.run(y, {x: fed})
    before = sess.memory_stats().live_bytes
    for _ in range(20):
        sess.run(y, {x: fed})
    assert sess.memory_stats().live_bytes == before
