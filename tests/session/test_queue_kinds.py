"""Queues that shuffle, pad or sort by priority. Common behavior is tested with FIFO queues."""

import numpy as np
import pytest
from waiting_steps import InThread

import tinytf as tf


def _message(error):
    return error.message.split("\n")[0]


def _fails(text, fetch):
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(fetch)
    assert _message(caught.value) == text


# -- Shuffling ---------------------------------------------------------------------------------------------------------


def test_shuffling_with_a_seed():
    q = tf.RandomShuffleQueue(30, 0, tf.int32, shapes=[[]], seed=7)
    put, out, one = q.enqueue_many([np.arange(20)]), q.dequeue_many(20), q.dequeue()
    assert out.name == "random_shuffle_queue_DequeueMany:0" and out.shape.as_list() == [20]
    # The order of TensorFlow.
    for _ in range(2):
        with tf.Session() as sess:
            sess.run(put)
            assert sess.run(out).tolist() == [7, 4, 19, 15, 0, 8, 10, 11, 14, 6, 16, 1, 12, 3, 17, 5, 2, 18, 13, 9]
            sess.run(put)
            assert [sess.run(one) for _ in range(4)] == [9, 16, 3, 1]


def test_shuffling_without_a_seed_differs_from_session_to_session():
    q = tf.RandomShuffleQueue(100, 0, tf.int32, shapes=[[]])
    put, out = q.enqueue_many([np.arange(100)]), q.dequeue_many(100)
    orders = []
    for _ in range(2):
        with tf.Session() as sess:
            sess.run(put)
            orders.append(sess.run(out).tolist())
            assert sorted(orders[-1]) == list(range(100))
    assert orders[0] != orders[1]


def test_seeds_of_shuffling():
    tf.set_random_seed(5)
    queues = [tf.RandomShuffleQueue(10, 2, tf.int32, shared_name=name) for name in ("abc", "abc", None)]
    seeds = [(q.queue_ref.op.get_attr("seed"), q.queue_ref.op.get_attr("seed2")) for q in queues]
    assert seeds[:2] == [(5, 317586264)] * 2 and seeds[2][0] == 5 and seeds[2][1] != 317586264


def test_an_open_shuffling_queue_keeps_elements_to_mix():
    q = tf.RandomShuffleQueue(10, 3, tf.int32, shapes=[[]])
    size = q.size()
    with tf.Session() as sess:
        sess.run(q.enqueue_many([[1, 2, 3, 4, 5]]))
        first = sess.run(q.dequeue_many(2)).tolist()
        assert sess.run(size) == 3
        sess.run(q.close())
        rest = sess.run(q.dequeue_up_to(5)).tolist()
        assert sorted(first + rest) == [1, 2, 3, 4, 5]
        with pytest.raises(
            tf.errors.OutOfRangeError, match=r"^RandomShuffleQueue '_\d+_random_shuffle_queue' is closed"
        ):
            sess.run(q.dequeue())


def test_declarations_of_shuffling_queues():
    _fails("min_after_dequeue -1 must be >= 0", tf.RandomShuffleQueue(10, -1, tf.int32).size())
    _fails("min_after_dequeue 10 must be < capacity 10", tf.RandomShuffleQueue(10, 10, tf.int32).size())
    with pytest.raises(ValueError, match="^All shapes must be fully defined: "):
        tf.RandomShuffleQueue(10, 2, tf.int32, shapes=[[None]])


def test_sharing_of_shuffling_queues():
    one = tf.RandomShuffleQueue(10, 2, tf.int32, seed=3, shared_name="s")
    same = tf.RandomShuffleQueue(10, 2, tf.int32, shared_name="s")  # without a seed
    others = [
        tf.RandomShuffleQueue(10, 3, tf.int32, seed=3, shared_name="s"),
        tf.RandomShuffleQueue(10, 2, tf.int32, seed=4, shared_name="s"),
        tf.FIFOQueue(10, tf.int32, shared_name="s"),
    ]
    texts = [
        "Shared queue 's' has min_after_dequeue 2 but requested min_after_dequeue was 3.",
        "Shared queue 's' has random seeds (87654321, 3) but requested seeds are (87654321, 4).",
        "Expected RandomShuffleQueue, found FIFOQueueV2",
    ]
    with tf.Session() as sess:
        sess.run(one.enqueue(1))
        assert sess.run(same.size()) == 1
        for other, text in zip(others, texts):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(other.size())
            assert _message(caught.value) == text


# -- Padding -----------------------------------------------------------------------------------------------------------


