"""FIFO queues: elements enqueued by one step are dequeued by another, in order."""

import numpy as np
import pytest
from waiting_steps import first_line

import tinytf as tf
from tinytf._gen import gen_ops


def test_elements_come_out_in_order():
    q = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[[2], []])
    x = tf.placeholder(tf.float32, [None, 2])
    text = tf.placeholder(tf.string, [None])
    many, one = q.enqueue_many([x, text]), q.enqueue([[7.0, 8.0], "last"])
    out, batch, size = q.dequeue(), q.dequeue_many(2), q.size()
    with tf.Session() as sess:
        sess.run(many, {x: [[1, 2], [3, 4]], text: ["a", "b"]})
        sess.run(one)
        assert sess.run(size) == 3
        first = sess.run(out)
        np.testing.assert_array_equal(first[0], [1, 2])
        assert first[1] == b"a"
        numbers, texts = sess.run(batch)
        np.testing.assert_array_equal(numbers, [[3, 4], [7, 8]])
        assert texts.tolist() == [b"b", b"last"]
        assert sess.run(size) == 0


def test_dictionaries():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[], []], names=["x", "i"])
    put, put_many = q.enqueue({"i": 1, "x": 2.0}), q.enqueue_many({"i": [3, 4], "x": [5.0, 6.0]})
    with tf.Session() as sess:
        sess.run(put)
        sess.run(put_many)
        assert sess.run(q.dequeue()) == {"x": 2.0, "i": 1}
        out = sess.run(q.dequeue_up_to(2))
        assert out["x"].tolist() == [5, 6] and out["i"].tolist() == [3, 4]


def test_elements_of_unknown_shapes():
    q = tf.FIFOQueue(10, tf.int32)
    x = tf.placeholder(tf.int32)
    put, out = q.enqueue(x), q.dequeue()
    with tf.Session() as sess:
        for value in (1, [2, 3], [[4], [5]]):
            sess.run(put, {x: value})
        assert [sess.run(out).tolist() for _ in range(3)] == [1, [2, 3], [[4], [5]]]


def test_a_fed_array_may_change_afterwards():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[1000]])
    x = tf.placeholder(tf.float32, [1000])
    fed = np.ones(1000, np.float32)
    with tf.Session() as sess:
        sess.run(q.enqueue(x), {x: fed})
        sess.run(q.enqueue_many(tf.expand_dims(x, 0)), {x: fed})
        fed[:] = 2
        assert sess.run(q.dequeue()).sum() == 1000
        assert sess.run(q.dequeue()).sum() == 1000


def test_run_time_errors():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []])
    any_shape = tf.FIFOQueue(10, tf.float32)
    x, n = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    variable = tf.get_variable("v", initializer=1.0, use_resource=True)
    with tf.Session() as sess:
        for fetch, feeds, text in [
            (q.enqueue([x, 1]), {x: [1.0]}, "Shape mismatch in tuple component 0. Expected [2], got [1]"),
            (
                q.enqueue_many([x, n]),
                {x: [[1.0, 2.0]], n: [1, 2]},
                "Shape mismatch in tuple component 1. Expected [1], g",
            ),
            (
                q.enqueue([[1.0, 2.0]]),
                {},
                "Signature mismatch, have: resource, float-> expected: resource, float, int32->",
            ),
            (
                any_shape.enqueue([1.0, 2.0]),
                {},
                "Signature mismatch, have: resource, float, float-> expected: resource, ",
            ),
            (q.dequeue_many(n), {n: -1}, "DequeueManyOp requested -1 < 0 elements"),
            (
                any_shape.dequeue_many(n),
                {n: 1},
                "FIFOQueue's DequeueMany and DequeueUpTo require the components to have ",
            ),
            (
                gen_ops.queue_dequeue_v2(q.queue_ref, [tf.float32], timeout_ms=10),
                {},
                "Timeout not supported yet.",
            ),
            (
                gen_ops.queue_size_v2(variable.handle),
                {},
                "Trying to access resource using the wrong type. Expected tensorflow::QueueInterface got tensorflow::Var",
            ),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(fetch, feeds)
            assert first_line(caught.value).startswith(text)
