"""`Session.stats` and `Session.memory_stats`; closing a session returns its memory to the system."""

import gc
import threading

import numpy as np
from process_memory import resident_bytes
from waiting_steps import HeldStep

import tinytf as tf

_MIB = 2**20


def test_tensors_are_counted_while_they_live():
    v = tf.get_variable("v", [_MIB // 4], initializer=tf.zeros_initializer())
    with tf.Session() as sess:
        assert set(sess.memory_stats()) == {0}
        sess.run(v.initializer)
        stats = sess.memory_stats()
        assert _MIB <= stats.live_bytes <= stats.peak_bytes < 3 * _MIB
        assert stats.allocations >= 1
        value = sess.run(v + 1)
        held = sess.memory_stats().live_bytes
        assert held >= stats.live_bytes + _MIB
        del value
        gc.collect()
        assert sess.memory_stats().live_bytes <= held - _MIB


def test_blocks_are_used_again():
    x = tf.placeholder(tf.float32, [1000])
    total = tf.reduce_sum(tf.tanh(x) * x)
    with tf.Session() as sess:
        for _ in range(10):
            sess.run(total, {x: np.ones(1000)})
        before = sess.memory_stats()
        sess.run(total, {x: np.ones(1000)})
        after = sess.memory_stats()
    assert after.peak_bytes == before.peak_bytes
    assert after.allocations - before.allocations == after.pool_hits - before.pool_hits > 0


def test_close_gives_memory_back():
    v = tf.get_variable("v", [64 * _MIB], initializer=tf.ones_initializer())
    sess = tf.Session()
    sess.run(v.initializer)
    sess.run(tf.reduce_sum(v * 2))
    before = resident_bytes()
    assert sess.memory_stats().live_bytes >= 256 * _MIB
    sess.close()
    stats = sess.memory_stats()
    assert (stats.live_bytes, stats.pooled_bytes) == (0, 0)
    assert stats.peak_bytes >= 256 * _MIB
    assert before - resident_bytes() >= 200 * _MIB


def test_memory_of_many_threads_goes_back():
    n = tf.placeholder(tf.int32, [1])
    ones = tf.fill(n, 1.0)
    sess = tf.Session()
    sess.run(ones, {n: [1]})
    before = resident_bytes()

    def steps(seed):
        for megabytes in np.random.RandomState(seed).randint(1, 20, 20):
            sess.run(ones, {n: [megabytes * _MIB // 4]})

    threads = [threading.Thread(target=steps, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    peak = sess.memory_stats().peak_bytes
    assert peak >= 20 * _MIB
    sess.close()
    assert resident_bytes() <= before + 16 * _MIB


def test_results_that_outlive_the_session_are_not_kept():
    n = tf.placeholder(tf.int32, [1])
    sess = tf.Session()
    value = sess.run(tf.fill(n, 1.0), {n: [_MIB]})
    sess.close()
    assert sess.memory_stats().live_bytes >= 4 * _MIB
    del value
    gc.collect()
    assert (sess.memory_stats().live_bytes, sess.memory_stats().pooled_bytes) == (0, 0)


def test_large_blocks_go_back_in_the_background():
    x = tf.placeholder(tf.float32, [None])
    y = tf.negative(x)
    with tf.Session() as sess:
        for megabytes in range(1, 17):  # sizes vary, so that no pool keeps all blocks
            sess.run(y, {x: np.ones(megabytes * _MIB // 4, np.float32)})
        memory = sess.memory_stats()
        assert memory.returned_blocks > 0 or memory.returning_bytes > 0
    memory = sess.memory_stats()
    assert memory.returned_blocks > 0
    assert (memory.live_bytes, memory.pooled_bytes, memory.returning_bytes) == (0, 0, 0)


def test_running_steps_are_counted():
    with tf.Session() as sess:
        assert sess.stats().active_runs == 0
        step = HeldStep(sess)
        assert sess.stats().active_runs == 1
        step.let_go()
        assert step.outcome() == [1.0, 1.0]
        assert sess.stats().active_runs == 0


def test_what_is_prepared_is_counted():
    x = tf.placeholder(tf.float32, [])
    y, z = x + 1, x * 2
    sess = tf.Session()
    assert sess.stats()[:4] == (0, 0, 0, 0)
    for _ in range(3):
        sess.run(y, {x: 1.0})
        sess.run([y, z], {x: 1.0})
        sess.run({"y": y}, {x: 1.0})
        sess.run({"y": y}, {(x,): (1.0,)})  # not a cached call, but a cached plan
    assert sess.stats() == (12, 0, 3, 3, sess.memory_stats(), 0)
    sess.close()
    assert sess.stats()[:4] == (12, 0, 0, 0)


def test_copied_feeds_are_counted():
    x = tf.placeholder(tf.float32, [4])
    y = x + 1
    with tf.Session() as sess:
        fitting = np.zeros(4, np.float32)
        sess.run(y, {x: fitting})
        assert sess.stats().feed_bytes_copied == 0
        sess.run(y, {x: [1, 2, 3, 4]})
        sess.run(y, {x: np.zeros(8, np.float32)[::2]})
        assert sess.stats().feed_bytes_copied == 32