def test_padding():
    q = tf.PaddingFIFOQueue(10, [tf.int32, tf.string], [[None], [None, 2]])
    x, text = tf.placeholder(tf.int32), tf.placeholder(tf.string)
    put, one, out = q.enqueue([x, text]), q.dequeue(), q.dequeue_many(3)
    assert [t.shape.as_list() for t in out] == [[3, None], [3, None, 2]]
    with tf.Session() as sess:
        sess.run(put, {x: [9], text: [["z", "z"]]})
        assert sess.run(one)[0].tolist() == [9]
        sess.run(put, {x: [1], text: [["a", "b"]]})
        sess.run(put, {x: [2, 3], text: [["c", "d"], ["e", "f"]]})
        sess.run(put, {x: [], text: np.zeros([0, 2], object)})
        numbers, texts = sess.run(out)
    assert numbers.tolist() == [[1, 0], [2, 3], [0, 0]]
    assert texts.tolist() == [[[b"a", b"b"], [b"", b""]], [[b"c", b"d"], [b"e", b"f"]], [[b"", b""]] * 2]


def test_padding_of_several_dimensions():
    q = tf.PaddingFIFOQueue(10, tf.float32, [[None, 2, None, 3]])
    x = tf.placeholder(tf.float32)
    put, out = q.enqueue(x), q.dequeue_up_to(4)
    random = np.random.RandomState(0)
    elements = [random.randn(*shape).astype("f") for shape in ([1, 2, 3, 3], [2, 2, 1, 3], [0, 2, 5, 3], [3, 2, 4, 3])]
    padded = np.zeros([4, 3, 2, 5, 3], "f")
    for row, element in zip(padded, elements):
        row[: element.shape[0], :, : element.shape[2]] = element
    with tf.Session() as sess:
        for element in elements:
            sess.run(put, {x: element})
        np.testing.assert_array_equal(sess.run(out), padded)
        assert sess.run(q.dequeue_many(0)).shape == (0, 0, 2, 0, 3)


def test_padding_of_batches():
    q = tf.PaddingFIFOQueue(10, tf.int32, [[None]])
    x = tf.placeholder(tf.int32, [None, None])
    with tf.Session() as sess:
        sess.run(q.enqueue_many(x), {x: [[1, 2], [3, 4]]})
        sess.run(q.enqueue_many(x), {x: [[5], [6]]})
        assert sess.run(q.dequeue_many(4)).tolist() == [[1, 2], [3, 4], [5, 0], [6, 0]]


def test_declarations_of_padding_queues():
    for shapes in (None, [], [2], [None], tf.TensorShape([None])):
        with pytest.raises(ValueError, match="^When providing partial shapes, a list of shapes must be provided.$"):
            tf.PaddingFIFOQueue(10, tf.int32, shapes)
    with pytest.raises(ValueError, match="^All shapes must have a defined rank: "):
        tf.PaddingFIFOQueue(10, tf.int32, [tf.TensorShape(None)])
    with pytest.raises(
        ValueError, match="^Shapes must be provided for all components, but received 1 dtypes and 2 shap"
    ):
        tf.PaddingFIFOQueue(10, tf.int32, [[], []])
    no_shapes = tf.raw_ops.PaddingFIFOQueueV2(component_types=[tf.float32])
    _fails(
        "Shapes must be provided for all components, but received 1 dtypes and 0 shapes.",
        tf.raw_ops.QueueSizeV2(handle=no_shapes),
    )
    no_rank = tf.raw_ops.PaddingFIFOQueueV2(component_types=[tf.float32], shapes=[tf.TensorShape(None)])
    _fails("shape <unknown> must have known rank.", tf.raw_ops.QueueSizeV2(handle=no_rank))


def test_elements_of_padding_queues_fit_the_declaration():
    q = tf.PaddingFIFOQueue(10, [tf.int32, tf.int32], [[None, 2], []], name="p")
    x = tf.placeholder(tf.int32)
    for fetch, value, text in [
        (q.enqueue([x, 1]), [1, 2], "Shape mismatch in tuple component 0. Expected [?,2], got [2]"),
        (q.enqueue_many([x, [1]]), [[1, 2]], "Shape mismatch in tuple component 0. Expected [1,?,2], got [1,2]"),
    ]:
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(fetch, {x: value})
        assert _message(caught.value) == text
    with tf.Session() as sess:
        sess.run(q.close())
        for kind, fetch in ("FIFOQueue", q.dequeue()), ("PaddingFIFOQueue", q.dequeue_many(1)):
            with pytest.raises(tf.errors.OutOfRangeError, match=rf"^{kind} '_\d+_p' is closed and has insufficient"):
                sess.run(fetch)
        with pytest.raises(tf.errors.CancelledError, match=r"^FIFOQueue '_\d+_p' is closed\."):
            sess.run(q.enqueue([[[1, 2]], 1]))


