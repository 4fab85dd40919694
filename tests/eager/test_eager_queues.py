"""Queues in eager execution: methods act immediately, and each Python object owns its queue."""

import contextvars
import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.errors.errors_impl import SessionClosedError

pytestmark = pytest.mark.usefixtures("executed")


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def executed(request):
    with eager_mode(), tf.EagerSession(async_=request.param) as session:
        yield session


def test_elements_go_in_and_out_at_once():
    queue = tf.FIFOQueue(10, tf.float32)
    assert [queue.enqueue(value) for value in (1.0, 2.0, 3.0)] == [None] * 3
    assert queue.size().numpy() == 3
    assert [queue.dequeue().numpy() for _ in range(3)] == [1.0, 2.0, 3.0]
    assert queue.size().numpy() == 0


def test_elements_of_several_components():
    queue = tf.FIFOQueue(10, [tf.int32, tf.float32], shapes=[[], [2]])
    queue.enqueue((1, [1.0, 2.0]))
    queue.enqueue_many([[2, 3, 4], np.arange(6, dtype=np.float32).reshape(3, 2)])
    number, row = queue.dequeue()
    assert (number.numpy(), row.numpy().tolist()) == (1, [1.0, 2.0])
    numbers, rows = queue.dequeue_many(2)
    assert (numbers.numpy().tolist(), rows.numpy().tolist()) == ([2, 3], [[0.0, 1.0], [2.0, 3.0]])
    assert queue.close() is None
    numbers, rows = queue.dequeue_up_to(tf.constant(5))
    assert (numbers.numpy().tolist(), rows.numpy().tolist()) == ([4], [[4.0, 5.0]])


def test_elements_that_are_dictionaries():
    queue = tf.FIFOQueue(3, [tf.int32, tf.string], names=["n", "text"])
    queue.enqueue({"n": 1, "text": "a"})
    element = queue.dequeue()
    assert {name: value.numpy() for name, value in element.items()} == {"n": 1, "text": b"a"}


def test_padding():
    queue = tf.PaddingFIFOQueue(3, tf.int32, [[None]])
    queue.enqueue([[1]])
    queue.enqueue([[2, 3]])
    assert queue.dequeue_many(2).numpy().tolist() == [[1, 0], [2, 3]]


def test_priorities():
    queue = tf.PriorityQueue(3, tf.string, [[]])
    for priority, text in ((2, "b"), (1, "a"), (3, "c")):
        queue.enqueue((np.int64(priority), text))
    assert [queue.dequeue()[1].numpy() for _ in range(3)] == [b"a", b"b", b"c"]


def test_random_order_follows_the_seeds():
    def order():
        tf.set_random_seed(5)
        queue = tf.RandomShuffleQueue(20, 0, tf.int32, shapes=[[]], seed=3)
        queue.enqueue_many([list(range(20))])
        return queue.dequeue_many(20).numpy().tolist()

    first = order()
    assert sorted(first) == list(range(20)) != first
    assert order() == first
    tf.set_random_seed(None)


def test_shapes_are_checked():
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[2]])
    with pytest.raises(ValueError, match=r"Shapes \(3,\) and \(2,\) are incompatible"):
        queue.enqueue([[1.0, 2.0, 3.0]])
    assert queue.size().numpy() == 0


def test_names_are_those_of_the_scope():
    assert tf.FIFOQueue(3, tf.float32, name="q").name == "Empty"
    with tf.name_scope("outer"):
        assert tf.FIFOQueue(3, tf.float32).name == "outer/"


def test_queues_share_nothing_whatever_their_names():
    first = tf.FIFOQueue(3, tf.float32, shared_name="shared")
    second = tf.FIFOQueue(3, tf.float32, shared_name="shared")
    first.enqueue(1.0)
    assert (first.size().numpy(), second.size().numpy()) == (1, 0)


def test_a_queue_of_a_list():
    queues = [tf.FIFOQueue(3, tf.int32) for _ in range(2)]
    queues[1].enqueue(7)
    chosen = tf.QueueBase.from_list(1, queues)
    assert chosen.dequeue().numpy() == 7
    chosen.enqueue(8)
    del chosen  # the queue stays, because the other object owns it
    assert queues[1].dequeue().numpy() == 8


def test_a_dequeue_waits_for_another_thread():
    with tf.EagerSession(), ThreadPoolExecutor(1) as pool:  # an asynchronous session has only one thread for both ends
        queue = tf.FIFOQueue(1, tf.int32)
        taken = pool.submit(contextvars.copy_context().run, lambda: [queue.dequeue().numpy() for _ in range(3)])
        for value in (1, 2, 3):
            queue.enqueue(value)  # blocks until there is room
        assert taken.result() == [1, 2, 3]


def test_a_closed_queue_refuses():
    queue = tf.FIFOQueue(3, tf.int32)
    queue.enqueue(1)
    queue.close()
    assert queue.is_closed().numpy()
    assert queue.dequeue().numpy() == 1
    with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient elements"):
        queue.dequeue().numpy()


def test_elements_go_with_the_queue(executed):
    def buffers():
        gc.collect()
        executed.synchronize()
        executed.flush(10.0)
        return _core.live_buffers()

    value = tf.zeros([100])
    queue = tf.FIFOQueue(3, tf.float32)
    del queue
    before = buffers()
    for _ in range(50):
        queue = tf.FIFOQueue(3, tf.float32)
        queue.enqueue(value + 1.0)
    del queue
    assert buffers() <= before


def test_queues_end_with_their_session():
    with eager_mode():
        with tf.EagerSession():
            queue = tf.FIFOQueue(3, tf.int32)
            queue.enqueue(1)
        with pytest.raises(SessionClosedError):
            queue.dequeue()
        del queue  # without output
