"""Recorded steps that wait for other steps, or use their results, can be replayed alone."""

import threading

import numpy as np
import pytest

import tinytf as tf


def test_what_queues_gave_is_given_again(path):
    queue = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[[2], []])
    fill = queue.enqueue_many([[[1.0, 2.0], [3.0, 4.0]], ["a", "b"]])
    number, text = queue.dequeue()
    with tf.control_dependencies([text]):
        doubled = number * 2
    more = queue.enqueue([number, text])
    with tf.Session() as sess:
        sess.run(fill)
        with sess.record(path):
            told = sess.run([doubled, queue.size(), more])
            sess.run(text)
            sess.run(queue.close())
    again = tf.replay(path)
    assert again.matches and dict(again.fetches) == {
        doubled.name: pytest.approx(told[0]),
        "fifo_queue_Size:0": told[1],
    }
    assert tf.replay(path, 1).fetches == {text.name: b"b"}
    assert tf.replay(path, 2).matches


def test_a_queue_is_blamed_for_its_nan(path):
    queue = tf.FIFOQueue(10, [tf.float32])
    x = tf.placeholder(tf.float32)
    with tf.Session() as sess:
        sess.run(queue.enqueue(x), {x: np.nan})
        with sess.record(path):
            sess.run(tf.tanh(queue.dequeue(name="taken")))
    found = tf.replay(path).first_nan
    assert (found.name, found.op, dict(found.inputs)) == ("taken", "QueueDequeueV2", {})


def test_steps_that_wait_for_others_do_not_keep_them_from_running(path):
    queue = tf.FIFOQueue(1, [tf.float32])
    x = tf.placeholder(tf.float32)
    put, get = queue.enqueue(x), queue.dequeue() + 1
    got = []
    with tf.Session() as sess, sess.record(path):
        reader = threading.Thread(target=lambda: got.append(sess.run(get)))
        reader.start()
        sess.run(put, {x: 1.0})
        reader.join()
    assert got == [2]
    results = [tf.replay(path, step) for step in range(2)]
    assert all(result.matches for result in results)
    assert sorted(value for result in results for value in result.fetches.values()) == [2]


def test_steps_that_outlast_the_record_are_left_out(path):
    here, there = tf.FIFOQueue(1, [tf.float32]), tf.FIFOQueue(1, [tf.float32])
    with tf.control_dependencies([here.enqueue(1.0)]):
        wait = there.dequeue() + 1
    got, met, go_on = [], here.dequeue(), there.enqueue(5.0)
    with tf.Session() as sess:
        with sess.record(path):
            waiter = threading.Thread(target=lambda: got.append(sess.run(wait)))
            waiter.start()
            sess.run(met)
        sess.run(go_on)
        waiter.join()
    assert got == [6]
    assert tf.replay(path).fetches == {met.name: 1}
    with pytest.raises(IndexError):
        tf.replay(path, 1)