# -- Priorities --------------------------------------------------------------------------------------------------------


def test_priorities():
    q = tf.PriorityQueue(10, tf.string, shapes=[[]])
    assert q.dtypes == [tf.int64, tf.string] and q.shapes == [tf.TensorShape([])] * 2
    put, put_many, out, many = q.enqueue([2, "x"]), q.enqueue_many([[3, 1, -5], ["a", "b", "c"]]), q.dequeue(), 3
    with tf.Session() as sess:
        sess.run(put)
        sess.run(put_many)
        assert sess.run(out) == [-5, b"c"]
        sess.run(put_many)
        priorities, values = sess.run(q.dequeue_many(many))
        assert priorities.tolist() == [-5, 1, 1] and values.tolist() == [b"c", b"b", b"b"]
        sess.run(q.close())
        assert sess.run(q.dequeue_up_to(9))[0].tolist() == [2, 3, 3]
        with pytest.raises(
            tf.errors.OutOfRangeError, match=r"^PriorityQueue '_\d+_priority_queue' is closed and has ins"
        ):
            sess.run(out)


def test_priorities_of_many_elements():
    q = tf.PriorityQueue(-1, [tf.int32, tf.float32], shapes=[[], [2]])
    i = tf.placeholder(tf.int32, [None])
    put = q.enqueue_many([tf.cast(i, tf.int64), i, tf.stack([tf.cast(i, tf.float32)] * 2, 1)])
    one = q.dequeue()
    values = np.random.RandomState(1).permutation(500)
    with tf.Session() as sess:
        seen = []
        for part in np.split(values, 10):  # interleaves enqueues and dequeues
            sess.run(put, {i: part})
            seen += [sess.run(one) for _ in range(10)]
        rest = sess.run(q.dequeue_many(400))
    assert all(priority == number == pair[0] == pair[1] for priority, number, pair in seen)
    assert rest[0].tolist() == sorted(set(range(500)) - {number for _, number, _ in seen})
    np.testing.assert_array_equal(rest[2], np.stack([rest[1]] * 2, 1))


@pytest.mark.parametrize("take", ["dequeue_many", "dequeue_up_to"])
def test_a_waiting_batch_of_priorities_is_sorted_whenever_its_elements_come(take):
    q = tf.PriorityQueue(10, [tf.int32], shapes=[[]])
    batch, size = getattr(q, take)(4)[0], q.size()
    put = [q.enqueue_many([numbers, numbers]) for numbers in ([3, 2], [1, 0])]
    with tf.Session() as sess:
        waiting = InThread(sess.run, batch)
        sess.run(put[0])
        assert sess.run(size) == 2  # no element is taken before all are available
        sess.run(put[1])
        assert waiting.outcome().tolist() == [0, 1, 2, 3]


def test_what_a_closed_priority_queue_has_left():
    q = tf.PriorityQueue(10, [tf.int32], shapes=[[]])
    up_to, many = q.dequeue_up_to(4)[0], q.dequeue_many(2)[0]
    with tf.Session() as sess:
        waiting = InThread(sess.run, up_to)
        sess.run(q.enqueue_many([[3, 2], [3, 2]]))
        sess.run(q.close())
        assert waiting.outcome().tolist() == [2, 3]
        with pytest.raises(tf.errors.OutOfRangeError, match="requested 2, current size 0"):
            sess.run(many)


def test_declarations_of_priority_queues():
    with pytest.raises(TypeError, match="^Expected list for 'shapes' argument to 'priority_queue_v2' Op, not None.$"):
        tf.PriorityQueue(10, tf.string)
    with pytest.raises(
        ValueError, match="^Queue shapes must have the same length as dtypes, received len.shapes.=3, len"
    ):
        tf.PriorityQueue(10, tf.string, shapes=[[], []])
    q = tf.PriorityQueue(10, tf.string, shapes=[[]], names=["priority", "value"])
    with pytest.raises(ValueError, match="^Shapes .1,. and .. are incompatible$"):
        q.enqueue({"priority": [1], "value": "x"})
    no_shapes = tf.raw_ops.PriorityQueueV2(component_types=[tf.float32], shapes=[])
    _fails(
        "Different number of component types.  Types: int64, float, Shapes: [[]]",
        tf.raw_ops.QueueSizeV2(handle=no_shapes),
    )


def test_public_names():
    for name in ("PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"):
        assert getattr(tf, name) is getattr(tf.queue, name) is getattr(tf.io, name)
    assert not hasattr(tf.io, "FIFOQueue")
