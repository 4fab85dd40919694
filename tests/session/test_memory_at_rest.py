"""A loop of steps allocates no memory from the system, and statistics are exact."""

import os

import numpy as np
import pytest

import tinytf as tf

_MIB = 1 << 20


def _from_system(sess):
    """The number of blocks that the session allocated from the system so far."""
    memory = sess.memory_stats()
    return memory.allocations - memory.pool_hits


def _assert_at_rest(sess, step, warm=5, steps=10):
    for _ in range(warm):
        step()
    before = _from_system(sess)
    for _ in range(steps):
        step()
    assert _from_system(sess) == before


def test_steps_of_one_size_come_to_rest_after_other_sizes():
    x = tf.placeholder(tf.float32, [None])
    with tf.Session() as sess:
        double = sess.make_callable(x * 2.0, [x])
        for millions in (3.0, 2.0, 3.0, 3.4, 4.4, 0.3, 3.4):
            array = np.ones(int(millions * 1e6), np.float32)
            _assert_at_rest(sess, lambda array=array: double(array))


def test_random_sizes_take_no_more_than_their_results():
    x = tf.placeholder(tf.float32, [None])
    random = np.random.RandomState(3)
    with tf.Session() as sess:
        y = sess.make_callable(tf.tanh(x * 2.0 + 1.0), [x])
        for _ in range(100):
            before = _from_system(sess)
            y(np.ones(random.randint(1, 4_000_000), np.float32))
            assert _from_system(sess) <= before + 3
            memory = sess.memory_stats()
            assert memory.live_bytes + memory.pooled_bytes <= 2 * max(memory.peak_bytes, 16 * _MIB)


def test_training_comes_to_rest_after_other_batches():
    x, labels = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
    hidden = x
    for n, m in ((784, 512), (512, 512)):
        hidden = tf.nn.relu(tf.matmul(hidden, tf.Variable(tf.ones([n, m]))) + tf.Variable(tf.zeros([m])))
    logits = tf.matmul(hidden, tf.Variable(tf.ones([512, 10])))
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(loss))
    one_thread = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=one_thread) as sess:
        sess.run(tf.global_variables_initializer())

        def steps(batch):
            feeds = {x: np.ones([batch, 784], np.float32), labels: np.zeros([batch], np.int64)}
            _assert_at_rest(sess, lambda: sess.run(train, feeds), warm=8, steps=5)

        for batch in (512, 700, 96, 512):
            steps(batch)


def test_powers_of_two_take_no_more_than_they_are():
    n = tf.placeholder(tf.int32, [1])
    for bytes_ in (4096, 65536, _MIB, 64 * _MIB):
        with tf.Session() as sess:
            run = sess.make_callable(tf.fill(n, 1.0), [n])
            kept = [run([bytes_ // 4]) for _ in range(2)]
            assert sess.memory_stats().live_bytes == 2 * bytes_
            assert sess.memory_stats().peak_bytes <= 2 * bytes_ + 4096
            del kept


def test_trim_gives_the_reserve_back():
    n = tf.placeholder(tf.int32, [1])
    with tf.Session() as sess:
        sess.run(tf.reduce_sum(tf.fill(n, 1.0)), {n: [3 * _MIB]})
        reserve = sess.memory_stats().pooled_bytes
        assert reserve >= 12 * _MIB
        assert sess.trim() == reserve
        assert sess.memory_stats().pooled_bytes == 0
        assert sess.run(tf.reduce_sum(tf.fill(n, 1.0)), {n: [3]}) == 3.0
    assert sess.trim() == 0


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_working_memory_counts_and_stays_with_nobody(dtype):
    x = tf.placeholder(dtype, [8, 56, 56, 64])
    y = tf.reduce_mean(tf.nn.conv2d(x, tf.ones([3, 3, 64, 64], dtype), strides=1, padding="SAME"))
    with tf.Session() as sess:
        sess.run(y, {x: np.ones([8, 56, 56, 64], dtype)})
        memory = sess.memory_stats()
        if dtype == "float16":  # computed in float32, which needs copies of twice the size
            assert memory.peak_bytes >= 2 * x.shape.num_elements() * 4
    assert sess.memory_stats().live_bytes == 0
    threads = len(os.listdir("/proc/self/task"))
    assert tf.memory_info().scratch_bytes <= threads * _MIB
