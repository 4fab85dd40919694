"""`memory_limit_bytes` bounds all memory that a session keeps, of any kind and from any thread."""

import numpy as np
import pytest
from watched_sessions import STRATEGIES

import tinytf as tf

KIB, MIB = 1 << 10, 1 << 20
LIMIT = 2 * MIB
PIECE = 128 * KIB  # bytes of one value; the limit has room for 16
MANY = 100


@pytest.fixture(params=STRATEGIES, ids=lambda strategy: strategy.name)
def limited(request):
    with tf.EagerSession(memory_limit_bytes=LIMIT, resource_cleanup_strategy=request.param) as session:
        yield session


def _strings():
    return tf.constant([b"x" * (PIECE // 16) for _ in range(16)])


def _joined():
    return tf.strings.join([tf.constant("x" * (PIECE // 2)), tf.constant("y" * (PIECE // 2))])


def _numbers():
    return tf.ones([PIECE // 4])


def _constant():
    return tf.constant(np.ones(PIECE // 4, np.float32))


def _list():
    return tf.constant([1.0] * (PIECE // 4))


def _variable():
    return tf.Variable(tf.ones([PIECE // 4]))


def _array_of_python():
    return tf.py_function(lambda: np.ones(PIECE // 4, np.float32) * 2, [], tf.float32)


def _strings_of_python():
    return tf.py_function(lambda: np.array([b"x" * PIECE], object), [], tf.string)


def _results_of_function():
    filled = tf.function(lambda n: tf.fill([n], 1.0))
    return lambda: filled(tf.constant(PIECE // 4))


def _strings_of_function():
    doubled = tf.function(lambda s: tf.strings.join([s, s]))
    return lambda: doubled(tf.constant("x" * (PIECE // 2)))


def _constants_of_function():
    constant = tf.function(_constant)
    return lambda: constant()


# Each returns a function that makes a value.
MAKERS = {
    "numbers": lambda: _numbers,
    "constants": lambda: _constant,
    "lists": lambda: _list,
    "strings": lambda: _strings,
    "joined strings": lambda: _joined,
    "variables": lambda: _variable,
    "arrays of py_function": lambda: _array_of_python,
    "strings of py_function": lambda: _strings_of_python,
    "results of functions": _results_of_function,
    "strings of functions": _strings_of_function,
    "constants of functions": _constants_of_function,
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_the_limit_holds_for_what_is_kept(limited, maker):
    make, kept = maker(), []
    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        for _ in range(MANY):
            kept.append(make())
    assert 6 <= len(kept) <= 16
    assert f"memory_limit_bytes is {LIMIT}" in str(caught.value)
    assert "Most is held by: " in str(caught.value)
    stats = limited.stats()
    assert len(kept) * PIECE <= stats.allocated_bytes <= stats.allocated_bytes + stats.pooled_bytes <= LIMIT + PIECE


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_what_is_dropped_makes_room(maker):
    make = maker()
    with tf.EagerSession(memory_limit_bytes=LIMIT) as session:
        for _ in range(MANY):
            make()
        session.flush()
        assert session.stats().allocated_bytes <= 2 * PIECE


def test_the_limit_holds_for_elements_of_queues(limited):
    queue = tf.FIFOQueue(MANY, tf.float32)
    tensors = (tf.ones([PIECE // 4]) for _ in range(MANY))
    with pytest.raises(tf.errors.ResourceExhaustedError, match="bytes are in use"):
        for tensor in tensors:
            queue.enqueue(tensor)
            limited.collect()
    assert queue.size().numpy() >= 6
    assert limited.stats().allocated_bytes >= 6 * PIECE


def test_what_functions_use_inside_counts():
    greedy = tf.function(lambda x: tf.add_n([x * float(k) for k in range(MANY)]))
    with tf.EagerSession(memory_limit_bytes=LIMIT):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="memory_limit_bytes"):
            greedy(tf.ones([PIECE // 4]))


def test_allocated_bytes_are_those_of_values_variables_and_queues(session):
    with session:
        before = session.stats().allocated_bytes
        value = tf.ones([PIECE // 4])
        variable = tf.Variable(np.ones(PIECE // 4, np.float32))
        queue = tf.FIFOQueue(3, tf.float32)
        queue.enqueue(tf.ones([PIECE // 4]))
        session.synchronize()
        assert session.stats().allocated_bytes - before >= 3 * PIECE
        del value, variable, queue
