"""Functions that run out of memory: the order in which memory is freed, retries, and the names in the error."""

import gc

import pytest

import tinytf as tf

TOO_MANY = 1 << 58  # elements; more bytes than the address space


class Node:
    pass


def _garbage(value):
    """A cycle that keeps the value alive until the garbage collector runs."""
    node = Node()
    node.itself, node.value = node, value


@pytest.fixture
def no_collector(eager):
    gc.collect()
    gc.disable()
    yield eager
    gc.enable()


def _live(session):
    return sum(tensor.bytes for tensor in session.live_tensors() if tensor.shape == (1000,))


@pytest.mark.parametrize("traced", [False, True], ids=["operation", "function"])
def test_garbage_goes_first_and_the_error_names_what_is_left(no_collector, traced):
    call = tf.function(lambda n: tf.zeros(n)) if traced else tf.zeros
    kept = tf.ones([1000])
    _garbage(tf.ones([1000]) + 1.0)
    assert _live(no_collector) == 8000
    size = tf.constant([TOO_MANY], tf.int64)
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"Most is held by: 4000 bytes in float \[1000\]"):
        call(size)
    assert _live(no_collector) == 4000
    assert kept.numpy().sum() == 1000.0
    assert call(tf.constant([3], tf.int64)).numpy().tolist() == [0.0, 0.0, 0.0]


def test_what_changes_variables_is_not_tried_again(no_collector):
    v = tf.Variable(0.0)

    @tf.function
    def count_and_fail(n):
        with tf.control_dependencies([v.assign_add(1.0)]):
            return tf.zeros(n)

    with pytest.raises(tf.errors.ResourceExhaustedError, match="Most is held by"):
        count_and_fail(tf.constant([TOO_MANY], tf.int64))
    assert v.numpy() == 1.0
